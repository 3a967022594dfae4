/**
 * `samebits explain`: evidence read where the card is not.
 *
 * @module
 */
import { Command } from "cli";
import { caseAt } from "../../cases/mod.ts";
import { diagnose } from "../diagnose/diagnose.ts";
import { parseEvidence, sceneOf } from "../diagnose/evidence.ts";
import { EXIT, type ExitCode, Failure } from "../exit_codes.ts";
import { GoldenStore } from "../goldens/store.ts";
import { diagnosisLines } from "../report/diagnosis.ts";
import { folderUrl } from "./paths.ts";

interface Options {
  readonly golden?: string;
}

export function explainCommand(): Command {
  return new Command("explain")
    .description("Diagnose a failing check from the evidence that gate --evidence left.")
    .argument("<file>", "the evidence")
    .option("--golden <folder>", "the folder of goldens; default: the project's own")
    .addHelpText(
      "after",
      "\nExit codes: 0 explained, 1 this machine comes to another conclusion than the one in the " +
        "file, 2 no evidence\nin the file, 4 the case's golden or input is another one here.",
    )
    .action(async (file: string, options: Options) => {
      Deno.exitCode = await explain(file, options);
    });
}

async function explain(file: string, options: Options): Promise<ExitCode> {
  const evidence = parseEvidence(readText(file), file);
  const { check, adapter, key, diagnosis: before } = evidence;
  const goldens = new GoldenStore(options.golden ? folderUrl(options.golden) : undefined);
  const subject = caseAt(check.address);
  const stored = goldens.golden(subject);
  if (!(stored instanceof Uint32Array)) {
    throw new Failure(EXIT.goldens, `Cannot explain ${check.address}: its golden holds no bits.`);
  }
  const input = subject.family.input(subject.parsed, goldens.storedInput(subject));
  const scene = await sceneOf(evidence, subject, input, subject.family.expand(stored, input));
  const diagnosis = diagnose(scene);
  console.log(`WHY  ${check.kernel}, workgroup ${check.workgroup}: ${check.address}`);
  console.log(`  on       ${adapter}${key === undefined ? "" : ` (${key})`}`);
  for (const line of diagnosisLines(diagnosis)) console.log(`  ${line}`);
  const isSame = diagnosis.cause === before.cause && diagnosis.blame === before.blame &&
    JSON.stringify(diagnosis.departure) === JSON.stringify(before.departure);
  if (isSame) return EXIT.passed;
  console.log("  There the conclusion was another one:");
  for (const line of diagnosisLines(before)) console.log(`    ${line}`);
  return EXIT.differs;
}

function readText(file: string): string {
  try {
    return Deno.readTextFileSync(file);
  } catch (error) {
    throw new Failure(EXIT.usage, `Cannot read evidence ${file}: ${(error as Error).message}`);
  }
}
