/**
 * What runs in `watch`'s GPU process: kernels and cases as they are on disk now. A process imports
 * this once, and only when it is first asked, so that one can be started ahead of a change.
 *
 * @module
 */
import { caseAt } from "../../cases/mod.ts";
import type { Case } from "../../cases/mod.ts";
import type { Kernel } from "../../kernels/kernel.ts";
import { KERNELS, workgroupFor } from "../../kernels/mod.ts";
import { selectCases, selectKernels } from "../commands/selection.ts";
import { sha256 } from "../goldens/bits.ts";
import { readOrUndefined } from "../goldens/files.ts";
import { GoldenStore, isProblem } from "../goldens/store.ts";
import { mostTellingFirst } from "../mutants/order.ts";
import { storedRecords } from "../mutants/store.ts";
import type { Rules } from "../profile/measure.ts";
import type { AdapterDescription } from "../runner/adapter.ts";
import { DeviceExecutor } from "../runner/device_executor.ts";
import type { Outcome } from "../runner/executor.ts";
import { planBatches, planChecks, workOf } from "../runner/plan.ts";
import type { Check } from "../runner/verdict.ts";
import type { CaseStates, NextBatch, PlanRequest } from "./protocol.ts";
import { touchedKernels } from "./touched.ts";

const ROOT = new URL("../../", import.meta.url);
/** Checks of the first batch: a verdict soon. To know which notice the most takes 0.1 s. */
const FIRST_CHECKS = 4;
/** Milliseconds of looking at cases after which a save is looked for. */
const MOMENT = 30;

/** The kernels and cases of one state of the disk, on a device. */
export class Loaded {
  readonly #adapter: AdapterDescription;
  /** With the texts of the last plan; the executor sees each change of the list. */
  readonly #kernels: Kernel[] = [...KERNELS];
  readonly #goldens = new GoldenStore();
  readonly #executor: DeviceExecutor;
  #rules: Rules | undefined;
  #batches: Generator<Check[]> | undefined;
  #problems: string[] = [];
  #cases: readonly Case[] = [];
  readonly #states = new Map<string, string>();

  constructor(adapter: AdapterDescription, open: () => Promise<GPUDevice>) {
    this.#adapter = adapter;
    this.#executor = new DeviceExecutor({
      open,
      rules: () => this.#rules,
      kernels: this.#kernels,
      golden: (subject) => Promise.resolve(this.#goldens.golden(subject)),
      storedInput: (subject) => Promise.resolve(this.#goldens.storedInput(subject)),
    });
  }

  /** Chooses what is to run, and tells the kernels that were touched. */
  plan({ globs, kernels: names, changed, states }: PlanRequest): string[] {
    this.#problems = [];
    this.#kernels.forEach((kernel, i) => this.#kernels[i] = withTextOnDisk(kernel));
    const kernels = selectKernels(names, this.#kernels).filter((kernel) => this.#hasText(kernel));
    this.#cases = selectCases(globs, this.#goldens.cases())
      .filter(({ family, parsed, address }) => globs.includes(address) || !family.isLarge(parsed));
    const touchedOfAll = changed ? touchedKernels(this.#kernels, changed, readText) : kernels;
    const touched = kernels.filter((kernel) => touchedOfAll.includes(kernel));
    // No case changes by what kernels are made of.
    const mayCasesChange = changed?.some((path) => !path.startsWith("kernels/")) ?? false;
    const others = mayCasesChange ? kernels.filter((kernel) => !touched.includes(kernel)) : [];
    this.#batches = this.#make(touched, others, states);
    return touched.map(({ name }) => name);
  }

  next(): NextBatch {
    if (!this.#batches) return { kind: "next", forgotten: true, problems: [] };
    const { value, done } = this.#batches.next();
    return { kind: "next", ...(!done && { checks: value }), problems: done ? this.#problems : [] };
  }

  /** The chosen cases as they are now, as many as a moment is enough for. */
  states(): { states: CaseStates; isComplete: boolean } {
    const end = performance.now() + MOMENT;
    const unseen = this.#cases.filter(({ address }) => !this.#states.has(address));
    for (const subject of unseen) {
      this.#stateOf(subject);
      if (performance.now() > end) break;
    }
    const isComplete = unseen.every(({ address }) => this.#states.has(address));
    return { states: Object.fromEntries(this.#states), isComplete };
  }

  run(checks: readonly Check[], rules: Rules | undefined): Promise<Outcome> {
    this.#rules = rules;
    return this.#executor.run(checks);
  }

  /** The touched kernels on every case, then the others on the cases that are not what they were. */
  *#make(
    touched: readonly Kernel[],
    others: readonly Kernel[],
    states: CaseStates,
  ): Generator<Check[]> {
    const workgroups = [workgroupFor(this.#adapter)];
    const planned = planChecks(touched, this.#cases, workgroups);
    const usable = new Map<string, boolean>();
    for (const batch of firstSoon(planned)) {
      yield batch.filter(({ address }) => {
        if (!usable.has(address)) usable.set(address, this.#isUsable(caseAt(address)));
        return usable.get(address);
      });
    }
    if (others.length === 0) return;
    const late: Check[] = [];
    let isFirst = planned.length === 0;
    for (const subject of eachGroupInTurn(this.#cases)) {
      const state = this.#stateOf(subject);
      if (state === states[subject.address] || !this.#isCurrent(subject)) continue;
      const checks = planChecks(others, [subject], workgroups);
      if (isFirst) yield checks;
      else late.push(...checks);
      isFirst = false;
    }
    yield* planBatches(late);
  }

  /** Is there a golden to hold it against? */
  #isUsable(subject: Case): boolean {
    const problem = [this.#goldens.read(subject), this.#goldens.readInput(subject)].find(isProblem);
    if (problem) this.#problems.push(problem.message);
    return problem === undefined;
  }

  /** Is there one, and was it made from this input? */
  #isCurrent(subject: Case): boolean {
    if (!this.#isUsable(subject)) return false;
    const { address, family } = subject;
    const { inputs } = this.#goldens.manifest(family.name).get(address)!;
    if (this.#stateOf(subject).startsWith(inputs)) return true;
    this.#problems.push(
      `Golden "${address}" was made from another input. If the new one is right: ` +
        'deno task golden --accept --reason "…"',
    );
    return false;
  }

  /** Digests of its input and of its golden. */
  #stateOf(subject: Case): string {
    const { address, family, parsed } = subject;
    let state = this.#states.get(address);
    if (state === undefined) {
      const stored = this.#goldens.readInput(subject);
      const input = family.input(parsed, isProblem(stored) ? undefined : stored);
      const digest = sha256(...family.inputBytes(input));
      state = `${digest} ${this.#goldens.manifest(family.name).get(address)?.bits ?? "none"}`;
      this.#states.set(address, state);
    }
    return state;
  }

  #hasText({ file }: Kernel): boolean {
    if (readText(file) !== undefined) return true;
    this.#problems.push(`Cannot read ${file}: it is not there. Its kernel runs again once it is.`);
    return false;
  }
}

/** The kernel with its text as it is now. */
function withTextOnDisk(kernel: Kernel): Kernel {
  const text = readText(kernel.file);
  return text === undefined || text === kernel.text ? kernel : { ...kernel, text };
}

/** A few cheap checks of different groups, then the others: those that notice the most first. */
function* firstSoon(checks: readonly Check[]): Generator<Check[]> {
  const groups = Map.groupBy(
    checks.map((check) => ({ check, work: workOf(check.address) })),
    ({ check }) => check.address.split(":")[0],
  );
  const first = [...groups.values()]
    .map((group) => group.reduce((least, one) => one.work < least.work ? one : least))
    .sort((a, b) => a.work - b.work).slice(0, FIRST_CHECKS)
    .map(({ check }) => check);
  if (first.length > 0) yield first;
  const rest = checks.filter((check) => !first.includes(check));
  yield* planBatches(mostTellingFirst(rest, storedRecords()));
}

/** The cheapest case of each group, then the next of each: a change is of a whole group as a rule. */
function eachGroupInTurn(cases: readonly Case[]): Case[] {
  const cheapestFirst = cases.map((subject) => ({ subject, work: workOf(subject.address) }))
    .sort((a, b) => a.work - b.work).map(({ subject }) => subject);
  const groups = [
    ...Map.groupBy(cheapestFirst, ({ parsed }) => `${parsed.family}/${parsed.group}`).values(),
  ];
  const longest = Math.max(0, ...groups.map((group) => group.length));
  return Array.from({ length: longest }, (_, i) => groups.map((group) => group[i]))
    .flat().filter((subject) => subject !== undefined);
}

function readText(path: string): string | undefined {
  const bytes = readOrUndefined(new URL(path, ROOT));
  return bytes && new TextDecoder().decode(bytes);
}
