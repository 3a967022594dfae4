/**
 * A kernel's text with extra work in it: right bits, but slower.
 *
 * @module
 */
import type { Kernel } from "../../kernels/kernel.ts";

/** @param rounds of three shifts and three exclusive ors in every invocation */
export function plantedText({ text, file }: Kernel, rounds: number): string {
  const main = text.indexOf("fn main(");
  const body = text.indexOf(") {\n", main);
  if (main < 0 || body < 0) throw new Error(`no main in ${file}`);
  const at = body + ") {\n".length;
  // p.zero is 0, which only the host knows: the loop cannot be removed, and nothing is written.
  const work = `  var planted = id.x | 1u;
  for (var extra = 0u; extra < ${rounds}u; extra++) {
    planted ^= planted << 13u;
    planted ^= planted >> 17u;
    planted ^= planted << 5u;
  }
  if ((planted & p.zero) != 0u) {
    O[0] = planted;
  }
`;
  return text.slice(0, at) + work + text.slice(at);
}
