/**
 * The cases of `q8_0_quantize` by group.
 *
 * @module
 */
import { addressOf } from "../address.ts";
import { BONSAI } from "../bonsai.ts";
import { ACTIVATIONS } from "./fills.ts";

export const FAMILY = "q8_0_quantize";

// In blocks: an odd number of them ends inside a word, and a workgroup takes 2 · its size.
const BLOCKS = [1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 63, 65, 127, 128, 129, 257];

const address = (group: string, n: number, cols: number, fill: string, seed: number) =>
  addressOf(FAMILY, group, { n, cols, fill, seed });

/** Every address of the family. */
export function quantizeAddresses(): string[] {
  const lengths = new Set(
    Object.values(BONSAI).flatMap((matrices) => Object.values(matrices).map(({ n }) => n)),
  );
  return [
    ...BLOCKS.map((blocks, i) => address("size", 32 * blocks, 1 + i % 5, "layer", 100 + i)),
    ...Object.keys(ACTIVATIONS).flatMap((fill, i) => [
      address("edge", 96, 3, fill, 200 + i),
      address("edge", 2048, 2, fill, 300 + i),
    ]),
    ...[...lengths].map((n, i) => address("layer", n, 4, "layer", 400 + i)),
  ];
}
