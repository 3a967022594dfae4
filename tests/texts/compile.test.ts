import { expect } from "expect";
import { KERNELS } from "../../kernels/mod.ts";
import { compileOnAdapter } from "../../tools/texts/compile.ts";
import { testAdapter } from "../support/gpu.ts";
import { SHADER } from "./memory_engine.ts";

await testAdapter(); // an adapter is settled before anything asks for one

Deno.test("a text that compiles has no errors", async () => {
  for (const text of [SHADER, ...KERNELS.map(({ text }) => text)]) {
    expect(await compileOnAdapter(text)).toEqual([]);
  }
});

Deno.test("an error of a text has its line", async () => {
  expect(await compileOnAdapter(SHADER.replace("2.0", "two")))
    .toEqual([expect.stringMatching(/^line 6:23: [^]*two/)]);
});

Deno.test("without an adapter the copying is refused, and why", async () => {
  const real = Object.getOwnPropertyDescriptor(navigator.gpu, "requestAdapter");
  Object.defineProperty(navigator.gpu, "requestAdapter", {
    value: () => Promise.resolve(null),
    configurable: true,
  });
  try {
    await expect(compileOnAdapter(SHADER)).rejects.toThrow(
      /Cannot tell whether the engine's texts compile: there is no WebGPU adapter/,
    );
  } finally {
    if (real) Object.defineProperty(navigator.gpu, "requestAdapter", real);
    else Reflect.deleteProperty(navigator.gpu, "requestAdapter");
  }
});
