/**
 * The engine's kernels of `q1_0_matmul`, which have two workgroup sizes and no needs: what tests of
 * the runner run where any kernels will do.
 *
 * @module
 */
import { KERNELS } from "../../kernels/mod.ts";

/** How commands are told to take them alone. */
export const ENGINE_ONLY = ["--kernel", "Q1_DOT", "--kernel", "Q1_MM*"];

/** Q1_DOT, Q1_MM and Q1_MM4. */
export const ENGINE_KERNELS = KERNELS.filter(({ name }) => /^Q1_(DOT|MM4?)$/.test(name));
