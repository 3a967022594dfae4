/**
 * Backends of Deno's WebGPU.
 *
 * @module
 */
import { EXIT, Failure } from "../exit_codes.ts";

export const BACKENDS = ["vulkan", "metal", "dx12", "gl"] as const;
export type Backend = typeof BACKENDS[number];

/**
 * Each system's own. GL is never among them: Deno would fall back to it without a word, and its
 * integer arithmetic is wrong on some drivers.
 */
const OF_SYSTEM: Readonly<Partial<Record<typeof Deno.build.os, Backend>>> = {
  darwin: "metal",
  windows: "dx12",
};

/**
 * The backend to use: the one named, else that of the variable DENO_WEBGPU_BACKEND, else the
 * system's own.
 *
 * @throws {Failure} where it does not exist: Deno would find no adapter and say nothing
 */
export function chooseBackend(named: string | undefined): Backend {
  // An empty variable is none.
  const wanted = named ?? (Deno.env.get("DENO_WEBGPU_BACKEND") || OF_SYSTEM[Deno.build.os]) ??
    "vulkan";
  const backend = BACKENDS.find((known) => known === wanted);
  if (backend) return backend;
  const source = named === undefined ? "DENO_WEBGPU_BACKEND" : "--backend";
  throw new Failure(
    EXIT.usage,
    `Cannot use backend "${wanted}" (from ${source}): there is none of that name. ` +
      `Use one of ${BACKENDS.join(", ")}.`,
  );
}
