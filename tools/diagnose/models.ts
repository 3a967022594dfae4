/**
 * Ways to be wrong, each with the cause that it stands for, alone and two at once.
 *
 * @module
 */
import type { Model } from "./model.ts";
import { ORDERS } from "./models_order.ts";
import { PLACES } from "./models_places.ts";
import { VALUES } from "./models_values.ts";

/** Every model of one change. */
export const MODELS: readonly Model[] = [...VALUES, ...ORDERS, ...PLACES];

/** Two changes at once, of all that are about different rules. */
export function pairsOf(models: readonly Model[]): Model[] {
  return models.flatMap((a, i) => {
    const names = Object.keys(a.rules);
    return models.slice(i + 1)
      .filter((b) => Object.keys(b.rules).every((name) => !names.includes(name)))
      .map((b) => ({ cause: `${a.cause}; and ${b.cause}`, rules: { ...a.rules, ...b.rules } }));
  });
}
