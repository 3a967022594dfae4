/**
 * A process that touches the GPU, and the lines that go to it and come from it.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { decodeLine, linesOf } from "./protocol.ts";

const CONFIG = new URL("../../deno.json", import.meta.url);
/** What it may do: read goldens and drivers' files, see its variables, load a Vulkan loader. */
const PERMISSIONS = ["--allow-read", "--allow-env", "--allow-ffi"];
/** Lines of its last words that are worth showing. */
const LAST_WORDS = 5;

/** The process and its streams. */
export class GpuProcess {
  readonly #process: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #replies: AsyncIterator<string>;
  readonly #errors: Promise<string>;

  /** @param env variables beside the inherited ones: the choice of backend and driver */
  constructor(script: URL, env: Readonly<Record<string, string>>) {
    this.#process = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--quiet",
        "--no-prompt",
        "--no-check",
        "--frozen",
        `--config=${fileURLToPath(CONFIG)}`,
        ...PERMISSIONS,
        script.href,
      ],
      env: { ...env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#input = this.#process.stdin.getWriter();
    this.#replies = linesOf(this.#process.stdout);
    this.#errors = new Response(this.#process.stderr).text();
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** Sends a line; says whether there was still somebody to read it. */
  async send(line: string): Promise<boolean> {
    try {
      await this.#input.write(new TextEncoder().encode(line));
      return true;
    } catch (error) {
      if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
      return false;
    }
  }

  /** The next reply, or `undefined` where the process ended instead. */
  async next<Reply>(): Promise<Reply | undefined> {
    for (let line = await this.#replies.next(); !line.done; line = await this.#replies.next()) {
      const reply = decodeLine<Reply>(line.value);
      if (reply) return reply;
    }
    return undefined;
  }

  async howItEnded(): Promise<string> {
    const { code, signal } = await this.#process.status;
    const words = (await this.#errors).trim().split("\n").slice(-LAST_WORDS).join("\n");
    const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
    return `The process that ran it ${how}.${words ? ` Its last words:\n${words}` : ""}`;
  }

  kill(): void {
    try {
      this.#process.kill("SIGKILL");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // it has ended already
    }
  }
}
