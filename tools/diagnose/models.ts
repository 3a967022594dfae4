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

/** Two changes at once, where they are about different rules. */
export function pairOf(a: Model, b: Model): Model | undefined {
  const names = Object.keys(a.rules);
  if (Object.keys(b.rules).some((name) => names.includes(name))) return undefined;
  return { cause: `${a.cause}; and ${b.cause}`, rules: { ...a.rules, ...b.rules } };
}
