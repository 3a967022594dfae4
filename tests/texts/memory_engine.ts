/** An engine whose files stand in memory, and reading it. */

import type { EngineFiles } from "../../tools/texts/engine.ts";
import { type EngineTexts, extractTexts } from "../../tools/texts/extract.ts";
import { openParsers } from "../../tools/texts/grammars.ts";

export const parse = await openParsers();

export type Files = Readonly<Record<string, string | Uint8Array>>;

export function memoryEngine(files: Files): EngineFiles {
  return {
    list: () => Object.keys(files),
    read(file) {
      const content = files[file];
      return typeof content === "string" ? new TextEncoder().encode(content) : content;
    },
  };
}

export function extract(files: Files, names: readonly string[] = ["T"]): EngineTexts {
  return extractTexts(memoryEngine(files), names, parse);
}

/** A shader that compiles. */
export const SHADER = `// doubles
@group(0) @binding(0) var<storage, read_write> O: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  O[id.x] = O[id.x] * 2.0;
}
`;
