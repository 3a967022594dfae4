/**
 * Diagnosing failing checks, and leaving evidence of them.
 *
 * @module
 */
import { join } from "node:path";
import { caseAt } from "../../cases/mod.ts";
import type { Kernel } from "../../kernels/kernel.ts";
import { KERNELS } from "../../kernels/mod.ts";
import type { ChosenAdapter } from "../adapters/choose.ts";
import { secondAdapter } from "../adapters/second.ts";
import { consensusOf } from "../diagnose/consensus.ts";
import { type Diagnosis, placeOf } from "../diagnose/diagnose.ts";
import { evidenceOf } from "../diagnose/evidence.ts";
import { type Look, whyItDiffers } from "../diagnose/look.ts";
import { EXIT, Failure } from "../exit_codes.ts";
import type { GoldenStore } from "../goldens/store.ts";
import type { TextOverride } from "../isolation/protocol.ts";
import type { Profile } from "../profile/profile.ts";
import { consensusLines, diagnosisLines } from "../report/diagnosis.ts";
import type { RecordedDiagnosis } from "../report/record.ts";
import { adapterName } from "../runner/adapter.ts";
import type { Check, Result } from "../runner/verdict.ts";
import { errorLines, errorsToLookInto } from "./evidence_errors.ts";

/** Failing checks that are looked into; each takes up to two seconds. */
const MOST = 10;
/** Weight products that a diagnosis holds all words against within two seconds. */
const CHEAP = 3e6;

export interface EvidenceWork {
  readonly chosen: ChosenAdapter;
  readonly profile: Profile | undefined;
  readonly goldens: GoldenStore;
  readonly goldenFolder: string;
  readonly texts: readonly TextOverride[];
  readonly limit: number;
  /** The second adapter wished for: see {@linkcode secondAdapter}. */
  readonly second: string | undefined;
}

/**
 * Diagnoses the most telling failing checks of each kernel, and writes a file for each output.
 *
 * @returns the diagnoses, for the run's record
 */
export async function leaveEvidence(
  work: EvidenceWork,
  failures: readonly Result[],
  folder: string,
): Promise<RecordedDiagnosis[]> {
  const { chosen } = work;
  const differing = mostTelling(failures.filter(({ verdict }) => verdict.kind === "differ"));
  const errors = errorsToLookInto(failures);
  makeFolder(folder);
  let second: ChosenAdapter | undefined;
  const recorded: RecordedDiagnosis[] = [];
  try {
    second = await openSecond(work);
    const found = new Map<string, Diagnosis[]>();
    for (const { check } of differing) {
      const look = await leave(work, check, second, folder);
      if (look?.scene.second?.failure !== undefined) {
        // What hangs there once would do so again, for --limit seconds each time.
        second?.executor.close();
        second = undefined;
      }
      const diagnosis = look?.diagnosis;
      if (!diagnosis) continue;
      recorded.push(recordedOf(check, diagnosis));
      found.set(check.kernel, [...found.get(check.kernel) ?? [], diagnosis]);
    }
    for (const error of errors) console.log((await errorLines(error, second)).join("\n"));
    for (const [kernel, diagnoses] of found) {
      for (const line of consensusLines(kernel, consensusOf(diagnoses))) console.log(line);
    }
  } finally {
    chosen.executor.close();
    second?.executor.close();
  }
  const left = failures.length - differing.length - errors.length;
  if (left > 0) console.log(`${left} more failing checks were not looked into.\n`);
  return recorded;
}

function recordedOf(check: Check, diagnosis: Diagnosis): RecordedDiagnosis {
  const { blame, cause, isComplete } = diagnosis;
  const place = placeOf(diagnosis);
  const lines = diagnosisLines(diagnosis);
  return { check, blame, cause, isComplete, lines, ...(place && { place }) };
}

/** One that was wished for and is not there takes nothing from what the gate has found. */
async function openSecond(work: EvidenceWork): Promise<ChosenAdapter | undefined> {
  try {
    return await secondAdapter(work, work.second);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(error.message);
    return undefined;
  }
}

async function leave(
  work: EvidenceWork,
  check: Check,
  second: ChosenAdapter | undefined,
  folder: string,
): Promise<Look | undefined> {
  const { chosen, profile, goldens, texts } = work;
  const { family, parsed, address } = caseAt(check.address);
  const golden = goldens.golden(caseAt(address));
  console.log(`WHY  ${check.kernel}, workgroup ${check.workgroup}: ${address}`);
  const kernel = kernelOf(check, texts);
  const input = family.input(parsed, goldens.storedInput(caseAt(address)));
  const look = golden instanceof Uint32Array
    ? await whyItDiffers(chosen.executor, check, {
      kernel,
      input,
      golden: family.expand(golden, input),
      ...(second && {
        second: { adapter: adapterName(second.adapter), laboratory: second.executor },
      }),
      ...(profile && { rules: profile.rules }),
    })
    : "its golden holds digests, not bits";
  if (typeof look === "string") {
    console.log(`  cannot be looked into: ${look}\n`);
    return undefined;
  }
  const { scene, diagnosis } = look;
  for (const line of diagnosisLines(diagnosis)) console.log(`  ${line}`);
  const head = {
    check,
    adapter: adapterName(chosen.adapter),
    ...(profile && { key: profile.key, rules: profile.rules }),
  };
  const evidence = await evidenceOf(head, scene, kernel.text, diagnosis);
  const file = join(folder, fileOf(check));
  try {
    Deno.writeTextFileSync(file, `${JSON.stringify(evidence, undefined, 1)}\n`);
  } catch (error) {
    throw new Failure(EXIT.usage, `Cannot write evidence ${file}: ${(error as Error).message}`);
  }
  console.log(`  elsewhere: deno task explain '${file}'\n`);
  return look;
}

/** The kernel with the text that ran. */
function kernelOf(check: Check, texts: readonly TextOverride[]): Kernel {
  const kernel = KERNELS.find(({ name }) => name === check.kernel)!;
  const other = texts.find((one) => one.kernel === check.kernel);
  return other ? { ...kernel, text: other.text, file: other.file } : kernel;
}

/** Of each kernel the checks that say the most: many differing words, at a cost of a second. */
function mostTelling(failures: readonly Result[]): Result[] {
  const worth = ({ check, verdict }: Result) => {
    const { family, parsed } = caseAt(check.address);
    const isCheap = family.cost(parsed) <= CHEAP;
    return (verdict.kind === "differ" ? verdict.mismatch.differing + 1 : 0) * (isCheap ? 1 : 1e-9);
  };
  const kernels = Map.groupBy(failures, ({ check }) => check.kernel);
  const share = Math.max(1, Math.floor(MOST / Math.max(1, kernels.size)));
  return [...kernels.values()].flatMap((list) =>
    spread([...list].sort((a, b) => worth(b) - worth(a))).slice(0, share)
  );
}

/** The first of each group of cases, then the second of each: groups tell different causes apart. */
function spread(list: readonly Result[]): Result[] {
  const groups = Map.groupBy(list, ({ check }) => caseAt(check.address).parsed.group);
  const longest = Math.max(...[...groups.values()].map((group) => group.length));
  return Array.from({ length: longest }, (_, i) => [...groups.values()].map((group) => group[i]))
    .flat().filter((result) => result !== undefined);
}

function makeFolder(folder: string): void {
  try {
    Deno.mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new Failure(
      EXIT.usage,
      `Cannot make the folder of evidence ${folder}: ${(error as Error).message}`,
    );
  }
}

/** A check's file: its names joined, each sign that a file's name should not have as `_`. */
function fileOf({ kernel, address, workgroup }: Check): string {
  return `${kernel}.${workgroup}.${address.replace(/[^A-Za-z0-9=,.]+/g, "_")}.json`;
}
