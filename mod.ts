/**
 * samebits proves GPU kernels: every kernel must give the CPU reference's exact bits, or the GPU
 * does none of the work.
 *
 * Everything here uses web interfaces only, so that a page can prove its visitor's GPU with the
 * same kernels, cases and comparison as the command line:
 *
 * ```ts
 * import { prove } from "./mod.ts";
 *
 * const adapter = await navigator.gpu?.requestAdapter();
 * const proof = adapter ? await prove(adapter) : undefined;
 * if (!proof?.proven) {
 *   for (const { kernel, failures } of proof?.kernels ?? []) {
 *     for (const { check, verdict } of failures) {
 *       const rows = verdict.kind === "differ" ? verdict.mismatch.rows : [];
 *       console.log(`${kernel} differs on ${check.address}, rows ${rows.join(", ")}`);
 *     }
 *   }
 * }
 * ```
 *
 * What the visitor's GPU did wrong, in words:
 *
 * ```ts
 * import { computeGolden, DeviceExecutor, KERNELS, openDevice, whyItDiffers } from "./mod.ts";
 * import type { Check } from "./mod.ts";
 *
 * async function explain(adapter: GPUAdapter, check: Check): Promise<string> {
 *   const open = () => openDevice(adapter);
 *   const executor = new DeviceExecutor({ open, kernels: KERNELS, golden: computeGolden });
 *   const look = await whyItDiffers(executor, check);
 *   return typeof look === "string" ? look : `${look.diagnosis.blame}: ${look.diagnosis.cause}`;
 * }
 * ```
 *
 * - kernels and their recipes: {@linkcode KERNELS}, {@linkcode workgroupFor},
 *   {@linkcode chooseKernel} for a shape on this adapter,
 *   {@linkcode packBlocks}, {@linkcode packAligned}, {@linkcode packBlockMajor},
 *   {@linkcode packCodes}
 * - cases by address: {@linkcode allCases}, {@linkcode caseAt}
 * - the reference: {@linkcode matmulQ1_0} and the arithmetic under it
 * - the runner: {@linkcode prove}; below it {@linkcode planChecks}, {@linkcode runChecks} and
 *   {@linkcode DeviceExecutor}
 * - why a check fails: {@linkcode whyItDiffers} names the cause, the first step that was wrong and
 *   who is to blame; {@linkcode consensusOf} joins what several checks say
 * - which proven kernel a page's shader module is: {@linkcode watch}
 * - what arithmetic an adapter keeps: {@linkcode measureRules}, {@linkcode profileOf}
 *
 * @module
 */
export * from "./cases/mod.ts";
export * from "./kernels/choice.ts";
export * from "./kernels/mod.ts";
export * from "./reference/mod.ts";
export * from "./tools/diagnose/mod.ts";
export * from "./tools/profile/mod.ts";
export * from "./tools/runner/mod.ts";
export * from "./tools/texts/watch.ts";
