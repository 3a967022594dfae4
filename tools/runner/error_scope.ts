/**
 * GPU calls fail in silence unless somebody listens.
 *
 * @module
 */

const KINDS: readonly GPUErrorFilter[] = ["validation", "out-of-memory", "internal"];

/**
 * Makes GPU calls inside error scopes.
 *
 * @returns the first error's message, or `undefined` where there was none
 */
export async function errorScope(
  device: GPUDevice,
  calls: () => void,
): Promise<string | undefined> {
  for (const kind of KINDS) device.pushErrorScope(kind);
  let thrown: string | undefined;
  try {
    calls();
  } catch (error) {
    // Deno throws where an argument does not even fit the type.
    thrown = error instanceof Error ? error.message : String(error);
  }
  const errors = await Promise.all(KINDS.map(() => device.popErrorScope()));
  return errors.find((error) => error !== null)?.message ?? thrown;
}
