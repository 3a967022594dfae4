/**
 * What `samebits cases` does.
 *
 * @module
 */
import { EXIT, type ExitCode, Failure } from "../exit_codes.ts";
import { acceptGoldens } from "../goldens/accept.ts";
import { changeOf } from "../goldens/changes.ts";
import { changeLines } from "../goldens/describe.ts";
import type { FreshGolden } from "../goldens/fresh.ts";
import { setupOf } from "../goldens/modules.ts";
import { GoldenStore, isProblem } from "../goldens/store.ts";
import { fileSha256, type Model, openModel, type Tensor } from "../models/model.ts";
import { familyOf, modelCase } from "../models/model_cases.ts";
import { parseRowRanges } from "../models/row_ranges.ts";
import { thousands } from "../report/numbers.ts";
import { refuseInCi } from "./ci.ts";
import { make } from "./make.ts";
import { folderUrl } from "./paths.ts";

/** The command's options. */
export interface CasesOptions {
  readonly model: string;
  readonly tensor?: string;
  readonly rows?: string;
  readonly cols: number;
  readonly seed: number;
  readonly reason?: string;
  readonly golden?: string;
}

/** Lists a file's tensors, or makes cases of one. */
export async function cases(options: CasesOptions): Promise<ExitCode> {
  if ((options.tensor === undefined) !== (options.rows === undefined)) {
    throw new Failure(
      EXIT.usage,
      "Cannot make cases: --tensor and --rows belong together. Without both, the tensors are listed.",
    );
  }
  const model = await openModel(options.model);
  return options.tensor === undefined ? list(model) : await makeCases(model, options);
}

function list(model: Model): ExitCode {
  const { name, architecture, license } = model.about;
  const about = [name, architecture, license].filter((text) => text !== undefined).join(", ");
  console.log(
    `${model.file}: ${thousands(model.bytes)} bytes, ${model.tensors.length} tensors` +
      `${about && ` (${about})`}`,
  );
  const tensors = model.tensors.filter(({ layout }) => layout);
  if (tensors.length === 0) {
    throw new Failure(
      EXIT.nothing,
      `Nothing to list: none of its tensors is Q1_0 or Q2_0. It has ` +
        `${[...new Set(model.tensors.map(({ type }) => type))].join(", ") || "no tensors"}.`,
    );
  }
  const width = Math.max(...tensors.map((tensor) => tensor.name.length));
  for (const { name, type, layout, rows, n } of tensors) {
    const shape = `${thousands(rows)} × ${thousands(n)}`;
    console.log(
      `  ${name.padEnd(width)}  ${type}, group ${String(layout!.elements).padEnd(3)}  ${shape}`,
    );
  }
  return EXIT.passed;
}

async function makeCases(model: Model, options: CasesOptions): Promise<ExitCode> {
  refuseInCi();
  const tensor = tensorOf(model, options.tensor!);
  const family = familyOf(tensor);
  const ranges = parseRowRanges(options.rows!, tensor.rows);
  const { cols, seed } = options;
  const modelSha256 = fileSha256(model.path);
  const wanted = ranges.map((range) =>
    modelCase(model, tensor, range, { cols, seed, modelSha256 })
  );
  const { goldens } = await make(wanted, setupOf());

  const store = new GoldenStore(options.golden ? folderUrl(options.golden) : undefined);
  const changes = goldens.map((fresh) => changeOf(fresh, store))
    .filter((change) => change !== undefined);
  const changed = changes.filter(({ kind }) => kind === "changed");
  if (changed.length > 0) {
    console.log(changeLines(family, changed, []).join("\n"));
    console.log("\nNothing was written. First bring these goldens up to date: deno task golden");
    return EXIT.differs;
  }
  const isWanted = ({ subject }: FreshGolden) =>
    changes.some(({ fresh }) => fresh.subject === subject) || isProblem(store.readInput(subject));
  const fresh = goldens.filter(isWanted);
  for (const { subject, input } of goldens) {
    const state = fresh.some((one) => one.subject === subject) ? "stored" : "was there";
    console.log(`${state.padEnd(9)}  ${subject.address}  (${thousands(input!.length)} bytes)`);
  }
  if (fresh.length === 0) return EXIT.passed;
  const reason = options.reason ?? `Rows ${options.rows} of ${tensor.name} of ${model.file}`;
  acceptGoldens(store, family, { fresh, removed: new Set(), reason });
  return EXIT.passed;
}

function tensorOf({ file, tensors }: Model, name: string): Tensor {
  const found = tensors.find((tensor) => tensor.name === name);
  if (found) return found;
  throw new Failure(
    EXIT.nothing,
    `Cannot find tensor "${name}" in ${file}. List its tensors: deno task cases --model ${file}`,
  );
}
