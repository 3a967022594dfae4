/**
 * Running samebits' commands as a user does.
 *
 * @module
 */
import { fromFileUrl } from "./paths.ts";

const ROOT = fromFileUrl("../../");
const PERMISSIONS = [
  "--allow-read",
  "--allow-env",
  "--allow-write",
  "--allow-ffi",
  "--allow-run",
  "--allow-sys=cpus",
];

export interface Ran {
  readonly code: number;
  /** stdout and stderr, each whole. */
  readonly out: string;
  readonly err: string;
}

/** Runs a command line of samebits to its end. */
export async function samebits(args: string[], env: Record<string, string> = {}): Promise<Ran> {
  const { code, stdout, stderr } = await command(args, env, "piped").output();
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, out: decode(stdout), err: decode(stderr) };
}

/** Starts a command line of samebits, for a test that ends it. */
export function startSamebits(args: string[]): Deno.ChildProcess {
  return command(args, {}, "null").spawn();
}

function command(args: string[], env: Record<string, string>, stream: "piped" | "null") {
  return new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-check",
      "--frozen",
      ...PERMISSIONS,
      "tools/samebits.ts",
      ...args,
    ],
    cwd: ROOT,
    stdout: stream,
    stderr: stream,
    // What CI sets would otherwise decide what is printed and allowed, and what a test beside this
    // one sets for its own adapter, which backend is taken.
    env: {
      NO_COLOR: "1",
      GITHUB_ACTIONS: "",
      GITHUB_STEP_SUMMARY: "",
      DENO_WEBGPU_BACKEND: "",
      CI: "",
      ...env,
    },
  });
}

/** Has this machine an adapter of its own? */
export async function hasAdapter(): Promise<boolean> {
  const { code } = await samebits(["gate", "--adapter", "default", "*tile:rows=1,n=128,cols=1,*"]);
  return code === 0 || code === 1;
}
