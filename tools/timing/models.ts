/**
 * What a bandwidth allows a model: a token reads every weight once.
 *
 * @module
 */

/** A model whose decoding is held against the roofline. */
export interface Model {
  readonly name: string;
  /** Weights read for one token. */
  readonly bytes: number;
  /** What a token took, where it was measured. */
  readonly ms?: number;
}

/** From spec/roofline.md: files' sizes, and BitNet's kernel as it was when the method was written. */
export const MODELS: readonly Model[] = [
  { name: "BitNet b1.58 2B, two bits", bytes: 0.69e9, ms: 18.4 },
  { name: "Bonsai 1.7B Q1_0", bytes: 0.248e9 },
  { name: "Bonsai 4B Q1_0", bytes: 0.54e9 },
  { name: "Bonsai 8B Q1_0", bytes: 1.07e9 },
];

/** A model under the roofline. */
export interface ModelCeiling {
  readonly model: Model;
  /** Tokens a second at the most, one at a time. */
  readonly ceiling: number;
  /** The part of the roofline that the measured time reaches. */
  readonly share?: number;
  /** How many times faster the roofline is than what was measured. */
  readonly headroom?: number;
  /** Tokens that each pass of speculative decoding must give for the target; 1 is within reach. */
  readonly perPass: number;
}

/**
 * @param bandwidth bytes a second
 * @param target tokens a second
 */
export function ceilingOf(model: Model, bandwidth: number, target: number): ModelCeiling {
  const ceiling = bandwidth / model.bytes;
  const { ms } = model;
  return {
    model,
    ceiling,
    ...(ms !== undefined && { share: 1000 / ms / ceiling, headroom: ms / 1000 * ceiling }),
    perPass: Math.max(1, target / ceiling),
  };
}
