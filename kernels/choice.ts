/**
 * Which kernel does the work: by the shape of the product and what the adapter can do. The limits of
 * shapes are measured on an NVIDIA H200; other cards may want others.
 *
 * @module
 */
import type { Kernel } from "./kernel.ts";
import { KERNELS } from "./mod.ts";
import { workgroupFor, type WorkgroupHints } from "./workgroup.ts";

/** What of an adapter the choice looks at. */
export interface Abilities {
  /** Is it a processor? */
  readonly software: boolean;
  /** Name and vendor: see {@linkcode workgroupFor}. */
  readonly info: WorkgroupHints;
  /** The rules that it was seen to keep; a kernel that needs one that is not among them is passed over. */
  readonly rules: Readonly<Record<string, unknown>>;
  /** Its limits, or those of the device. */
  readonly limits: Pick<
    GPUSupportedLimits,
    "maxComputeInvocationsPerWorkgroup" | "maxComputeWorkgroupStorageSize"
  >;
  /** Those of the device, which may have more than its adapter lists. Default: none. */
  readonly features?: { has(feature: string): boolean };
  /** Names of the kernels that were proved here: only they are chosen. Default: any is. */
  readonly proven?: readonly string[];
}

/** The shape of an output. */
export interface OutputShape {
  /** Words in a column. */
  readonly rows: number;
  /** Columns. */
  readonly cols: number;
}

/** A line of the table. */
export interface Choice {
  /** Default: both. */
  readonly on?: "software" | "hardware";
  /** Words of the output, at most. Default: any number. */
  readonly mostWords?: number;
  /** Columns, at least. Default: 1. */
  readonly leastCols?: number;
  /** Columns, at most. Default: any number. */
  readonly mostCols?: number;
  /** By name, the best first. */
  readonly kernels: readonly string[];
}

/** By family; the first line that fits and has a kernel that the adapter can run decides. */
export const CHOICES: Readonly<Record<string, readonly Choice[]>> = {
  q1_0_matmul: [
    { on: "software", kernels: ["Q1_ROWS"] },
    { on: "hardware", mostWords: 2 ** 15, kernels: ["Q1_SPLIT_FUSED", "Q1_SPLIT"] },
    { on: "hardware", mostWords: 200_000, kernels: ["Q1_WHOLE_FUSED", "Q1_WHOLE"] },
    { on: "hardware", leastCols: 4, kernels: ["Q1_TILE_FUSED", "Q1_TILE"] },
    { on: "hardware", kernels: ["Q1_WHOLE_FUSED", "Q1_WHOLE", "Q1_TILE_FUSED", "Q1_TILE"] },
    // Those of the engine need no rule and little workgroup memory.
    { on: "hardware", mostCols: 1, kernels: ["Q1_MM"] },
    { on: "hardware", kernels: ["Q1_MM4"] },
  ],
  q2_0_matmul: [
    { on: "software", kernels: ["Q2_ROWS"] },
    { on: "hardware", mostWords: 2 ** 15, kernels: ["Q2_SPLIT_FUSED", "Q2_SPLIT"] },
    { on: "hardware", mostWords: 2 ** 17, kernels: ["Q2_WHOLE_FUSED", "Q2_WHOLE"] },
    { on: "hardware", leastCols: 4, kernels: ["Q2_TILE_FUSED", "Q2_TILE"] },
    { on: "hardware", kernels: ["Q2_WHOLE_FUSED", "Q2_WHOLE"] },
    // These need no rule.
    { on: "hardware", mostWords: 2 ** 16, kernels: ["Q2_LANES"] },
    { on: "hardware", kernels: ["Q2_DOT"] },
  ],
  q1_projection: [
    { on: "hardware", mostWords: 2 ** 17, kernels: ["Q1_PROJECT_SUBGROUP", "Q1_PROJECT"] },
    { on: "hardware", leastCols: 4, kernels: ["Q1_LUT4"] },
    { kernels: ["Q1_PROJECT"] },
  ],
};

/**
 * The kernel for a shape, and the workgroup size that it is run at. Whether its buffers fit the
 * device's limits is not looked at: the weights would be too large for any other kernel as well.
 *
 * @throws {RangeError} where the table has no kernel that the adapter can run
 */
export function chooseKernel(
  family: string,
  { rows, cols }: OutputShape,
  abilities: Abilities,
): { readonly kernel: Kernel; readonly workgroup: number } {
  const here = abilities.software ? "software" : "hardware";
  for (const choice of choicesOf(family)) {
    if (!fits(choice, here, { rows, cols })) continue;
    for (const name of choice.kernels) {
      const kernel = KERNELS.find((one) => one.name === name)!;
      const workgroup = workgroupOf(kernel, abilities.info);
      if (canRun(kernel, workgroup, abilities)) return { kernel, workgroup };
    }
  }
  throw new RangeError(
    `Cannot choose a kernel of ${family} for ${rows} rows and ${cols} columns: none that the table ` +
      "names keeps to this adapter's rules and limits. Do this product on the processor.",
  );
}

function fits(
  { on, mostWords = Infinity, leastCols = 1, mostCols = Infinity }: Choice,
  here: Choice["on"],
  { rows, cols }: OutputShape,
): boolean {
  return (on ?? here) === here && rows * cols <= mostWords && leastCols <= cols && cols <= mostCols;
}

function choicesOf(family: string): readonly Choice[] {
  if (Object.hasOwn(CHOICES, family)) return CHOICES[family]!;
  throw new RangeError(
    `Cannot choose a kernel of ${family}: the table has ${Object.keys(CHOICES).join(", ")}.`,
  );
}

/** The size at which a kernel is run on an adapter. */
export function workgroupOf({ workgroup }: Kernel, info: WorkgroupHints): number {
  return workgroup.kind === "fixed" ? workgroup.size : workgroupFor(info);
}

function canRun(
  kernel: Kernel,
  workgroup: number,
  { rules, limits, features, proven }: Abilities,
): boolean {
  return (!proven || proven.includes(kernel.name)) &&
    (kernel.needs ?? []).every(({ rule, answer }) => rules[rule] === answer) &&
    (kernel.features ?? []).every((feature) => features?.has(feature)) &&
    workgroup <= limits.maxComputeInvocationsPerWorkgroup &&
    kernel.workgroupBytes(workgroup) <= limits.maxComputeWorkgroupStorageSize;
}
