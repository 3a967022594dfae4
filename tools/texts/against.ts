/**
 * The texts here against another revision of this repository.
 *
 * @module
 */
import { posix } from "node:path";
import { EXIT, Failure } from "../exit_codes.ts";
import { classify } from "./classify.ts";
import { decodeFile } from "./decode.ts";
import { unifiedDiff } from "./diff.ts";
import { git, gitBytes, linesOf } from "./git.ts";
import type { OwnText } from "./own.ts";
import { describeClass, indent, sideOf } from "./report.ts";

export type RevisionFinding =
  | { readonly kind: "same" | "new"; readonly own: OwnText }
  | { readonly kind: "differs"; readonly own: OwnText; readonly before: string }
  | { readonly kind: "removed"; readonly file: string };

export function compareWithRevision(
  root: string,
  own: readonly OwnText[],
  revision: string,
): RevisionFinding[] {
  const commit = commitOf(root, revision);
  const listing = gitBytes(root, "ls-tree", "-r", "-z", "--name-only", commit, "--", "kernels");
  const files = linesOf(listing, "\0").filter((file) => posix.extname(file) === ".wgsl");
  const ours = new Set(own.map(({ file }) => file));
  return [
    ...own.map((text) => compareOne(root, text, commit, files)),
    ...files.filter((file) => !ours.has(file))
      .map((file): RevisionFinding => ({ kind: "removed", file })),
  ];
}

function commitOf(root: string, revision: string): string {
  // A revision that begins with a dash would be an option to git.
  const answer = git(root, "rev-parse", "--verify", "--end-of-options", `${revision}^{commit}`);
  const commit = linesOf(answer.bytes, "\n")[0];
  if (answer.ok && commit) return commit;
  throw new Failure(
    EXIT.usage,
    `Cannot compare with ${revision}: it is no commit of this repository (git says: ` +
      `${answer.complaint}). Name a branch, a tag or a commit; a shallow clone must fetch it first.`,
  );
}

function compareOne(
  root: string,
  own: OwnText,
  commit: string,
  files: readonly string[],
): RevisionFinding {
  if (!files.includes(own.file)) return { kind: "new", own };
  const decoded = decodeFile(gitBytes(root, "show", `${commit}:${own.file}`));
  if ("bad" in decoded) {
    throw new Failure(
      EXIT.differs,
      `Cannot compare ${own.file} with ${
        commit.slice(0, 12)
      }: ${decoded.bad} there. Compare with ` +
        "another revision.",
    );
  }
  const before = decoded.text;
  return before === own.text ? { kind: "same", own } : { kind: "differs", own, before };
}

export function describeRevisionFinding(finding: RevisionFinding, revision: string): string {
  switch (finding.kind) {
    case "same":
    case "new":
      return `${finding.kind.padEnd(9)}${finding.own.file}`;
    case "removed":
      return `removed  ${finding.file}`;
    case "differs": {
      const { own, before } = finding;
      const side = {
        ...sideOf({ file: own.file, text: before }),
        title: `${revision} ${own.file}`,
      };
      const title = `differs  ${own.file}: ${describeClass(classify(before, own.text))}`;
      return [title, ...indent(unifiedDiff(side, sideOf(own)))].join("\n");
    }
  }
}
