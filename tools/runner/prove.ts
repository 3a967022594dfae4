/**
 * What a page asks before it uses a visitor's GPU: may it do the work?
 *
 * @module
 */
import { type Case, quickCases } from "../../cases/mod.ts";
import type { Kernel } from "../../kernels/kernel.ts";
import { KERNELS, workgroupFor } from "../../kernels/mod.ts";
import { openDevice } from "./adapter.ts";
import { DeviceExecutor, type GoldenSource } from "./device_executor.ts";
import { planChecks } from "./plan.ts";
import { runChecks } from "./schedule.ts";
import { type Counts, countVerdicts, failuresOf, type Result } from "./verdict.ts";

/** What is to be proved, and against what. */
export interface ProveOptions {
  /** Default: all. */
  readonly kernels?: readonly Kernel[];
  /** Default: {@linkcode quickCases}. */
  readonly cases?: readonly Case[];
  /** Workgroup sizes to prove; default: the engine's choice for this adapter. */
  readonly workgroups?: readonly number[];
  /** Where the right words come from; default: the reference computes them here and now. */
  readonly golden?: GoldenSource;
  /** Times that each check is run; all must give the same bits. Default 1. */
  readonly repeats?: number;
}

/** What is known of one kernel at one workgroup size. */
export interface KernelProof {
  /** Its name. */
  readonly kernel: string;
  /** The size proved. */
  readonly workgroup: number;
  /** At least one check passed, and none failed. */
  readonly proven: boolean;
  /** It needs a rule that this GPU's arithmetic does not keep, so that no check was run. */
  readonly ruledOut: boolean;
  /** Its checks by verdict. */
  readonly counts: Counts;
  /** Checks that failed; a mismatch names its rows. */
  readonly failures: readonly Result[];
  /** Checks that this device does not support: shapes that the kernel must not be given here. */
  readonly unsupported: readonly Result[];
}

/** What is known of a GPU. */
export interface Proof {
  /**
   * Every kernel is proven, but those that this GPU's arithmetic rules out: it may do the work with
   * the proven ones.
   */
  readonly proven: boolean;
  /** Each kernel at each workgroup size. */
  readonly kernels: readonly KernelProof[];
}

/**
 * Runs kernels on a GPU and holds every output against the reference's bits.
 *
 * @param target an adapter, of which a device with all its limits is opened, or a device of yours,
 * whose limits decide what is supported; it is left open
 */
export async function prove(
  target: GPUAdapter | GPUDevice,
  options: ProveOptions = {},
): Promise<Proof> {
  const kernels = options.kernels ?? KERNELS;
  const { open, info } = opener(target);
  const executor = new DeviceExecutor({
    open,
    kernels,
    golden: options.golden ?? computeGolden,
    repeats: options.repeats ?? 1,
  });
  const cases = options.cases ?? quickCases();
  const checks = planChecks(kernels, cases, options.workgroups ?? [workgroupFor(info)]);
  const results = await Array.fromAsync(runChecks(executor, checks, options.repeats));
  const groups = Map.groupBy(results, ({ check }) => `${check.kernel} ${check.workgroup}`);
  const needy = new Set(kernels.filter(({ needs }) => needs).map(({ name }) => name));
  const proofs = [...groups.values()].map((group) => proofOf(group, needy));
  const rest = proofs.filter(({ ruledOut }) => !ruledOut);
  return { proven: rest.length > 0 && rest.every(({ proven }) => proven), kernels: proofs };
}

/** The golden of a case by the reference: no files, but the CPU's time. */
export function computeGolden({ family, parsed }: Case): Promise<Uint32Array> {
  return Promise.resolve(family.reference(family.input(parsed)));
}

function opener(target: GPUAdapter | GPUDevice) {
  if ("requestDevice" in target) return { open: () => openDevice(target), info: target.info };
  return { open: () => Promise.resolve(target), info: target.adapterInfo };
}

function proofOf(results: readonly Result[], needy: ReadonlySet<string>): KernelProof {
  const { kernel, workgroup } = results[0]!.check;
  const counts = countVerdicts(results);
  const failures = failuresOf(results);
  return {
    kernel,
    workgroup,
    proven: counts.pass > 0 && failures.length === 0,
    ruledOut: needy.has(kernel) && counts.unsupported === results.length,
    counts,
    failures,
    unsupported: results.filter(({ verdict }) => verdict.kind === "unsupported"),
  };
}
