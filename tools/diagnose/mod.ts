/**
 * From a check that fails to why it does.
 *
 * @module
 */
export { type Consensus, consensusOf } from "./consensus.ts";
export {
  type Blame,
  diagnose,
  type Diagnosis,
  placeOf,
  type Scene,
  type SecondOutput,
} from "./diagnose.ts";
export type { Explanation } from "./explain.ts";
export { type Laboratory, type Look, type LookOptions, whyItDiffers } from "./look.ts";
export type { Departure, Note, Trace, Traced } from "./trace.ts";
export type { Site } from "./trace_text.ts";
