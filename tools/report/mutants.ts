/**
 * Mutants as text.
 *
 * @module
 */
import { coverOf } from "../mutants/cover.ts";
import type { MutantsRecord } from "../mutants/record.ts";
import { percentages, type Score } from "../mutants/score.ts";
import { counted } from "./numbers.ts";

/** Names shown of each kind of trouble. */
const SHOWN = 20;

/** @param kernels that a run without `--kernel` does not try */
export function leftOutLine(kernels: readonly string[]): string {
  return `Left out, since the engine does not have them: ${kernels.join(", ")}. ` +
    "--kernel NAME tries one.";
}

export function scoreLines(scores: readonly Score[]): string[] {
  const row = (...cells: (string | number)[]) =>
    cells.map((cell, i) => i === 0 ? String(cell).padEnd(10) : String(cell).padStart(12)).join("");
  return [
    "",
    row("kernel", "mutants", "killed", "equivalent", "elsewhere", "alive", "score", "together"),
    ...scores.map((score) => {
      const { kernel, mutants, killed, equivalent, elsewhere, alive } = score;
      const { here, together } = percentages(score);
      return row(
        kernel,
        mutants,
        killed,
        equivalent,
        elsewhere,
        alive.length,
        `${here} %`,
        `${together} %`,
      );
    }),
    "equivalent: proved to compute the same; elsewhere: killed on another adapter whose record is kept;",
    "score: killed here of those not equivalent; together: killed here or elsewhere.",
    "",
  ];
}

/** How few cases would do, as far as they were run. */
export function coverLines(record: MutantsRecord): string[] {
  const cover = coverOf([record], () => 1);
  const killed = cover.reduce((sum, { kills }) => sum + kills, 0);
  return [
    `${counted(cover.length, "case")} of ${record.cases.length} that kill something kill all ` +
    `${killed} between them; the others kill nothing that these do not:`,
    ...cover.slice(0, SHOWN).map(({ address, kills }) =>
      `  ${String(kills).padStart(5)}  ${address}`
    ),
    "",
  ];
}

export interface Trouble {
  readonly alive: readonly string[];
  readonly lost: readonly string[];
  readonly proofs: readonly string[];
  /** Kernels of which no record of this adapter is kept: nothing can be lost against it. */
  readonly unrecorded: readonly string[];
}

export function troubleLines({ alive, lost, proofs, unrecorded }: Trouble): string[] {
  const named = (ids: readonly string[]) => [
    ...ids.slice(0, SHOWN).map((id) => `  ${id}`),
    ...ids.length > SHOWN ? [`  and ${ids.length - SHOWN} more`] : [],
  ];
  return [
    ...alive.length > 0
      ? [
        "ALIVE  No case on any adapter notices these. Add a case that does, or prove in " +
        "golden/mutants/equivalent.json that they compute the same:",
        ...named(alive),
      ]
      : [],
    ...lost.length > 0
      ? [
        "LOST  The record says that these were noticed, and they are not any more. Put the cases back:",
        ...named(lost),
      ]
      : [],
    ...proofs.length > 0
      ? ["PROOFS  golden/mutants/equivalent.json is wrong:", ...named(proofs)]
      : [],
    ...unrecorded.length > 0
      ? [
        `No record of this adapter is kept yet for ${
          unrecorded.join(", ")
        }: what is noticed now could ` +
        "be lost unseen. Keep one: deno task mutants --kernel '*' --accept",
      ]
      : [],
  ];
}
