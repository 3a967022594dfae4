/**
 * Which kernels a changed file touches.
 *
 * @module
 */
import type { Kernel } from "../../kernels/kernel.ts";

const LIST = "kernels/mod.ts";

/**
 * The kernels that run otherwise, or may, once these files changed: those whose text it is or whose
 * recipe imports it; every kernel for a file that only the list of kernels imports. An import of
 * types alone changes nothing that runs.
 *
 * @param changed paths from the top of the project
 * @param read gives a source, `undefined` where there is none
 */
export function touchedKernels(
  kernels: readonly Kernel[],
  changed: readonly string[],
  read: (path: string) => string | undefined,
): Kernel[] {
  const recipes = kernels.map((kernel) => ({
    kernel,
    uses: new Set([kernel.file, ...importsOf(recipeOf(kernel), read)]),
  }));
  const ofList = importsOf(LIST, read);
  const isOfAll = (path: string) => ofList.has(path) && !recipes.some(({ uses }) => uses.has(path));
  if (changed.some(isOfAll)) return [...kernels];
  return recipes.filter(({ uses }) => changed.some((path) => uses.has(path)))
    .map(({ kernel }) => kernel);
}

/** The recipe stands beside the text. */
function recipeOf({ file }: Kernel): string {
  return file.replace(/\.wgsl$/, ".ts");
}

/** The file itself and all that it imports to run, from the top of the project. */
function importsOf(
  file: string,
  read: (path: string) => string | undefined,
  seen: Set<string> = new Set(),
): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, target] of (read(file) ?? "").matchAll(IMPORT)) {
    importsOf(new URL(target!, `file:///${file}`).pathname.slice(1), read, seen);
  }
  return seen;
}

const IMPORT = /^(?:import|export)(?!\s+type\b)[^;"]*"(\.[^"]+)"/gm;
