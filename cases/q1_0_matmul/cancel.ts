/**
 * Inputs whose sums cancel, so that what remains is rounding and nothing else.
 *
 * @module
 */
import { below, mulberry32 } from "../random.ts";
import { QUANTS, SCALES, SIGNS } from "./fills.ts";
import { drawInput } from "./blocks.ts";
import { Q1_BLOCK, type Q1Input, Q8_BLOCK } from "./input.ts";

const ACTIVATION_BYTES = 4 * Q8_BLOCK; // of the four q8_0 blocks that meet one Q1_0 block

/**
 * Blocks come in pairs: the second repeats the first with the weight scale's sign turned. In
 * accumulators that began at zero, −d0·ab meets round(d0·ab), and the rounding error of the product
 * is the result: a multiply then an add gives 0 there. In one pair of four a quant is moved by one.
 * In odd columns the upper four lanes repeat the lower four negated, so that the final additions
 * cancel too and their order shows.
 *
 * @param n a multiple of 256
 */
export function drawCancelling(n: number, rows: number, cols: number, seed: number): Q1Input {
  const input = drawInput({
    n,
    rows,
    cols,
    seed,
    weightScales: SCALES.engine!,
    signs: SIGNS.random!,
    activationScales: SCALES.engine!,
    quants: QUANTS.engine!,
  });
  const { weights, activations } = input;
  for (let at = 0; at < weights.length; at += 2 * Q1_BLOCK) {
    weights.copyWithin(at + Q1_BLOCK, at, at + Q1_BLOCK);
    weights[at + Q1_BLOCK + 1]! ^= 0x80;
  }
  const random = mulberry32(seed + 1);
  const columnBytes = activations.length / cols;
  for (let at = 0; at < activations.length; at += 2 * ACTIVATION_BYTES) {
    const isOddColumn = Math.floor(at / columnBytes) % 2 === 1;
    if (isOddColumn) negateUpperLanes(activations, at);
    activations.copyWithin(at + ACTIVATION_BYTES, at, at + ACTIVATION_BYTES);
    if (below(random, 4) === 0) {
      const quantAt = at + ACTIVATION_BYTES + 2 + below(random, 32);
      activations[quantAt]! ^= 1;
    }
  }
  return input;
}

/** Lane l + 4 becomes lane l negated (wrapping in eight bits), in four q8_0 blocks from `at`. */
function negateUpperLanes(activations: Uint8Array, at: number): void {
  for (let block = 0; block < 4; block++) {
    const quantsAt = at + block * Q8_BLOCK + 2;
    for (let i = 0; i < 16; i++) {
      activations[quantsAt + 16 + i] = -activations[quantsAt + i]!;
    }
  }
}
