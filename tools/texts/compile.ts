/**
 * Whether a text compiles.
 *
 * @module
 */
import { EXIT, Failure } from "../exit_codes.ts";
import { openDevice } from "../runner/adapter.ts";

/** The errors of a text, each with its line; none where it compiles. */
export type Compile = (text: string) => Promise<string[]>;

/** Compiles on the adapter at hand. */
export const compileOnAdapter: Compile = async (text) => {
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter) {
    throw new Failure(
      EXIT.adapter,
      "Cannot tell whether the engine's texts compile: there is no WebGPU adapter here. Install a " +
        "driver (a software one will do, on Debian: apt-get install mesa-vulkan-drivers) and run " +
        "this again. Nothing was written.",
    );
  }
  const device = await openDevice(adapter);
  try {
    device.pushErrorScope("validation");
    const module = device.createShaderModule({ code: text });
    const error = await device.popErrorScope();
    const { messages } = await module.getCompilationInfo();
    const errors = messages.filter(({ type }) => type === "error")
      .map(({ lineNum, linePos, message }) => `line ${lineNum}:${linePos}: ${message.trim()}`);
    return errors.length > 0 || !error ? errors : [error.message];
  } finally {
    device.destroy();
  }
};
