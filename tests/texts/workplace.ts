/** A repository of kernels and an engine's checkout in temporary folders, and the command on them. */

import { join } from "node:path";
import { textsCommand } from "../../tools/commands/texts.ts";
import { Failure } from "../../tools/exit_codes.ts";
import type { Compile } from "../../tools/texts/compile.ts";
import { digest, type OwnText } from "../../tools/texts/own.ts";
import { SHADER } from "./memory_engine.ts";

export const OTHER = SHADER.replace("2.0", "3.0");

export const rust = (text: string, name = "D") => `pub const ${name}: &str = r#"${text}"#;\n`;
export const js = (text: string, name = "D_WGSL") => `export const ${name} = \`${text}\`;\n`;

export interface Ran {
  readonly exitCode: number;
  /** What was printed, or the message of the failure. */
  readonly output: string;
}

export class Workplace {
  readonly #folder = Deno.makeTempDirSync({ prefix: "samebits-texts-" });
  readonly root = join(this.#folder, "samebits");
  readonly engine = join(this.#folder, "bankML");
  /** The texts that were compiled; what it answers may be replaced. */
  readonly compiled: string[] = [];
  compile: Compile = () => Promise.resolve([]);
  kernels: OwnText[] = [
    { name: "DOUBLE", family: "double", file: "kernels/double.wgsl", text: SHADER },
  ];

  constructor() {
    const places = [{ file: "gpu/wgsl.rs", name: "D" }, { file: "page.js", name: "D_WGSL" }];
    const agreement = { commit: null, sha256: digest(SHADER) };
    this.writeOwn("kernels/double.wgsl", SHADER);
    this.writeTwins({ kernels: { DOUBLE: { places, agreement } }, others: [] });
    this.writeEngine("gpu/wgsl.rs", rust(SHADER));
    this.writeEngine("page.js", js(SHADER));
    for (const folder of [this.root, this.engine]) {
      this.git(folder, "init", "--quiet", "--initial-branch=main", "--template=");
      this.#commitAll(folder);
    }
  }

  writeOwn(file: string, text: string | Uint8Array): void {
    write(join(this.root, file), text);
  }

  writeEngine(file: string, text: string | Uint8Array): void {
    write(join(this.engine, file), text);
  }

  writeTwins(twins: unknown): void {
    this.writeOwn("kernels/twins.json", JSON.stringify(twins));
  }

  own(file: string): string {
    return Deno.readTextFileSync(join(this.root, file));
  }

  // deno-lint-ignore no-explicit-any -- a test says what it expects of it
  twins(): any {
    return JSON.parse(this.own("kernels/twins.json"));
  }

  git(folder: string, ...args: string[]): string {
    const { success, stdout, stderr } = new Deno.Command("git", {
      args: ["-C", folder, "-c", "user.name=test", "-c", "user.email=test@localhost", ...args],
    }).outputSync();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout).trim();
  }

  /** Commits all that is in a repository; returns the commit. */
  commit(folder: string): string {
    this.#commitAll(folder);
    return this.git(folder, "rev-parse", "HEAD");
  }

  #commitAll(folder: string): void {
    this.git(folder, "add", "--all");
    this.git(folder, "commit", "--quiet", "--message", "test");
  }

  async run(...args: string[]): Promise<Ran> {
    const printed: string[] = [];
    const log = console.log;
    console.log = (line: string) => printed.push(line);
    const compile: Compile = (text) => {
      this.compiled.push(text);
      return this.compile(text);
    };
    try {
      const command = textsCommand({ root: this.root, kernels: this.kernels, compile });
      await command.exitOverride().parseAsync(args, { from: "user" });
      return { exitCode: Deno.exitCode as number, output: printed.join("\n") };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { exitCode: error.exitCode, output: error.message };
    } finally {
      console.log = log;
      Deno.exitCode = 0; // else the tests themselves would exit with it
    }
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.#folder, { recursive: true });
  }
}

function write(path: string, content: string | Uint8Array): void {
  Deno.mkdirSync(join(path, ".."), { recursive: true });
  if (typeof content === "string") Deno.writeTextFileSync(path, content);
  else Deno.writeFileSync(path, content);
}

/** A test on a workplace of its own, without BANKML_DIR. */
export function test(name: string, body: (place: Workplace) => Promise<void>): void {
  Deno.test(name, async () => {
    const before = Deno.env.get("BANKML_DIR");
    Deno.env.delete("BANKML_DIR");
    using place = new Workplace();
    try {
      await body(place);
    } finally {
      if (before === undefined) Deno.env.delete("BANKML_DIR");
      else Deno.env.set("BANKML_DIR", before);
    }
  });
}
