// A page's module: the same shader in every form of JavaScript.
// This is no shader: `@compute fn main() {}`

export const TEMPLATE = /* wgsl */ `// Doubles: \`x\` and "y" \\ \${z}.
@group(0) @binding(0) var<storage, read_write> O: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  O[id.x] = O[id.x] * 2.0; // "#
}
`;

const STRING =
  '// Doubles: `x` and "y" \\ ${z}.\n@group(0) @binding(0) var<storage, read_write> O: array<f32>;\n\n@compute @workgroup_size(64)\nfn main(@builtin(global_invocation_id) id: vec3<u32>) {\n  O[id.x] = O[id.x] * 2.0; // "#\n}\n';

const SUM = '// Doubles: `x` and "y" \\ ${z}.\n' +
  "@group(0) @binding(0) var<storage, read_write> O: array<f32>;\n" +
  "\n" +
  "@compute @workgroup_size(64)\n" +
  "fn main(@builtin(global_invocation_id) id: vec3<u32>) {\n" +
  '  O[id.x] = O[id.x] * 2.0; // "#\n' +
  "}\n";

export const PIPELINES = {
  member: {
    code: `// Doubles: \`x\` and "y" \\ \${z}.
@group(0) @binding(0) var<storage, read_write> O: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  O[id.x] = O[id.x] * 2.0; // "#
}
`,
  },
  tagged: dedent`@compute @workgroup_size(1) fn main() {}`,
};

export function filled(workgroup) {
  return `@compute @workgroup_size(${workgroup}) fn main() {}`;
}

export default [STRING, SUM];
