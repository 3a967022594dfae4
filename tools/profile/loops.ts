/**
 * How many rounds loops make. Mesa 22.3.6 stops all loops of an invocation together after 65,535
 * rounds, and says nothing.
 *
 * @module
 */

/** A way to ask for more rounds than a 16-bit counter holds. */
export interface LoopProbe {
  readonly rule: string;
  readonly asks: string;
  readonly body: string;
  /** Rounds asked for; each adds a one that only the buffer holds. */
  readonly rounds: number;
}

/** What a loop's rule says where every round was made. */
export const UNLIMITED = "unlimited";

const ONE_ROUND = "count += X[i & 3u];";

export const LOOPS: readonly LoopProbe[] = [
  {
    rule: "loop_rounds",
    asks: "Rounds of one loop that are made",
    body: `for (var i = 0u; i < 70000u + zero; i++) { ${ONE_ROUND} }`,
    rounds: 70_000,
  },
  {
    rule: "loop_rounds_in_a_row",
    asks: "Rounds of two loops after each other",
    body: `for (var i = 0u; i < 40000u + zero; i++) { ${ONE_ROUND} }
    for (var i = 0u; i < 40000u + zero; i++) { ${ONE_ROUND} }`,
    rounds: 80_000,
  },
  {
    rule: "loop_rounds_nested",
    asks: "Inner rounds of a loop in a loop",
    body: `for (var j = 0u; j < 300u + zero; j++) {
      for (var i = 0u; i < 300u + zero; i++) { ${ONE_ROUND} }
    }`,
    rounds: 90_000,
  },
];

/** One workgroup a probe. */
export const LOOP_TEXT = `
@group(0) @binding(0) var<storage, read> X: array<u32>;
@group(0) @binding(1) var<storage, read_write> O: array<u32>;
@group(0) @binding(2) var<uniform> zeros: vec4<u32>;

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) id: vec3<u32>) {
  let zero = zeros.x;
  var count = 0u;
  switch id.x {
${LOOPS.map(({ body }, i) => `    case ${i}u: {\n    ${body}\n    }`).join("\n")}
    default: {}
  }
  O[id.x] = count;
}
`;
