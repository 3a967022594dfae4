/**
 * What an adapter says of itself.
 *
 * @module
 */
import { openWithFeatures } from "./features.ts";

/** An adapter in plain data, for reports and for choosing what can run on it. */
export interface AdapterDescription {
  /** A name, or a PCI id in decimal. */
  readonly vendor: string;
  /** Empty in Deno. */
  readonly architecture: string;
  /** A name, or a PCI id in decimal. */
  readonly device: string;
  /** The name that the driver gives. */
  readonly description: string;
  /** It computes on the CPU. */
  readonly software: boolean;
  /** Invocations in the smallest subgroup. */
  readonly subgroupMinSize?: number;
  /** Invocations in the largest subgroup. */
  readonly subgroupMaxSize?: number;
  /** What it offers beyond the core of WebGPU. */
  readonly features: readonly string[];
  /** By their names in WebGPU. */
  readonly limits: Readonly<Record<string, number>>;
}

// Mesa's two rasterizers, Google's, and Microsoft's, by the names that they give themselves.
const SOFTWARE = /llvmpipe|softpipe|swiftshader|microsoft basic render/i;

/** Reads all that an adapter says of itself. */
export function describeAdapter({ info, features, limits }: GPUAdapter): AdapterDescription {
  const { vendor, architecture, device, description, subgroupMinSize, subgroupMaxSize } = info;
  return {
    vendor,
    architecture,
    device,
    description,
    software: info.isFallbackAdapter || SOFTWARE.test(`${description} ${device}`),
    ...(subgroupMinSize !== undefined && { subgroupMinSize }),
    ...(subgroupMaxSize !== undefined && { subgroupMaxSize }),
    features: [...features as Iterable<string>].sort(),
    limits: limitsOf(limits),
  };
}

/** The limits as a plain object: they are getters of a prototype. */
function limitsOf(limits: GPUSupportedLimits): Record<string, number> {
  const plain: Record<string, number> = {};
  // deno-lint-ignore guard-for-in -- the getters are inherited, and are what is wanted
  for (const name in limits) {
    const value = limits[name as keyof GPUSupportedLimits];
    if (typeof value === "number") plain[name] = value;
  }
  return plain;
}

/** The name that a person knows the adapter by. */
export function adapterName(adapter: AdapterDescription): string {
  return adapter.description || adapter.device || `${adapter.vendor} ${adapter.architecture}`;
}

/** Opens a device with all that the adapter offers. */
export function openDevice(adapter: GPUAdapter): Promise<GPUDevice> {
  return openWithFeatures(adapter, {
    requiredLimits: limitsOf(adapter.limits),
    requiredFeatures: [...adapter.features] as GPUFeatureName[],
  });
}

/** Is the adapter what is asked for: `hardware`, or a text in its name, in any case? */
export function answersTo(adapter: AdapterDescription, asked: string): boolean {
  if (asked === "hardware") return !adapter.software;
  return adapterName(adapter).toLowerCase().includes(asked.toLowerCase());
}
