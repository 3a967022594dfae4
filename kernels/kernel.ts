/**
 * What a kernel is to the suite: a WGSL text and the recipe that runs it.
 *
 * @module
 */

import type { RuleNeed } from "../cases/family.ts";

/** Where a kernel's workgroup size comes from. */
export type Workgroup =
  /** It stands in the text. */
  | { readonly kind: "fixed"; readonly size: number }
  /** It is an override constant; any multiple of `step` will do. */
  | { readonly kind: "constant"; readonly name: string; readonly step: number };

/** One entry of bind group 0. */
export type Binding =
  | { readonly binding: number; readonly kind: "input"; readonly bytes: Uint8Array }
  | { readonly binding: number; readonly kind: "uniform"; readonly words: Uint32Array }
  /** `words` words of the output from word `first` on: the runner makes, poisons and reads them. */
  | {
    readonly binding: number;
    readonly kind: "output";
    readonly first: number;
    readonly words: number;
    /**
     * What the words are before the kernel runs, in place of the poison: of a buffer that it changes
     * a part of. Whatever it must write has to differ from these, or nobody sees that it did not.
     */
    readonly initial?: Uint32Array;
  }
  /**
   * A buffer of the kernel's own: what one dispatch writes into it, a later one of the same run reads.
   * The runner poisons and guards it as it does an output.
   */
  | {
    readonly binding: number;
    readonly kind: "scratch";
    /** The same in every dispatch that binds it. */
    readonly name: string;
    readonly words: number;
    /**
     * The word of the output that its first one is, where it is a part of the output that later
     * dispatches read. The same in every dispatch that binds it.
     */
    readonly output?: number;
    /** How the text declares it: `read`, or `read_write` for `write`. */
    readonly access: "read" | "write";
  };

/** One run of the text. */
export interface Dispatch {
  /**
   * Whose text it runs, where that is another kernel's, of a fixed workgroup size. Where a run has
   * another text for that kernel, it is run here too.
   */
  readonly kernel?: Kernel;
  /** That text's entry point. Default `main`. */
  readonly entry?: string;
  /** Bind group 0. */
  readonly bindings: readonly Binding[];
  /** Workgroups in x, y and z. */
  readonly workgroups: readonly [number, number, number];
}

/** Which invocations compute an output word, in eight lanes. */
export interface Workers {
  /** Which of the dispatches. */
  readonly dispatch: number;
  /** `global_invocation_id` of the only one, or of lane 0, in x; z is 0. */
  readonly x: number;
  /** In y. */
  readonly y: number;
  /** Eight neighbours in x compute a lane each, or one computes all of them. */
  readonly lanes: "eight invocations" | "one invocation";
  /** Which of the words that each invocation computes it is, and how many those are. */
  readonly nth: number;
  /** At least 1. */
  readonly words: number;
}

/** A WGSL text and the recipe that runs it: one or more entry points, bind group 0. */
export interface Kernel<Input = unknown> {
  /** The engine's name for it, such as `Q1_MM`. */
  readonly name: string;
  /** The function it computes. */
  readonly family: string;
  /** The text's file, from the top of the repository. */
  readonly file: string;
  /** The WGSL. */
  readonly text: string;
  /** Features of a device that the text needs. Default none. */
  readonly features?: readonly GPUFeatureName[];
  /** The sizes it can be run at. */
  readonly workgroup: Workgroup;
  /** Override constants of the text, beside that of the workgroup size. Default: none is set. */
  readonly constants?: Readonly<Record<string, number>>;
  /**
   * Rules of an adapter's profile without which the text is wrong, whatever the input. Where they are
   * not kept the kernel is unsupported.
   */
  readonly needs?: readonly RuleNeed[];
  /** Bytes of workgroup memory that a workgroup of this size takes. */
  workgroupBytes(workgroup: number): number;
  /**
   * Rounds that all loops of one invocation make together on this input, as an adapter counts them
   * that limits them (see the rule `loop_rounds` of a profile).
   */
  rounds(input: Input): number;
  /**
   * Packs an input for the text's bindings. The dispatches run one after the other, and together they
   * write every output word once.
   */
  prepare(input: Input, workgroup: number): Dispatch[];
  /**
   * Who computes the word of this row and column, for looking into a text that is wrong. Where it
   * is left out, that cannot be done.
   */
  workers?(row: number, col: number): Workers;
}
