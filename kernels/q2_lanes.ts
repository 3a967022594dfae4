/**
 * Q2_LANES: eight invocations a row in one column, from the packed blocks.
 *
 * @module
 */
import type { Q2Input } from "../cases/q2_0_matmul/input.ts";
import type { Kernel } from "./kernel.ts";
import { packedProduct } from "./q2_dot.ts";
import text from "./q2_lanes.wgsl" with { type: "text" };

/** Of a row, in one workgroup. */
const LANES = 8;

/** Bindings: as {@linkcode packedProduct}. */
export const q2Lanes: Kernel<Q2Input> = {
  name: "Q2_LANES",
  family: "q2_0_matmul",
  file: "kernels/q2_lanes.wgsl",
  text,
  workgroup: { kind: "constant", name: "WG", step: LANES },
  workgroupBytes: (workgroup) => 4 * workgroup,
  // Where nothing is unrolled, the first lane's: of eight blocks one is its own, as in Q2_DOT; and it
  // adds all eight.
  rounds: ({ n }) => Math.ceil(n / 64 / LANES) * (1 + 2 * (1 + 8 * (1 + 4)) + LANES),
  prepare: (input, workgroup) => [
    packedProduct(input, Math.ceil(input.rows * LANES / workgroup)),
  ],
};
