/**
 * Loading the engine's module, by the interface that its page uses (web interfaces only).
 *
 * @module
 */
import { answerImports, EngineError } from "./imports.ts";

/** The engine's functions. */
export interface EngineExports {
  readonly memory: WebAssembly.Memory;
  /** Memory that stays valid; there is no free. */
  readonly browseml_alloc: (bytes: number) => number;
  /** One row: n weights at x, n activations at y; the result's f32 bits. */
  readonly browseml_q1_dot_ref: (
    n: number,
    x: number,
    xBytes: number,
    y: number,
    yBytes: number,
  ) => number;
}

const EXPORTS: Readonly<Record<keyof EngineExports, WebAssembly.ImportExportKind>> = {
  memory: "memory",
  browseml_alloc: "function",
  browseml_q1_dot_ref: "function",
};

/**
 * Makes an instance of the module.
 *
 * @param file the module's name, for messages
 * @throws {EngineError} where the bytes are no such module
 */
export async function loadEngine(
  bytes: Uint8Array<ArrayBuffer>,
  file: string,
): Promise<EngineExports> {
  const module = await compile(bytes, file);
  const exported = WebAssembly.Module.exports(module);
  const missing = Object.entries(EXPORTS).filter(([name, kind]) =>
    !exported.some((one) => one.name === name && one.kind === kind)
  );
  if (missing.length > 0) {
    throw new EngineError(
      file,
      `it does not export ${missing.map(([name, kind]) => `the ${kind} ${name}`).join(", ")}.`,
      "Build browseml.wasm with the exports that ARCHITECTURE.md lists.",
    );
  }
  const imports = answerImports(module, file);
  try {
    const { exports } = await WebAssembly.instantiate(module, imports);
    // A WASI library prepares itself in here, once, where it has anything to prepare.
    if (typeof exports._initialize === "function") exports._initialize();
    return exports as unknown as EngineExports;
  } catch (error) {
    throw new EngineError(
      file,
      `it fails when it is started: ${(error as Error).message}.`,
      "Build it anew; it must start without a page around it.",
    );
  }
}

async function compile(bytes: Uint8Array<ArrayBuffer>, file: string): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    const isModule = bytes[0] === 0 && bytes[1] === 0x61 && bytes[2] === 0x73 && bytes[3] === 0x6d;
    throw new EngineError(
      file,
      isModule
        ? `it is WebAssembly that does not compile (${(error as Error).message}).`
        : "it is not WebAssembly: it does not begin with \\0asm.",
      isModule ? "Build or copy it anew; it may be truncated." : "Name the engine's browseml.wasm.",
    );
  }
}
