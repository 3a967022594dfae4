/**
 * What arithmetic an adapter keeps.
 *
 * @module
 */
export { measureRules, type Rules } from "./measure.ts";
export {
  type ChangedRule,
  changedRules,
  type Known,
  type Profile,
  profileOf,
  recognize,
} from "./profile.ts";
