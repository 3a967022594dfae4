/**
 * `samebits watch` on a copy of the project, and somebody who saves files there.
 *
 * @module
 */
import { join } from "node:path";
import { fromFileUrl } from "../support/paths.ts";

/** What the command is made of. */
const PARTS = ["kernels", "cases", "reference", "golden", "tools", "deno.json", "deno.lock"];
/** Milliseconds that anything may take on a machine that others use too. */
const PATIENCE = 60_000;

export class Watching {
  readonly #folder: string;
  readonly #process: Deno.ChildProcess;
  #out = "";
  #seen = 0;

  private constructor(folder: string, args: readonly string[]) {
    this.#folder = folder;
    this.#process = new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-check", "--frozen", "--allow-all", "tools/samebits.ts"]
        .concat("watch", args),
      cwd: folder,
      env: { NO_COLOR: "1", DENO_WEBGPU_BACKEND: "" },
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    this.#listen();
  }

  /** Watches from the first verdicts on, and ends whatever becomes of the test. */
  static async on(
    args: readonly string[],
    test: (watching: Watching) => Promise<void>,
  ): Promise<void> {
    const folder = Deno.makeTempDirSync();
    const parts = [...PARTS, "record.schema.json"].map((part) => fromFileUrl(`../../${part}`));
    await new Deno.Command("cp", { args: ["-r", ...parts, folder] }).output();
    const watching = new Watching(folder, args);
    try {
      await watching.rest();
      await test(watching);
    } finally {
      if ((await watching.processes()).length > 0) await watching.interrupt();
      Deno.removeSync(folder, { recursive: true });
    }
  }

  /** What is printed from now on until it watches again. */
  async rest(): Promise<string> {
    const begun = performance.now();
    for (;;) {
      const end = this.#out.indexOf("Ctrl-C ends it.\n", this.#seen);
      if (end >= 0) {
        const text = this.#out.slice(this.#seen, end);
        this.#seen = end + 1;
        return text;
      }
      if (performance.now() - begun > PATIENCE) {
        throw new Error(`watch does not come to rest:\n${this.#out.slice(this.#seen)}`);
      }
      await pause(10);
    }
  }

  /** Resolves as soon as something that is printed from now on matches. */
  async next(pattern: RegExp): Promise<void> {
    const from = this.#out.length;
    while (!pattern.test(this.#out.slice(from))) await pause(2);
  }

  read(file: string): string {
    return Deno.readTextFileSync(join(this.#folder, file));
  }

  /** As editors do that write another file and rename it: at no moment is the file half there. */
  write(file: string, text: string): void {
    const part = join(this.#folder, `${file}.part`);
    Deno.writeTextFileSync(part, text);
    Deno.renameSync(part, join(this.#folder, file));
  }

  /** Saves a file, and gives what is printed of it. */
  save(file: string, text: string): Promise<string> {
    this.write(file, text);
    return this.rest();
  }

  /** As editors do that empty the file first; what is printed last, since both may be noticed. */
  async saveInPlace(file: string, text: string, last: RegExp): Promise<string> {
    Deno.writeTextFileSync(join(this.#folder, file), text);
    for (;;) {
      const printed = await this.rest();
      if (last.test(printed)) return printed;
    }
  }

  remove(file: string): Promise<string> {
    Deno.removeSync(join(this.#folder, file));
    return this.rest();
  }

  /** Ctrl-C; gives the exit code. */
  async interrupt(): Promise<number> {
    this.#process.kill("SIGINT");
    const { code } = await this.#process.status;
    return code;
  }

  /** The command's process and its children, whose command lines name the folder. */
  async processes(): Promise<string[]> {
    const { stdout } = await new Deno.Command("ps", { args: ["-eo", "pid=,args="] }).output();
    return new TextDecoder().decode(stdout).split("\n").filter((line) => {
      const isCommand = Number.parseInt(line) === this.#process.pid;
      return (isCommand || line.includes(this.#folder)) && !line.includes("<defunct>");
    });
  }

  async #listen(): Promise<void> {
    for await (const part of this.#process.stdout.pipeThrough(new TextDecoderStream())) {
      this.#out += part;
    }
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
