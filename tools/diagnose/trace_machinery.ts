/**
 * What a text that notes its steps has beside them: the buffer, and the function that writes to it.
 *
 * @module
 */
import type { Workers } from "../../kernels/kernel.ts";

/** Lanes of a word. */
export const LANES = 8;
/** All names of ours begin so. */
export const PREFIX = "samebits_";

/** Which lane this invocation notes; none where it is another word's. */
export function beginning(id: string, { x, y, lanes }: Workers): string {
  const count = lanes === "one invocation" ? 1 : LANES;
  const isHere = `${id}.x >= ${x}u && ${id}.x - ${x}u < ${count}u && ${id}.y == ${y}u`;
  return `\n  ${PREFIX}lane = select(${LANES}u, ${id}.x - ${x}u, ${isHere});`;
}

/** What the notes need beside them. A dispatch of other words gets a buffer that is too small. */
export function machinery(binding: number, words: number, { lanes, nth }: Workers): string {
  const lane = lanes === "one invocation" ? "element" : `${PREFIX}lane`;
  const isOthers = lanes === "one invocation" ? `element >= ${LANES}u` : `element != ${nth}u`;
  const each = words / LANES;
  return `
@group(0) @binding(${binding}) var<storage, read_write> ${PREFIX}trace: array<u32>;
var<private> ${PREFIX}lane: u32;
var<private> ${PREFIX}counts: array<u32, ${LANES}>;
fn ${PREFIX}note(site: u32, element: u32, bits: u32) {
  if (${PREFIX}lane >= ${LANES}u || ${isOthers} || arrayLength(&${PREFIX}trace) < ${words}u) {
    return;
  }
  let lane = ${lane};
  let count = ${PREFIX}counts[lane];
  ${PREFIX}counts[lane] = count + 1u;
  ${PREFIX}trace[lane * ${each}u] = count + 1u;
  if (2u * count + 2u < ${each}u) {
    ${PREFIX}trace[lane * ${each}u + 2u * count + 1u] = site;
    ${PREFIX}trace[lane * ${each}u + 2u * count + 2u] = bits;
  }
}
`;
}
