/**
 * Functions whose error is measured, on fixed inputs that include the hard ones. The right results
 * are double precision's: their own error is 2^-29 of an f32's last place.
 *
 * @module
 */
import { type Accuracy, bitsOf, valueOf } from "./probe.ts";

const pair = (a: number, b: number) => [Math.fround(a), Math.fround(b)] as const;
const one = (a: number) => [Math.fround(a)] as const;
/** Both neighbours of a value, and itself. */
const around = (value: number) =>
  [-1, 0, 1].map((step) => [valueOf(bitsOf(value) + step)] as const);

const DIVISIONS = [
  pair(1, 3),
  pair(2, 3),
  pair(1, 127),
  pair(1, 49), // a reciprocal and a product give 0.99999994 for 49 · (1 / 49)
  pair(49, 49),
  pair(1, 41),
  pair(16_777_215, 16_777_213),
  pair(16_777_213, 16_777_215),
  pair(8_388_609, 8_388_607),
  pair(1e30, 3e-5),
  pair(5, 0.7),
  pair(-10, 9.999999),
  pair(127, 0.013671875),
  pair(1.9999999, 1.0000001),
];
const POSITIVE = [
  ...around(1),
  ...around(2),
  ...around(4),
  ...around(0.5),
  one(3),
  one(10),
  one(1e-30),
  one(1e30),
  one(16_777_215),
  one(0.1),
  one(1.9999999),
  one(7.0000005),
];
const EXPONENTS = [
  ...around(1),
  ...around(-1),
  ...around(Math.LN2),
  one(0),
  one(10),
  one(-10),
  one(88),
  one(-87),
  one(0.1),
  one(1e-5),
  one(33.333),
];
const ANGLES = [
  ...around(Math.PI),
  ...around(Math.PI / 2),
  ...around(Math.PI / 4),
  one(0.1),
  one(1),
  one(-2),
  one(3),
  one(10),
  one(100),
];

const measured = (
  rule: string,
  expression: string,
  inputs: Accuracy["inputs"],
  right: Accuracy["right"],
): Accuracy => ({
  rule: `ulp_${rule}`,
  asks: `Largest distance of ${rule} from the correctly rounded result`,
  expression,
  inputs,
  right,
});

export const ACCURACY: readonly Accuracy[] = [
  measured("division", "a / b", DIVISIONS, (a, b) => a / b),
  measured("sqrt", "sqrt(a)", POSITIVE, Math.sqrt),
  measured("inverse_sqrt", "inverseSqrt(a)", POSITIVE, (a) => 1 / Math.sqrt(a)),
  measured("exp", "exp(a)", EXPONENTS, Math.exp),
  measured("log", "log(a)", POSITIVE, Math.log),
  measured("sin", "sin(a)", ANGLES, Math.sin),
  measured("cos", "cos(a)", ANGLES, Math.cos),
  measured("tanh", "tanh(a)", EXPONENTS, Math.tanh),
];
