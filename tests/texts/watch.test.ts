import { expect } from "expect";
import { KERNELS } from "../../kernels/mod.ts";
import { digest } from "../../tools/texts/own.ts";
import { watch } from "../../tools/texts/watch.ts";
import { SHADER } from "./memory_engine.ts";
import { testAdapter } from "../support/gpu.ts";

/** A device as a browser has it: the method is the prototype's, and insists on its `this`. */
class FakeDevice {
  readonly made: string[] = [];
  #brand = true;

  createShaderModule({ code }: GPUShaderModuleDescriptor): GPUShaderModule {
    if (!(#brand in this)) throw new TypeError("Illegal invocation");
    if (code === "refused") throw new TypeError("refused");
    this.made.push(code);
    return { label: code } as GPUShaderModule;
  }
}

function fake(): GPUDevice & FakeDevice {
  return new FakeDevice() as unknown as GPUDevice & FakeDevice;
}

const [kernel] = KERNELS;

Deno.test("watch tells which kernel each module is, or that it is none", async () => {
  const device = fake();
  const watched = watch(device);
  expect(await watched.modules()).toEqual([]);
  const module = device.createShaderModule({ code: kernel!.text, label: "matmul" });
  expect(module).toEqual({ label: kernel!.text });
  device.createShaderModule({ code: `${kernel!.text} ` });
  device.createShaderModule({ code: "// π" });
  device.createShaderModule({ code: kernel!.text });
  expect(() => device.createShaderModule({ code: "refused" })).toThrow("refused");
  expect(device.made.length).toBe(4);
  expect(await watched.modules()).toEqual([
    { label: "matmul", text: kernel!.text, sha256: digest(kernel!.text), kernel: kernel!.name },
    {
      label: "",
      text: `${kernel!.text} `,
      sha256: digest(`${kernel!.text} `),
      kernel: undefined,
    },
    { label: "", text: "// π", sha256: digest("// π"), kernel: undefined },
    { label: "", text: kernel!.text, sha256: digest(kernel!.text), kernel: kernel!.name },
  ]);
});

Deno.test("every byte of a kernel counts for watch", async () => {
  const device = fake();
  const watched = watch(device);
  const text = kernel!.text;
  for (let at = 0; at < text.length; at++) {
    const changed = String.fromCharCode(text.charCodeAt(at) ^ 1);
    device.createShaderModule({ code: text.slice(0, at) + changed + text.slice(at + 1) });
  }
  const modules = await watched.modules();
  expect(modules.length).toBe(text.length);
  expect(modules.filter(({ kernel }) => kernel !== undefined)).toEqual([]);
});

Deno.test("two watchers of one device both see, and stop in either order", async () => {
  for (const order of [[0, 1], [1, 0]]) {
    const device = fake();
    const watchers = [watch(device, []), watch(device, [])];
    device.createShaderModule({ code: "a" });
    watchers[order[0]!]!.stop();
    device.createShaderModule({ code: "b" });
    watchers[order[1]!]!.stop();
    device.createShaderModule({ code: "c" });
    const seen = await Promise.all(watchers.map((watcher) => watcher.modules()));
    expect(seen[order[0]!]!.map(({ text }) => text)).toEqual(["a"]);
    expect(seen[order[1]!]!.map(({ text }) => text)).toEqual(["a", "b"]);
    expect(device.made).toEqual(["a", "b", "c"]);
  }
});

Deno.test("watch works on the device that the platform gives", async () => {
  const device = await (await testAdapter()).requestDevice();
  try {
    const watched = watch(device, [{ name: "DOUBLE", text: SHADER }]);
    const module = device.createShaderModule({ code: SHADER, label: "double" });
    expect((await module.getCompilationInfo()).messages).toEqual([]);
    expect(await watched.modules()).toMatchObject([{ label: "double", kernel: "DOUBLE" }]);
    watched.stop();
    device.createShaderModule({ code: SHADER });
    expect((await watched.modules()).length).toBe(1);
  } finally {
    device.destroy();
  }
});
