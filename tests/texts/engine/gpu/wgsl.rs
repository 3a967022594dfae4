//! A small engine in Rust: one shader in every form in which a constant can hold it.
//!
//! This is no shader: `const DOC: &str = "@compute fn main() {}";`

pub const RAW: &str = r##"// Doubles: `x` and "y" \ ${z}.
@group(0) @binding(0) var<storage, read_write> O: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  O[id.x] = O[id.x] * 2.0; // "#
}
"##;

pub const ESCAPED: &str = "// Doubles: `x` and \"y\" \\ ${z}.\n@group(0) @binding(0) var<storage, read_write> O: array<f32>;\n\n@compute @workgroup_size(64)\nfn main(@builtin(global_invocation_id) id: vec3<u32>) {\n  O[id.x] = O[id.x] * 2.0; // \"#\n}\n";

pub static CONTINUED: &str = "\
    // Doubles: `x` and \"y\" \\ ${z}.\n\
    @group(0) @binding(0) var<storage, read_write> O: array<f32>;\n\
    \n\
    @compute @workgroup_size(64)\n\
    fn main(@builtin(global_invocation_id) id: vec3<u32>) {\n\
    \x20\x20O[id.x] = O[id.x] * 2.0; // \"#\n\
    }\n\
";

#[cfg(feature = "gpu")]
pub(crate) const INCLUDED: &str = include_str!("shaders/double.wgsl");

pub mod inner {
    /// Put together from pieces. "@compute fn main() {}" here is documentation.
    pub const JOINED: &str = concat!(
        r##"// Doubles: `x` and "y" \ ${z}."##, '\n',
        "@group(0) @binding(0) var<storage, read_write> O: array<f32>;\n", // a line
        r##""##, '\n',
        "@compute @workgroup_size(64)\n", // a line
        r##"fn main(@builtin(global_invocation_id) id: vec3<u32>) {"##, '\n',
        "  O[id.x] = O[id.x] * 2.0; // \"#\n", // a line
        r##"}"##, '\n',
    );

    pub const SOME_OF_IT: &str = concat!(include_str!("shaders/double.wgsl"), env!("TAIL"));
}

pub fn filled(workgroup: u32) -> String {
    format!("@compute @workgroup_size({workgroup}) fn main() {{ }}")
}

pub const TEMPLATE: &str = "@compute @workgroup_size({{WG}}) fn main() {}";
pub const NOTHING: &str = "";
pub const NUMBER: u32 = 64;
