/** The same shader in TypeScript. "@compute fn main() {}" here is documentation. */
export const TYPED: string = `// Doubles: \`x\` and "y" \\ \${z}.
@group(0) @binding(0) var<storage, read_write> O: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  O[id.x] = O[id.x] * 2.0; // "#
}
`;

export const FIXED = ("// Doubles: `x` and " +
  '"y" \\ ${z}.\n' +
  `@group(0) @binding(0) var<storage, read_write> O: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  O[id.x] = O[id.x] * 2.0; // "#
}
`) satisfies string;

export class Shaders {
  static readonly MEMBER = `// Doubles: \`x\` and "y" \\ \${z}.
@group(0) @binding(0) var<storage, read_write> O: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  O[id.x] = O[id.x] * 2.0; // "#
}
` as const;
}

export type Stage = "@compute fn main() {}";
