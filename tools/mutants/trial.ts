/**
 * Running one mutant up the ladder until something notices it.
 *
 * @module
 */
import type { Case } from "../../cases/mod.ts";
import type { ChildExecutor } from "../isolation/child_executor.ts";
import type { Outcome } from "../runner/executor.ts";
import type { Mutant } from "./mutant.ts";

/** What became of a mutant on one adapter. */
export type Fate =
  /** Outputs differ on these cases (addresses), all of the last rung that it was run on. */
  | { readonly kind: "differs"; readonly by: readonly string[] }
  /** It took more time than a healthy kernel by far, its process or its device. */
  | { readonly kind: "breaks"; readonly how: string; readonly by: readonly string[] }
  /** The adapter's compiler refuses it: no mutant at all. */
  | { readonly kind: "stillborn"; readonly message: string }
  /** Every case passes. */
  | { readonly kind: "survives" };

/** Seconds for a rung: a healthy kernel takes a hundredth on the first and a tenth on the last. */
const LIMITS = [3, 5, 10, 20];
/** How much more time a rung gets that broke: a machine may stall, and a stall is no kill. */
const PATIENCE = 4;

export async function tryMutant(
  executor: Pick<ChildExecutor, "run">,
  mutant: Mutant,
  rungs: readonly (readonly Case[])[],
  workgroup: number,
): Promise<Fate> {
  const variant = { name: mutant.id, of: mutant.kernel, text: mutant.text };
  for (const [i, rung] of rungs.entries()) {
    const checks = rung.map(({ address }) => ({ kernel: mutant.id, address, workgroup }));
    const limit = LIMITS[i] ?? LIMITS.at(-1)!;
    const first = await executor.run(checks, [variant], limit);
    const outcome = first.kind === "broken"
      ? await executor.run(checks, [variant], PATIENCE * limit)
      : first;
    const fate = fateOf(outcome, rung);
    if (fate) return fate;
  }
  return { kind: "survives" };
}

/** What a rung's outcome says; `undefined` where every check passed. */
export function fateOf(outcome: Outcome, rung: readonly Case[]): Fate | undefined {
  if (outcome.kind === "broken") {
    const how = outcome.message.split("\n")[0]!;
    return { kind: "breaks", how, by: [rung[0]!.address] };
  }
  const by: string[] = [];
  for (const { check, verdict } of outcome.results) {
    if (verdict.kind === "error" && !verdict.ran) {
      return { kind: "stillborn", message: verdict.message };
    }
    if (verdict.kind === "differ" || verdict.kind === "error") by.push(check.address);
  }
  return by.length > 0 ? { kind: "differs", by } : undefined;
}
