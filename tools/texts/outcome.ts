/**
 * What a run says at its end, and its exit code.
 *
 * @module
 */
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { describeRevisionFinding, type RevisionFinding } from "./against.ts";
import type { Finding, RecordFinding } from "./compare.ts";
import type { Engine } from "./engine.ts";
import type { EngineTexts } from "./extract.ts";
import type { OwnText } from "./own.ts";
import { describeFindings } from "./report.ts";
import type { Twins } from "./twins.ts";

export interface Outcome {
  readonly lines: readonly string[];
  readonly exitCode: ExitCode;
}

const HOW = [
  "A text is changed in the engine first, then copied here: deno task texts --sync --engine PATH",
  "To paste a kernel from here into the engine: deno task texts --emit rust|js KERNEL",
];

const HOW_UNAGREED = [
  "While no engine's commit has been agreed with, a text that was changed here on purpose is",
  'recorded with: deno task texts --record --reason "…"',
];

/** Of a comparison with the recorded hashes, without an engine. */
export function recordOutcome(twins: Twins, findings: readonly RecordFinding[]): Outcome {
  const kernels = Object.values(twins.kernels);
  const commits = new Set(
    kernels.filter(({ places }) => places.length > 0).map(({ agreement }) => agreement.commit),
  );
  if (findings.length > 0) {
    const how = commits.has(null) ? [...HOW, ...HOW_UNAGREED] : HOW;
    return { lines: [describeFindings(findings), "", ...how], exitCode: EXIT.differs };
  }
  const agreed = [...commits].map((commit) =>
    commit === null
      ? "no engine commit has been agreed with yet"
      : `agreed with engine commit ${shortCommit(commit)}`
  );
  const lines = [
    `${kernels.length} shader texts are the recorded ones (${agreed.join("; ")}).`,
    "To compare them with the engine itself: deno task texts --engine PATH",
  ];
  return { lines, exitCode: EXIT.passed };
}

/** Of a comparison with the engine. */
export function comparisonOutcome(
  engine: Engine,
  found: EngineTexts,
  twins: Twins,
  findings: readonly Finding[],
): Outcome {
  const commit = engine.commit ? `commit ${shortCommit(engine.commit)}` : "not a git checkout";
  const places = Object.values(twins.kernels).flatMap((twin) => twin.places);
  const oddities = [...new Set(places.map(({ file }) => file))]
    .filter((file) => found.oddities.has(file))
    .map((file) =>
      `note       ${file} has ${
        found.oddities.get(file)
      }: compilers read its literals without, and ` +
      "so does this comparison"
    );
  const sources = found.files === 1 ? "1 source" : `${found.files} sources`;
  const lines = [
    `Engine ${engine.folder} (${commit}), ${sources}.`,
    "",
    describeFindings(findings),
    ...oddities,
    "",
    countFindings(findings),
  ];
  if (findings.every(({ kind }) => kind === "same" || kind === "own")) {
    return { lines, exitCode: EXIT.passed };
  }
  const present = findings.some(({ kind }) => ["same", "differs", "unknown"].includes(kind));
  const lost = "No twin is at its place: is this the engine's checkout, from its top folder?";
  return { lines: [...lines, ...present ? [] : [lost], ...HOW], exitCode: EXIT.differs };
}

/** Of copying the engine's texts; `changed` are the kernels that have another text now. */
export function syncOutcome(
  engine: Engine,
  changed: readonly OwnText[],
  findings: readonly Finding[],
): Outcome {
  // Copying settles what differs, not what no kernel claims.
  const left = findings.filter(({ kind }) => kind === "unclaimed" || kind === "stale");
  const lines = [
    ...changed.map(({ name, file }) => `copied     ${name.padEnd(8)} to ${file}`),
    ...changed.length === 0 ? ["Every text was the engine's already."] : [],
    `Recorded the engine's commit ${shortCommit(engine.commit!)} in kernels/twins.json.`,
    ...changed.length === 0 ? [] : ["", ...toBeRunAgain(changed)],
    ...left.length === 0 ? [] : ["", `This is left:`, describeFindings(left)],
  ];
  return { lines, exitCode: left.length === 0 ? EXIT.passed : EXIT.differs };
}

function toBeRunAgain(changed: readonly OwnText[]): string[] {
  const families = [...new Set(changed.map(({ family }) => family))].join(", ");
  const names = changed.map(({ name }) => name).join(", ");
  return [
    "What was proved of the old texts is to be run again, on every adapter:",
    `  goldens    of ${families}, with ${names}: deno task gate`,
    `  baselines  of ${names}: their times were the old texts'`,
  ];
}

/** Of a comparison with another revision of this repository. */
export function revisionOutcome(revision: string, findings: readonly RevisionFinding[]): Outcome {
  const lines = [
    ...findings.map((finding) => describeRevisionFinding(finding, revision)),
    "",
    `Against ${revision}: ${countFindings(findings)}`,
  ];
  const same = findings.every(({ kind }) => kind === "same");
  return { lines, exitCode: same ? EXIT.passed : EXIT.differs };
}

/** "3 same, 1 differs": how many findings of each kind. */
function countFindings(findings: readonly { readonly kind: string }[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of findings) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${count} ${kind}`).join(", ");
}

function shortCommit(commit: string): string {
  return commit.replace(/^([0-9a-f]{12})[0-9a-f]*/, "$1");
}
