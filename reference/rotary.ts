/**
 * The cosines and sines that rotary positions are turned by, with f64's basic operations alone, so that
 * every JavaScript engine makes the same table (`Math.cos` and `Math.pow` may differ between them).
 *
 * Source: RoPE as Qwen3 has it: the angle of pair d at position pos is pos · base^(−d / half).
 *
 * @module
 */

/** π/2 in two parts: the first has 33 bits, so that its products with whole numbers to 2^20 are exact. */
const QUARTER_HIGH = 0x1921fb544 * 2 ** -32;
const QUARTER_LOW = 6.077100506506192e-11;

/** A table for some positions. */
export interface RotaryTable {
  /** f32 values at (pos − first position) · half + d. */
  readonly cos: Float32Array<ArrayBuffer>;
  /** As `cos`. */
  readonly sin: Float32Array<ArrayBuffer>;
}

/**
 * The table of `count` positions from `first` on.
 *
 * @param base 1,000,000 in Qwen3
 * @param half pairs in a head: a power of two, since base^(1/half) is made by square roots
 * @param first position, from 0; positions to 2^19 or so are exact to 2^-30
 * @param count of positions
 * @throws {RangeError} if `half` is no power of two
 */
export function rotaryTable(base: number, half: number, first: number, count: number): RotaryTable {
  if (!Number.isInteger(Math.log2(half))) {
    throw new RangeError(
      `Cannot make a rotary table of ${half} pairs a head. Pass a power of two.`,
    );
  }
  let step = base;
  for (let pairs = 1; pairs < half; pairs *= 2) step = Math.sqrt(step);
  const cos = new Float32Array(count * half), sin = new Float32Array(count * half);
  let divisor = 1;
  for (let d = 0; d < half; d++) {
    for (let i = 0; i < count; i++) {
      const [c, s] = cosAndSin((first + i) / divisor);
      cos[i * half + d] = c;
      sin[i * half + d] = s;
    }
    divisor *= step;
  }
  return { cos, sin };
}

/** Of an angle from 0 on: turned back by quarters, then by Taylor's polynomials for up to π/4. */
function cosAndSin(angle: number): readonly [cos: number, sin: number] {
  const quarters = Math.floor(angle / (Math.PI / 2) + 0.5);
  const rest = (angle - quarters * QUARTER_HIGH) - quarters * QUARTER_LOW;
  const [c, s] = [taylor(rest, 0), taylor(rest, 1)];
  return ([[c, s], [-s, c], [-c, -s], [s, -c]] as const)[quarters % 4];
}

/** Σ ± x^k / k! over every second k from `first` on: cos for 0, sin for 1; to x^20. */
function taylor(x: number, first: 0 | 1): number {
  let term = first === 0 ? 1 : x;
  let sum = 0;
  for (let k = first; k <= 20; k += 2) {
    sum += term;
    term *= -x * x / ((k + 1) * (k + 2));
  }
  return sum;
}
