/**
 * The workgroup size for an adapter: the engine's rule.
 *
 * @module
 */

/** What of `GPUAdapterInfo` the rule looks at. */
export interface WorkgroupHints {
  /** A name ("nvidia") or a PCI id in decimal ("4318"). */
  readonly vendor: string;
  /** Invocations in the largest subgroup. */
  readonly subgroupMaxSize?: number | undefined;
}

const BY_VENDOR: Readonly<Record<string, number>> = {
  nvidia: 32,
  "4318": 32,
  amd: 64,
  "4098": 64,
};
const DEFAULT = 64;

/**
 * Invocations in a workgroup: 32 for NVIDIA, 64 for AMD, else the largest subgroup size rounded up
 * to a multiple of 8 where it is 8 to 128, else 64.
 */
export function workgroupFor(info: WorkgroupHints): number {
  const vendor = info.vendor.toLowerCase();
  if (Object.hasOwn(BY_VENDOR, vendor)) return BY_VENDOR[vendor]!;
  const subgroup = info.subgroupMaxSize ?? 0;
  return subgroup >= 8 && subgroup <= 128 ? Math.ceil(subgroup / 8) * 8 : DEFAULT;
}
