/**
 * Mistakes that a kernel's author may make, with what a diagnosis must say of each: the cause, or
 * where there is no model of it, the statement that took the first wrong step.
 *
 * @module
 */
import type { Fault } from "./faults.ts";

export type Mistake = Fault & ({ readonly cause: RegExp } | { readonly statement: string });

type Edit = readonly [from: string, to: string];

const known = (kernel: Fault["kernel"], cause: RegExp, ...replace: Edit[]): Mistake => ({
  name: `${replace.at(-1)![1].trim().slice(0, 60)} [${kernel}]`,
  kernel,
  replace,
  cause,
});

const unknown = (kernel: Fault["kernel"], statement: string, ...replace: Edit[]): Mistake => ({
  name: `${replace.at(-1)![1].trim().slice(0, 60)} [${kernel}]`,
  kernel,
  replace,
  statement,
});

const QUANT = "bitcast<i32>(quants << (24u - 8u * i)) >> 24u";
const NEGATED = "let negated = (-q << 24u) >> 24u;";
const WEIGHTS_AT = "let weights_at = row * p.nb + block;";
const ACTIVATIONS_AT = "let activations_at = (col * p.nb + block) * 4u;";
const BLOCKS = "block < p.nb; block++";
const SUB_BLOCKS = "for (var k = 0u; k < 4u; k++)";
const STORED = "bitcast<u32>(even + odd)";
const EVEN = "(lanes[local] + lanes[local + 4u]) + (lanes[local + 2u] + lanes[local + 6u])";
const ODD = "(lanes[local + 1u] + lanes[local + 5u]) + (lanes[local + 3u] + lanes[local + 7u])";
const FUSED = "acc = fma_exact(Wd[weights_at], ab, acc);";
const SUMMED = "ab = product;\n        } else {\n          ab = ab + product;\n        }\n";

export const MISTAKES: readonly Mistake[] = [
  // Quants and sign bits.
  known("Q1_MM", /quants are read as unsigned bytes$/, [
    QUANT,
    "bitcast<i32>((quants >> (8u * i)) & 255u)",
  ], [NEGATED, "let negated = -q;"]),
  known("Q1_MM", /unsigned bytes where they are added/, [
    QUANT,
    "bitcast<i32>((quants >> (8u * i)) & 255u)",
  ]),
  known("Q1_MM", /-q keeps seven bits/, [NEGATED, "let negated = (-q << 25u) >> 25u;"]),
  known("Q1_MM", /negation saturates/, [NEGATED, "let negated = min(-q, 127);"]),
  known("Q1_MM", /complement of q/, [NEGATED, "let negated = ~q;"]),
  known("Q1_MM4", /sign bits mean the opposite/, ["select(negated, q,", "select(q, negated,"]),
  known("Q1_MM", /sign bit 0 count as zero/, [NEGATED, "let negated = 0;"]),
  known("Q1_MM", /other order within four/, ["(signs >> i) & 1u", "(signs >> (3u - i)) & 1u"]),
  known("Q1_DOT", /halves of a word of sign bits exchanged/, [
    "return weight_half(at) | (weight_half(at + 2u) << 16u);",
    "return weight_half(at + 2u) | (weight_half(at) << 16u);",
  ]),
  known("Q1_MM", /shifted by 1 times/, [">> (4u * lane);", ">> lane;"]),
  known("Q1_MM", /shifted by 3 times/, [">> (4u * lane);", ">> (3u * lane);"]),
  known("Q1_MM", /quant 3 of each word of four is left out/, ["i < 4u; i++", "i < 3u; i++"]),
  known("Q1_MM", /quants of the even and the odd lanes exchanged/, [
    "(activations_at + k) * 8u + lane",
    "(activations_at + k) * 8u + (lane ^ 1u)",
  ]),
  known("Q1_MM", /read without its sign/, [
    "f32(signed_sum(quants, signs))",
    "f32(bitcast<u32>(signed_sum(quants, signs)))",
  ]),
  // Scales and the fused operation.
  known("Q1_DOT", /normal f16 scales are read as twice/, ["exponent + 112u", "exponent + 113u"]),
  known("Q1_DOT", /infinite and NaN scales are read as numbers/, [
    " else if (exponent == 31u) {\n    magnitude = 0x7f800000u | (mantissa << 13u);\n  }",
    "",
  ]),
  known("Q1_MM", /activation scale is left out/, ["Ad[activations_at + k] * f32(", "f32("]),
  known("Q1_MM", /weight scale of row 0/, ["(Wd[weights_at], ab", "(Wd[block], ab"]),
  known("Q1_DOT", /weight scale of the row after/, [
    "f16_to_f32(weight_half(weights_at))",
    "f16_to_f32(weight_half(weights_at + 18u * blocks))",
  ]),
  known("Q1_MM", /activation scale of the first sub-block in all four/, [
    "Ad[activations_at + k]",
    "Ad[activations_at]",
  ]),
  known("Q1_MM4", /activation scale of the first column of its tile/, [
    "Ad[activations_at]",
    "Ad[(first_col * p.nb + block) * 4u + k]",
  ]),
  known("Q1_MM", /two scales are multiplied first/, [
    "Ad[activations_at + k] * f32(",
    "hide(Wd[weights_at] * Ad[activations_at + k]) * f32(",
  ], [FUSED, "acc = acc + ab;"]),
  known("Q1_MM", /rounded before it is added/, ["b_bits & 0xfffff000u", "b_bits & 0xffffffffu"]),
  known("Q1_MM", /split at the wrong bit/, ["b_bits & 0xfffff000u", "b_bits & 0xffffff00u"]),
  known("Q1_MM", /rounded before it is added/, [
    FUSED,
    "acc = acc + fma_exact(Wd[weights_at], ab, 0.0);",
  ]),
  // No case's words tell leaving it out from going the wrong way: both are named.
  known("Q1_MM4", /rounding to odd (left out|the wrong way)/, [
    "select(rest_bits - 1u, rest_bits + 1u,",
    "select(rest_bits + 1u, rest_bits - 1u,",
  ]),
  known("Q1_MM4", /TwoSum with the addend: the rounding error is lost/, [
    "let total = two_sum(product.sum, c);",
    "let total = Exact(product.sum + c, 0.0);",
  ]),
  // Lanes, blocks and sub-blocks.
  known("Q1_MM", /another order: neighbours first/, [
    `let even = ${EVEN};\n    let odd = ${ODD};`,
    "let even = (lanes[local] + lanes[local + 1u]) + (lanes[local + 2u] + lanes[local + 3u]);\n" +
    "    let odd = (lanes[local + 4u] + lanes[local + 5u]) + (lanes[local + 6u] + lanes[local + 7u]);",
  ]),
  known("Q1_MM", /another order: one after the other$/, [
    `let even = ${EVEN};\n    let odd = ${ODD};`,
    "var even = lanes[local];\n    for (var i = 1u; i < 8u; i++) {\n" +
    "      even = even + lanes[local + i];\n    }\n    let odd = 0.0;",
  ]),
  known("Q1_MM4", /lane 5 is taken from lane 4/, ["lanes[local + 5u]", "lanes[local + 4u]"]),
  known("Q1_DOT", /lane 7 is dropped/, [
    "lane < 8u; lane++) {\n      acc[lane]",
    "lane < 7u; lane++) {\n      acc[lane]",
  ]),
  known("Q1_MM", /lanes 1, 3, 5, 7 are dropped/, [STORED, "bitcast<u32>(even)"]),
  known("Q1_MM", /even lanes are joined twice/, [STORED, "bitcast<u32>(even + even)"]),
  known("Q1_MM", /first block of each row is left out/, ["var block = 0u;", "var block = 1u;"]),
  known("Q1_MM", /last block is added twice/, [BLOCKS, "block <= p.nb; block++"], [
    WEIGHTS_AT,
    "let weights_at = row * p.nb + min(block, p.nb - 1u);",
  ], [
    ACTIVATIONS_AT,
    "let activations_at = (col * p.nb + min(block, p.nb - 1u)) * 4u;",
  ]),
  known("Q1_MM", /one block too many/, [BLOCKS, "block <= p.nb; block++"]),
  known("Q1_MM", /sub-block 0 of each block is left out/, [
    SUB_BLOCKS,
    "for (var k = 1u; k < 4u; k++)",
  ]),
  known("Q1_MM", /one sub-block too many/, [SUB_BLOCKS, "for (var k = 0u; k <= 4u; k++)"]),
  known("Q1_MM", /not begun anew with each block/, ["      var ab = 0.0;\n", ""], [
    "  var acc = 0.0;\n",
    "  var acc = 0.0;\n  var ab = 0.0;\n",
  ], [
    `        if (k == 0u) {\n          ${SUMMED}`,
    "        ab = ab + product;\n",
  ]),
  // Other places, and what is stored.
  known("Q1_MM", /of the column's first block/, [
    ACTIVATIONS_AT,
    "let activations_at = col * p.nb * 4u;",
  ]),
  known("Q1_MM", /of the column before: stale activations/, [
    ACTIVATIONS_AT,
    "let activations_at = (max(col, 1u) - 1u) * p.nb * 4u + block * 4u;",
  ]),
  known("Q1_MM", /activations, .* of a matrix that lies block by block/, [
    ACTIVATIONS_AT,
    "let activations_at = (block * p.cols + col) * 4u;",
  ]),
  known("Q1_MM", /weights, .* of a matrix that lies block by block/, [
    WEIGHTS_AT,
    "let weights_at = block * p.rows + row;",
  ]),
  known("Q1_MM", /rows repeat after 32/, [
    WEIGHTS_AT,
    "let weights_at = (row & 31u) * p.nb + block;",
  ]),
  known("Q1_MM", /the weight scale of the row's last block/, [
    "Wd[weights_at], ab",
    "Wd[row * p.nb + p.nb - 1u], ab",
  ]),
  known("Q1_DOT", /weights, .* of the neighbouring block of two/, [
    "(row * blocks + block) * 18u",
    "(row * blocks + (block ^ 1u)) * 18u",
  ]),
  known("Q1_MM", /buffers of sign bits and quants are exchanged/, [
    "@binding(1) var<storage, read> Wb",
    "@binding(3) var<storage, read> Wb",
  ], [
    "@binding(3) var<storage, read> Aq",
    "@binding(1) var<storage, read> Aq",
  ]),
  known("Q1_MM", /buffers of the two scales are exchanged/, [
    "@binding(0) var<storage, read> Wd",
    "@binding(2) var<storage, read> Wd",
  ], [
    "@binding(2) var<storage, read> Ad",
    "@binding(0) var<storage, read> Ad",
  ]),
  known("Q1_MM4", /activations, .* of the first column of its tile/, [
    "ab[c], acc[c])",
    "ab[0], acc[c])",
  ]),
  known("Q1_MM4", /columns and their neighbours are exchanged/, ["(sum[c])", "(sum[c ^ 1u])"]),
  known("Q1_MM", /last row is computed from the row before it/, [
    WEIGHTS_AT,
    "let weights_at = min(row, p.rows - 2u) * p.nb + block;",
  ]),
  known("Q1_MM", /last column is computed from the column before it/, [
    ACTIVATIONS_AT,
    "let activations_at = (min(col, p.cols - 2u) * p.nb + block) * 4u;",
  ]),
  known("Q1_MM", /stored by rows and not by columns/, [
    "O[col * p.rows + row]",
    "O[row * p.cols + col]",
  ]),
  known("Q1_MM", /results below zero are stored as zero/, [
    STORED,
    "bitcast<u32>(max(0.0, even + odd))",
  ]),
  known("Q1_MM", /results are rounded to f16/, [
    STORED,
    "bitcast<u32>(unpack2x16float(pack2x16float(vec2<f32>(even + odd, 0.0))).x)",
  ]),
  known("Q1_MM", /never written: all words of every 8th row from 7/, [
    "if (live && lane == 0u) {",
    "if (live && lane == 0u && row % 8u != 7u) {",
  ]),
  known("Q1_MM4", /words past the end of the output are written/, [
    "min(4u, p.cols - min(p.cols, first_col))",
    "4u",
  ]),
  // Nobody has a model of these: the first wrong step is what there is to say.
  unknown("Q1_MM", "ab = product;", [QUANT, "bitcast<i32>(quants << (24u - 4u * i)) >> 24u"]),
  unknown("Q1_MM", "ab = product;", ["  return sum;\n", "  return sum + 1;\n"]),
  unknown("Q1_MM", "ab = product;", ["let lane = id.x % 8u;", "let lane = id.x % 4u;"]),
  unknown("Q1_MM", "ab = ab + product;", [
    "signed_sum(quants, signs)",
    "signed_sum(quants, select(signs, ~signs, k == 3u))",
  ]),
  unknown("Q1_MM", "ab = ab + product;", [
    "Ad[activations_at + k]",
    "Ad[activations_at + min(k, 2u)]",
  ]),
  unknown("Q1_DOT", "ab[lane] = ab[lane] + product;", [
    "(block * 4u + k) * 34u",
    "(block * 4u + k) * 33u",
  ]),
  unknown("Q1_DOT", "ab[lane] = product;", ["activations_at + 2u + 4u", "activations_at + 4u"]),
  unknown("Q1_MM", "O[col * p.rows + row]", [STORED, "bitcast<u32>(even - odd)"]),
  unknown("Q1_MM", "O[col * p.rows + row]", [
    "lanes[local] = acc;",
    "lanes[local] = select(acc, -acc, lane == 3u);",
  ]),
  unknown("Q1_MM", FUSED, ["  var acc = 0.0;", "  var acc = 1.0;"]),
  unknown("Q1_DOT", "acc[lane] = fma_exact(", [
    "ab[lane], acc[lane])",
    "ab[lane], acc[lane] * 0.5)",
  ]),
];
