/**
 * The cases of `argmax` by group.
 *
 * @module
 */
import { addressOf } from "../address.ts";
import { VOCABULARY } from "../bonsai.ts";
import { LOGITS } from "./fills.ts";

export const FAMILY = "argmax";

// Around a workgroup of 8 to 64 invocations with 16 logits each, and around its powers of two.
const SIZES = [
  ...[1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 257, 511, 513],
  ...[1000, 1023, 1024, 1025, 2047, 2049, 4096, 8191, 16_385, 32_000],
];

const address = (group: string, n: number, cols: number, fill: string, seed: number) =>
  addressOf(FAMILY, group, { n, cols, fill, seed });

/** Every address of the family. */
export function argmaxAddresses(): string[] {
  const fills = Object.keys(LOGITS);
  return [
    ...SIZES.map((n, i) => address("size", n, 1 + i % 4, "logit", 100 + i)),
    ...SIZES.map((n, i) => address("size", n, 1 + i % 3, "ties", 200 + i)),
    ...fills.flatMap((fill, i) => [
      address("edge", 5, 3, fill, 300 + i),
      address("edge", 777, 5, fill, 400 + i),
      address("edge", 2500, 2, fill, 500 + i),
    ]),
    // One invocation that looks at all of them would need more rounds of its loop than Mesa 22.3.6
    // makes: 151,936, where it stops after 65,535 in silence.
    ...["logit", "ties", "nan", "ascending", "last", "equal"].map((fill, i) =>
      address("vocabulary", VOCABULARY, i === 0 ? 3 : 1, fill, 600 + i)
    ),
  ];
}
