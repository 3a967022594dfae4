/**
 * From checks to verdicts, on any device.
 *
 * @module
 */
export { type AdapterDescription, adapterName, describeAdapter, openDevice } from "./adapter.ts";
export type { Beside } from "./beside.ts";
export type { Output } from "./compare.ts";
export {
  DeviceExecutor,
  type DeviceExecutorOptions,
  type GoldenSource,
} from "./device_executor.ts";
export type { Executor, Outcome } from "./executor.ts";
export { planBatches, planChecks } from "./plan.ts";
export { computeGolden, type KernelProof, type Proof, prove, type ProveOptions } from "./prove.ts";
export { runChecks } from "./schedule.ts";
export type { StripDigests } from "./strips.ts";
export {
  type Check,
  type ComparedWord,
  type Counts,
  countVerdicts,
  type Differences,
  failuresOf,
  type Mismatch,
  type Result,
  type Strip,
  type TextPlace,
  type Verdict,
} from "./verdict.ts";
