/**
 * A folder for a test alone.
 *
 * @module
 */

/** Runs a test with a folder of its own, which is gone afterwards. */
export async function inFolder(test: (folder: string) => void | Promise<void>): Promise<void> {
  const folder = Deno.makeTempDirSync();
  try {
    await test(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
