/**
 * Where everything of a batch lies in its buffers.
 *
 * @module
 */
import type { Binding, Dispatch } from "../../kernels/kernel.ts";
import { GUARD_WORDS } from "./poison.ts";

/** A range of a buffer, in bytes. */
export interface Range {
  readonly offset: number;
  readonly size: number;
}

/** Offsets of the buffers' parts: every binding begins on a multiple of `alignment` bytes. */
export class Arena {
  #size = 0;

  constructor(readonly alignment: number) {}

  get size(): number {
    return this.#size;
  }

  /** Takes `bytes` bytes, rounded up to whole words. */
  take(bytes: number): Range {
    const offset = Math.ceil(this.#size / this.alignment) * this.alignment;
    const size = (bytes + 3) & ~3;
    this.#size = offset + size;
    return { offset, size };
  }
}

/** An output's place in the buffer of results, with its guard behind it. */
export interface Slot extends Range {
  /** Which words of the check's output it holds. */
  readonly first: number;
  readonly words: number;
  /** What it holds before the run; absent where it is poisoned. */
  readonly initial?: Uint32Array;
}

/** One dispatch with a place for each binding. */
export interface Placed {
  readonly ranges: readonly { readonly binding: Binding; readonly range: Range }[];
  readonly slots: readonly Slot[];
  /** Those of the run, in each of its dispatches that binds them. */
  readonly scratch: readonly ScratchRange[];
}

/** A kernel's own buffer of one run, with its guard behind it. */
export interface ScratchRange extends Range {
  readonly words: number;
  /** Its word from which on it is copied when all is over: the guard, or all where it is output. */
  readonly copyFrom: number;
  /** Where in the buffer of results it is copied to. */
  readonly copy: Range;
  /** Where it is output: which words of that it holds. */
  readonly output?: number;
}

/**
 * The places of a batch's dispatches. An input that several of them share is stored once. Scratch
 * buffers of one name lie in one buffer, and of two names in two, because a dispatch may read one
 * and write the other.
 */
export class Layout {
  readonly inputs: Arena;
  readonly uniforms: Arena;
  readonly results: Arena;
  readonly scratch = new Map<string, { readonly arena: Arena; readonly ranges: ScratchRange[] }>();
  readonly inputRanges = new Map<Uint8Array, Range>();
  readonly #limits: GPUSupportedLimits;

  constructor(limits: GPUSupportedLimits) {
    this.#limits = limits;
    this.inputs = new Arena(limits.minStorageBufferOffsetAlignment);
    this.results = new Arena(limits.minStorageBufferOffsetAlignment);
    this.uniforms = new Arena(limits.minUniformBufferOffsetAlignment);
  }

  /** The places of one run of a check. */
  place(dispatches: readonly Dispatch[]): Placed[] {
    const scratch = new Map<string, ScratchRange>();
    return dispatches.map((dispatch) => this.#place(dispatch, scratch));
  }

  /** @param scratch the run's own buffers, by name */
  #place({ bindings }: Dispatch, scratch: Map<string, ScratchRange>): Placed {
    const slots: Slot[] = [];
    const own: ScratchRange[] = [];
    const ranges = bindings.map((binding) => {
      if (binding.kind === "input") return { binding, range: this.#inputRange(binding.bytes) };
      if (binding.kind === "uniform") {
        return { binding, range: this.uniforms.take(binding.words.byteLength) };
      }
      if (binding.kind === "scratch") {
        const known = scratch.get(binding.name);
        const range = known ?? this.#scratchRange(binding);
        scratch.set(binding.name, range);
        own.push(range);
        if (!known && range.output !== undefined) {
          slots.push({ ...range.copy, first: range.output, words: range.words });
        }
        return { binding, range };
      }
      const { first, words, initial } = binding;
      const range = this.results.take((words + GUARD_WORDS) * 4);
      slots.push({ ...range, first, words, ...(initial && { initial }) });
      return { binding, range };
    });
    return { ranges, slots, scratch: own };
  }

  #scratchRange({ name, words, output }: Extract<Binding, { kind: "scratch" }>): ScratchRange {
    let own = this.scratch.get(name);
    if (!own) {
      own = { arena: new Arena(this.#limits.minStorageBufferOffsetAlignment), ranges: [] };
      this.scratch.set(name, own);
    }
    const copyFrom = output === undefined ? words : 0;
    const range = {
      ...own.arena.take((words + GUARD_WORDS) * 4),
      words,
      copyFrom,
      copy: this.results.take((words + GUARD_WORDS - copyFrom) * 4),
      ...(output !== undefined && { output }),
    };
    own.ranges.push(range);
    return range;
  }

  #inputRange(bytes: Uint8Array): Range {
    let range = this.inputRanges.get(bytes);
    if (!range) {
      range = this.inputs.take(bytes.byteLength);
      this.inputRanges.set(bytes, range);
    }
    return range;
  }
}
