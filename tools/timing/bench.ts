/**
 * Kernels on one device: proved first, then timed.
 *
 * @module
 */
import { caseAt } from "../../cases/mod.ts";
import type { Kernel } from "../../kernels/kernel.ts";
import { KERNELS } from "../../kernels/mod.ts";
import type { GoldenStore } from "../goldens/store.ts";
import { DeviceExecutor } from "../runner/device_executor.ts";
import { computeGolden } from "../runner/prove.ts";
import { runChecks } from "../runner/schedule.ts";
import type { Check, Verdict } from "../runner/verdict.ts";
import type { Clock } from "./clock.ts";
import type { Measurement, Measuring, Target } from "./protocol.ts";
import { riseToFullSpeed } from "./rise.ts";
import { sample } from "./sampling.ts";
import { type Ready, setStage } from "./stage.ts";
import { sameCount, type Warm, warmUp } from "./warm_up.ts";

/** The part of a measuring that is warm-up, as far as a bar is concerned. */
const WARM_PART = 0.2;

export interface BenchOptions {
  readonly device: GPUDevice;
  readonly clock: Clock;
  readonly goldens: GoldenStore;
  readonly software: boolean;
  readonly progress: (done: number) => void;
}

export class Bench {
  readonly #options: BenchOptions;
  readonly #proved = new Map<string, { target: Target; kernel: Kernel }>();
  readonly #inputs = new Map<string, unknown>();

  constructor(options: BenchOptions) {
    this.#options = options;
  }

  /** The verdict of each target, in order. Those that pass can be timed from now on. */
  async prove(targets: readonly Target[]): Promise<Verdict[]> {
    const { device, goldens, progress } = this.#options;
    const kernels = new Map(targets.map((target) => [nameOf(target), kernelOf(target)]));
    const listed = new Set(goldens.cases().map(({ address }) => address));
    const executor = new DeviceExecutor({
      open: () => Promise.resolve(device),
      kernels: [...kernels.values()],
      golden: (subject) =>
        listed.has(subject.address)
          ? Promise.resolve(goldens.golden(subject))
          : computeGolden(subject),
      storedInput: (subject) => Promise.resolve(goldens.storedInput(subject)),
    });
    const checks = targets.map((target): Check => {
      const { address, workgroup } = target;
      return { kernel: nameOf(target), address, workgroup };
    });
    const verdicts = new Map<Check, Verdict>();
    for await (const { check, verdict } of runChecks(executor, checks)) {
      verdicts.set(check, verdict);
      progress(verdicts.size / checks.length);
    }
    return targets.map((target, i) => {
      const verdict = verdicts.get(checks[i]!)!;
      const kernel = kernels.get(nameOf(target))!;
      if (verdict.kind === "pass") this.#proved.set(target.id, { target, kernel });
      return verdict;
    });
  }

  /** Times targets that were proved. */
  async measure(ids: readonly string[], measuring: Measuring): Promise<Measurement> {
    const { device, clock, software, progress } = this.#options;
    const { seconds, seed, thorough, ...rounds } = measuring;
    const stage = await setStage(device, ids.map((id) => this.#provedTarget(id)), software);
    if (thorough && !software) await riseToFullSpeed(device);
    const floorNs = await clock.floor(stage.empty);
    const warm: Warm[] = [];
    const all = [stage.read, stage.arithmetic, ...stage.works.map(({ work }) => work)];
    for (const work of all) {
      warm.push(await warmUp(clock, work, floorNs, thorough));
      progress(WARM_PART * warm.length / all.length);
    }
    const [read, arithmetic, ...each] = warm as [Warm, Warm, ...Warm[]];
    const targets = measuring.together ? sameCount(each) : each;
    const budget = { ns: seconds * 1e9, ...rounds };
    const samples = await sample(
      clock,
      targets,
      { read, arithmetic, floorNs },
      budget,
      seed,
      (done) => progress(WARM_PART + (1 - WARM_PART) * done),
    );
    stage.release();
    return {
      clock: clock.kind,
      floorNs,
      readBytes: stage.readBytes,
      targets: stage.works.map(({ id, bytes }, i) => ({
        id,
        bytes,
        repeats: targets[i]!.count,
        samples: samples[i]!,
      })),
    };
  }

  #provedTarget(id: string): Ready {
    const found = this.#proved.get(id);
    if (!found) throw new Error(`target ${id} was not proved`);
    const { target: { address, workgroup }, kernel } = found;
    return { id, kernel, workgroup, dispatches: kernel.prepare(this.#input(address), workgroup) };
  }

  /** Each case's input once, so that kernels share its packing. */
  #input(address: string): unknown {
    if (!this.#inputs.has(address)) {
      const subject = caseAt(address);
      const stored = this.#options.goldens.storedInput(subject);
      this.#inputs.set(address, subject.family.input(subject.parsed, stored));
    }
    return this.#inputs.get(address);
  }
}

/** The name of the target's text among all texts of the run. */
function nameOf({ kernel, variant }: Target): string {
  return variant ? `${kernel} (${variant.name})` : kernel;
}

function kernelOf(target: Target): Kernel {
  const kernel = KERNELS.find(({ name }) => name === target.kernel)!;
  const { variant } = target;
  if (!variant) return kernel;
  return { ...kernel, file: variant.file, text: variant.text, name: nameOf(target) };
}
