/**
 * Copies the engine's texts here and records the agreement: all of it, or nothing.
 *
 * @module
 */
import { join } from "node:path";
import { EXIT, Failure } from "../exit_codes.ts";
import type { Finding } from "./compare.ts";
import type { Compile } from "./compile.ts";
import { unifiedDiff } from "./diff.ts";
import type { Engine } from "./engine.ts";
import { git, linesOf } from "./git.ts";
import { digest, type OwnText } from "./own.ts";
import { describeFindings, indent, twinSide } from "./report.ts";
import { isShader } from "./shader_mark.ts";
import { type Twins, writeTwins } from "./twins.ts";
import type { Constant, KnownText } from "./value.ts";

export interface Repository {
  readonly root: string;
  readonly own: readonly OwnText[];
  readonly twins: Twins;
}

/** Returns the kernels whose text changed. */
export async function synchronize(
  { root, own, twins }: Repository,
  engine: Engine,
  findings: readonly Finding[],
  { allowDirty, compile }: { readonly allowDirty: boolean; readonly compile: Compile },
): Promise<OwnText[]> {
  const commit = commitOf(engine, allowDirty);
  refuseUnsettled(findings);
  const fresh = agreedTexts(own, findings);
  const changed = fresh.filter(({ text }, i) => text !== own[i]!.text);
  refuseToLose(root, changed);
  await refuseBroken(changed, compile);

  for (const { file, text } of changed) Deno.writeTextFileSync(join(root, file), text);
  const kernels = fresh.map(({ name, text }) => {
    const twin = twins.kernels[name]!;
    if (twin.places.length === 0) return [name, twin]; // no engine can agree with it
    return [name, { places: twin.places, agreement: { commit, sha256: digest(text) } }];
  });
  writeTwins(root, { ...twins, kernels: Object.fromEntries(kernels) });
  return changed;
}

function refuse(state: string): Failure {
  return new Failure(
    EXIT.differs,
    `Cannot copy the engine's texts: ${state}\nNothing was written.`,
  );
}

/** The commit to record; `-dirty` as git describe has it, where it is not quite that commit. */
function commitOf({ commit, changes, folder }: Engine, allowDirty: boolean): string {
  if (commit === undefined) {
    throw refuse(`${folder} has no commit of git that could be recorded. Name a git checkout.`);
  }
  const changed = changes();
  if (changed.length === 0) return commit;
  if (allowDirty) return `${commit}-dirty`;
  const more = changed.length > 5 ? [`… and ${changed.length - 5} more`] : [];
  throw refuse(
    `${folder} has changes that are in no commit:\n` +
      [...changed.slice(0, 5), ...more].map((line) => `  ${line}\n`).join("") +
      "Commit or stash them there, or say --allow-dirty to record the commit as …-dirty.",
  );
}

const UNSETTLED = new Set(["unknown", "gone", "moved", "unreadable", "unlisted", "orphan"]);

function refuseUnsettled(findings: readonly Finding[]): void {
  const unsettled = findings.filter(({ kind }) => UNSETTLED.has(kind));
  if (unsettled.length === 0) return;
  throw refuse(`first this must be settled:\n${describeFindings(unsettled)}`);
}

/** Each kernel with the one text that all its twins have. */
function agreedTexts(own: readonly OwnText[], findings: readonly Finding[]): OwnText[] {
  const problems: string[] = [];
  const fresh = own.map((kernel) => {
    const [first, ...rest] = twinsOf(kernel, findings);
    if (!first) return kernel; // without a twin, see the finding `own`
    const { text } = first[1];
    const other = rest.find((twin) => twin[1].text !== text);
    if (other) {
      const diff = unifiedDiff(twinSide(...first), twinSide(...other));
      problems.push(`the engine's own twins of ${kernel.name} disagree:`, ...indent(diff));
    } else if (!isShader(text)) {
      problems.push(`the engine's twin of ${kernel.name} has no @compute entry point.`);
    }
    return { ...kernel, text };
  });
  if (problems.length === 0) return fresh;
  throw refuse([...problems, "Mend it there first."].join("\n"));
}

function twinsOf(own: OwnText, findings: readonly Finding[]): [Constant, KnownText][] {
  return findings.flatMap((finding): [Constant, KnownText][] => {
    if (finding.kind !== "same" && finding.kind !== "differs") return [];
    const { twin } = finding;
    return finding.own === own && twin.value.kind === "text" ? [[twin, twin.value]] : [];
  });
}

/** An edit that is in no commit of this repository would be overwritten for good. */
function refuseToLose(root: string, changed: readonly OwnText[]): void {
  if (changed.length === 0) return;
  const files = changed.map(({ file }) => file);
  const status = git(root, "status", "--porcelain", "--", ...files);
  const edited = linesOf(status.bytes, "\n"); // none where this is no repository of git
  if (edited.length === 0) return;
  throw refuse(
    `these have changes here that are in no commit, and would be lost:\n` +
      `${indent(edited).join("\n")}\n` +
      "Commit them, or take them back with: git checkout kernels",
  );
}

async function refuseBroken(changed: readonly OwnText[], compile: Compile): Promise<void> {
  const problems: string[] = [];
  for (const { name, text } of changed) {
    const errors = await compile(text);
    if (errors.length === 0) continue;
    const lines = errors.flatMap((error) => error.split("\n"));
    problems.push(`the engine's text of ${name} does not compile:`, ...indent(lines));
  }
  if (problems.length > 0) throw refuse([...problems, "Mend it there first."].join("\n"));
}
