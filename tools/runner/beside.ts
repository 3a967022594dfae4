/**
 * A kernel's text changed to write words of its own beside the output.
 *
 * @module
 */
import type { Binding, Kernel } from "../../kernels/kernel.ts";

/** The text, and its own buffer. Plain data: it crosses process borders. */
export interface Beside {
  /** Of the changed kernel: no other text has it. */
  readonly name: string;
  /** The WGSL. */
  readonly text: string;
  /** Of its buffer, which every dispatch binds. */
  readonly binding: number;
  /** Its words; they follow the output's own words in what is captured. */
  readonly words: number;
  /** The dispatch that they are for; in the others the buffer has no words of its own. */
  readonly dispatch: number;
}

/** The kernel with that text. @param outputWords words of its output */
export function withBeside(kernel: Kernel, beside: Beside, outputWords: number): Kernel {
  const { name, text, binding, words, dispatch } = beside;
  const own = (nth: number): Binding => ({
    binding,
    kind: "output",
    first: outputWords,
    words: nth === dispatch ? words : 0,
  });
  return {
    ...kernel,
    // Pipelines are kept by name.
    name,
    text,
    prepare: (input, workgroup) =>
      kernel.prepare(input, workgroup).map((one, nth) => ({
        ...one,
        bindings: [...one.bindings, own(nth)],
      })),
  };
}
