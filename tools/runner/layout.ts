/**
 * Where everything of a batch lies in its three buffers.
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
}

/** One dispatch with a place for each binding. */
export interface Placed {
  readonly workgroups: Dispatch["workgroups"];
  readonly ranges: readonly { readonly binding: Binding; readonly range: Range }[];
  readonly slots: readonly Slot[];
}

/** The places of a batch's dispatches. An input that several of them share is stored once. */
export class Layout {
  readonly inputs: Arena;
  readonly uniforms: Arena;
  readonly results: Arena;
  readonly inputRanges = new Map<Uint8Array, Range>();

  constructor(limits: GPUSupportedLimits) {
    this.inputs = new Arena(limits.minStorageBufferOffsetAlignment);
    this.results = new Arena(limits.minStorageBufferOffsetAlignment);
    this.uniforms = new Arena(limits.minUniformBufferOffsetAlignment);
  }

  place(dispatch: Dispatch): Placed {
    const slots: Slot[] = [];
    const ranges = dispatch.bindings.map((binding) => {
      if (binding.kind === "input") return { binding, range: this.#inputRange(binding.bytes) };
      if (binding.kind === "uniform") {
        return { binding, range: this.uniforms.take(binding.words.byteLength) };
      }
      const range = this.results.take((binding.words + GUARD_WORDS) * 4);
      slots.push({ ...range, first: binding.first, words: binding.words });
      return { binding, range };
    });
    return { workgroups: dispatch.workgroups, ranges, slots };
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
