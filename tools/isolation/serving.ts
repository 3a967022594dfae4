/**
 * The GPU process's own side: finding its adapter and answering.
 *
 * @module
 */
import { loadEmbedded } from "../adapters/embedded/embedded.ts";
import { Failure } from "../exit_codes.ts";
import { type AdapterAssignment, encodeLine } from "./protocol.ts";

/** How this process asks for its adapter, which gives one device each time. */
export function adapterRequest(
  { embedded, powerPreference }: AdapterAssignment,
): () => Promise<GPUAdapter | null> {
  if (embedded) loadEmbedded(embedded);
  return () => navigator.gpu.requestAdapter(powerPreference && { powerPreference });
}

export function reply(value: unknown): void {
  let bytes = new TextEncoder().encode(encodeLine(value));
  while (bytes.length > 0) bytes = bytes.subarray(Deno.stdout.writeSync(bytes));
}

/** Serves to the end of its input, then ends the process. A {@linkcode Failure} is a reply. */
export async function serveAndExit(serve: () => Promise<void>): Promise<never> {
  try {
    await serve();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    reply({ kind: "failure", exitCode: error.exitCode, message: error.message });
  }
  Deno.exit(0); // without waiting for the driver's threads
}
