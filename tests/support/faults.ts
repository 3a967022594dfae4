/**
 * Kernels with a planted fault: the shipped text with one place changed.
 *
 * @module
 */
import type { Kernel } from "../../kernels/kernel.ts";
import { KERNELS } from "../../kernels/mod.ts";

/** A change of a kernel's text that a gate must notice. */
export interface Fault {
  readonly name: string;
  readonly kernel: string;
  /** Each stands exactly once in the text. */
  readonly replace: readonly (readonly [from: string, to: string])[];
}

export function kernelNamed(name: string): Kernel {
  const kernel = KERNELS.find((one) => one.name === name);
  if (!kernel) throw new Error(`no kernel ${name}`);
  return kernel;
}

/** The kernel with the fault in its text. */
export function plant({ kernel: name, replace }: Fault): Kernel {
  const kernel = kernelNamed(name);
  let text = kernel.text;
  for (const [from, to] of replace) {
    const parts = text.split(from);
    if (parts.length !== 2) {
      throw new Error(`"${from}" stands ${parts.length - 1} times in ${kernel.file}, not once`);
    }
    text = parts.join(to);
  }
  return { ...kernel, text };
}

/** WGSL's own fma in place of the built one: wrong where an adapter's fma rounds twice. */
export const OWN_FMA: Fault = {
  name: "fma in place of the built one",
  kernel: "Q1_MM",
  replace: [["acc = fma_exact(Wd[weights_at], ab, acc)", "acc = fma(Wd[weights_at], ab, acc)"]],
};

/** Without hide: wrong where an adapter's compiler folds (a + b) - a. */
export const NO_HIDE: Fault = {
  name: "hide removed",
  kernel: "Q1_MM",
  replace: [["return bitcast<f32>(bitcast<u32>(x) | p.zero);", "return x;"]],
};

/**
 * Not a fault yet: each row is joined by the invocations of the row before it in the workgroup, so
 * that rows meet in workgroup memory.
 */
export const JOINED_BY_NEIGHBOUR: Fault = {
  name: "rows joined by their neighbours",
  kernel: "Q1_MM",
  replace: [
    [
      "  if (live && lane == 0u) {\n",
      "  let next = (local + 8u) % WG;\n" +
      "  let next_row = (id.x - local + next) / 8u;\n" +
      "  if (next_row < p.rows && col < p.cols && lane == 0u) {\n",
    ],
    [
      "(lanes[local] + lanes[local + 4u]) + (lanes[local + 2u] + lanes[local + 6u])",
      "(lanes[next] + lanes[next + 4u]) + (lanes[next + 2u] + lanes[next + 6u])",
    ],
    [
      "(lanes[local + 1u] + lanes[local + 5u]) + (lanes[local + 3u] + lanes[local + 7u])",
      "(lanes[next + 1u] + lanes[next + 5u]) + (lanes[next + 3u] + lanes[next + 7u])",
    ],
    ["O[col * p.rows + row] =", "O[col * p.rows + next_row] ="],
  ],
};

/** The same without its barrier: a race on workgroup memory. */
export const RACE: Fault = {
  name: "a race on workgroup memory",
  kernel: "Q1_MM",
  replace: [["  workgroupBarrier();\n", ""], ...JOINED_BY_NEIGHBOUR.replace],
};

/** One word is not written. */
export const UNWRITTEN: Fault = {
  name: "one output word not written",
  kernel: "Q1_MM",
  replace: [["if (live && lane == 0u)", "if (live && lane == 0u && !(row == 3u && col == 0u))"]],
};

/** One word past the end is written. */
export const OVERRUN: Fault = {
  name: "one word past the end written",
  kernel: "Q1_DOT",
  replace: [[
    "  if (row >= p.rows) {\n",
    "  if (row == 0u) {\n    O[p.rows] = 1u;\n  }\n  if (row >= p.rows) {\n",
  ]],
};

/** Every workgroup stirs the same word, unguarded: their order decides what comes out. */
export const MOVING: Fault = {
  name: "a result that moves between repetitions",
  kernel: "Q1_MM",
  replace: [[
    "  if (live && lane == 0u) {\n",
    "  for (var i = 0u; i < 1000u; i++) {\n    O[0] = O[0] * 1664525u + id.x;\n  }\n" +
    "  if (live && lane == 0u && row > 0u) {\n",
  ]],
};

/** A race needs threads that meet, and on a busy machine they may miss each other for a while. */
export const RACE_ATTEMPTS = 20;

export const SYNTAX_ERROR: Fault = {
  name: "a WGSL syntax error",
  kernel: "Q1_MM",
  replace: [["let row = id.x / 8u;", "let row = = id.x / 8u;"]],
};

/** Endless but on Mesa 22.3.6, which stops loops after 65,535 rounds. */
export const ENDLESS: Fault = {
  name: "an endless loop",
  kernel: "Q1_MM",
  replace: [[
    "  workgroupBarrier();\n",
    "  while (p.zero == 0u) {\n    lanes[local] += 1.0;\n  }\n  workgroupBarrier();\n",
  ]],
};

/** Faults that are wrong on every adapter. */
export const FAULTS: readonly Fault[] = [
  {
    name: "a multiply and an add in place of the built fma",
    kernel: "Q1_DOT",
    replace: [[
      "acc[lane] = fma_exact(weight_scale, ab[lane], acc[lane])",
      "acc[lane] = hide(weight_scale * ab[lane]) + acc[lane]",
    ]],
  },
  {
    name: "-(-128) taken as +128",
    kernel: "Q1_MM",
    replace: [["let negated = (-q << 24u) >> 24u;", "let negated = -q;"]],
  },
  {
    name: "the last partial tile of columns dropped",
    kernel: "Q1_MM4",
    replace: [[
      "let tile_cols = min(4u, p.cols - min(p.cols, first_col));",
      "let tile_cols = select(0u, 4u, first_col + 4u <= p.cols);",
    ]],
  },
  {
    name: "lanes summed in another order",
    kernel: "Q1_MM",
    replace: [[
      "let even = (lanes[local] + lanes[local + 4u]) + (lanes[local + 2u] + lanes[local + 6u]);",
      "let even = (lanes[local] + lanes[local + 2u]) + (lanes[local + 4u] + lanes[local + 6u]);",
    ]],
  },
  {
    name: "rounding to odd left out of the built fma",
    kernel: "Q1_MM4",
    replace: [["(lost & 0x7fffffffu) != 0u && ", "lost == 1u && "]],
  },
  {
    name: "subnormal scales read as zero",
    kernel: "Q1_DOT",
    replace: [["magnitude = bitcast<u32>(f32(mantissa) * 0x1p-24f);", "magnitude = 0u;"]],
  },
  {
    name: "the last block of a row left out",
    kernel: "Q1_MM4",
    replace: [["block < p.nb; block++", "block < max(p.nb, 2u) - 1u; block++"]],
  },
];
