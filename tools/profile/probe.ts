/**
 * A probe: a question about an adapter's arithmetic that a few words decide.
 *
 * @module
 */

/** Words that a probe may read from one input. */
export const WORDS_IN = 4;

/** A question with named answers. */
export interface Probe {
  /** The rule's name in a profile. */
  readonly rule: string;
  /** What is asked, as a person reads it. */
  readonly asks: string;
  /** Body of `fn (x: vec4<u32>) -> u32`; `a`, `b`, `c`, `d` are the words as f32. */
  readonly body: string;
  /** The input; its answers are all different, which makes it a positive control. */
  readonly input: readonly number[];
  /** What each behaviour gives, by name; the first is WGSL's or IEEE 754's. */
  readonly answers: Readonly<Record<string, number>>;
}

/** A function whose error is measured on fixed inputs. */
export interface Accuracy {
  readonly rule: string;
  readonly asks: string;
  /** An expression in `a` and `b`. */
  readonly expression: string;
  readonly inputs: readonly (readonly [a: number, b?: number])[];
  /** The right result in double precision, or better. */
  readonly right: (a: number, b: number) => number;
}

const scratch = new DataView(new ArrayBuffer(4));

/** The bits of a number rounded to f32. */
export function bitsOf(value: number): number {
  scratch.setFloat32(0, value);
  return scratch.getUint32(0);
}

/** The f32 that a word encodes. */
export function valueOf(bits: number): number {
  scratch.setUint32(0, bits);
  return scratch.getFloat32(0);
}
