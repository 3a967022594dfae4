/** Which kernels a saved file touches. */
import { expect } from "expect";
import { KERNELS } from "../../kernels/mod.ts";
import { touchedKernels } from "../../tools/watch/touched.ts";
import { fromFileUrl } from "../support/paths.ts";

const read = (path: string) => Deno.readTextFileSync(fromFileUrl(`../../${path}`));
const touched = (...changed: string[]) =>
  touchedKernels(KERNELS, changed, (path) => read(path)).map(({ name }) => name);

const Q1 = KERNELS.filter(({ family }) => family === "q1_0_matmul").map(({ name }) => name);
const FAST_Q2 = KERNELS.filter(({ text }) => text.includes("fn settle_chain(")).map(({ name }) =>
  name
);
const ALL = KERNELS.map(({ name }) => name);

const EXPECTED: readonly (readonly [files: string[], kernels: string[], why: string])[] = [
  [["kernels/q1_mm.wgsl"], ["Q1_MM"], "its own text"],
  [["kernels/packed_rows.wgsl"], ["DEQUANTIZE", "EMBEDDING"], "a text of two kernels"],
  [
    ["kernels/swiglu_exact.wgsl"],
    ["SWIGLU_EXACT", "DECODE_LAYER"],
    "a text that a chain runs, too",
  ],
  [["kernels/q1_mm4.ts"], ["Q1_MM4"], "its own recipe"],
  [["kernels/aligned_matmul.ts"], ["Q1_MM", "Q1_MM4"], "what two recipes import"],
  [
    ["kernels/packing.ts"],
    [...Q1, ...FAST_Q2, "DECODE_LAYER"],
    "what two families' recipes import, one of them by way of another file",
  ],
  [["kernels/workgroup.ts"], ALL, "what the list of kernels alone imports"],
  [["kernels/mod.ts"], ALL, "the list itself"],
  [["kernels/kernel.ts"], [], "types alone"],
  [["cases/q1_0_matmul/trap.ts"], [], "a case is no kernel"],
  [["kernels/q1_dot.wgsl", "kernels/q1_mm.ts"], ["Q1_DOT", "Q1_MM", "DECODE_LAYER"], "two files"],
];

for (const [files, kernels, why] of EXPECTED) {
  Deno.test(`${files.join(" and ")}: ${why}`, () => {
    expect(touched(...files)).toEqual(kernels);
  });
}
