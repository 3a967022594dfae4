/** Kernels of several entry points, with a buffer of their own between them. */
import { expect } from "expect";
import { caseAt } from "../../cases/mod.ts";
import type { Binding, Dispatch, Kernel } from "../../kernels/kernel.ts";
import { openDevice } from "../../tools/runner/adapter.ts";
import { DeviceExecutor } from "../../tools/runner/device_executor.ts";
import { computeGolden } from "../../tools/runner/prove.ts";
import { runChecks } from "../../tools/runner/schedule.ts";
import type { Verdict } from "../../tools/runner/verdict.ts";
import { kernelNamed } from "../support/faults.ts";
import { testAdapter } from "../support/gpu.ts";

const BASE = kernelNamed("Q1_MM");
const ADDRESSES = [3, 40].map((rows) => `q1_0_matmul/random:rows=${rows},n=640,cols=2,seed=7`);
/** Copies the activations' scales into a buffer of the kernel's own, which `main` reads. */
const COPY = `
@group(0) @binding(7) var<storage, read> source: array<f32>;
@group(0) @binding(2) var<storage, read_write> copied: array<f32>;
@compute @workgroup_size(1)
fn copy(@builtin(workgroup_id) id: vec3<u32>) {
  copied[id.x] = source[id.x];
}
`;

/** Q1_MM, which reads what `copy` has copied. @param count words that are copied, of so many */
function copying(count: (words: number) => number): Kernel {
  return {
    ...BASE,
    text: BASE.text + COPY,
    prepare: (input, workgroup): Dispatch[] => {
      const [dispatch] = BASE.prepare(input, workgroup) as [Dispatch];
      const scales = dispatch.bindings.find(({ binding }) => binding === 2)!;
      if (scales.kind !== "input") throw new Error("binding 2 is no input");
      const words = scales.bytes.length / 4;
      const scratch = (access: "read" | "write"): Binding => ({
        binding: 2,
        kind: "scratch",
        name: "scales",
        words,
        access,
      });
      return [
        {
          entry: "copy",
          bindings: [{ ...scales, binding: 7 }, scratch("write")],
          workgroups: [count(words), 1, 1],
        },
        {
          ...dispatch,
          bindings: dispatch.bindings.map((one) => one.binding === 2 ? scratch("read") : one),
        },
      ];
    },
  };
}

/** @param others that the executor knows, too */
async function verdicts(kernel: Kernel, ...others: Kernel[]): Promise<Verdict[]> {
  const adapter = await testAdapter();
  const executor = new DeviceExecutor({
    open: () => openDevice(adapter),
    kernels: [kernel, ...others],
    golden: computeGolden,
    repeats: 2,
  });
  const checks = ADDRESSES.map((address) => ({ kernel: kernel.name, address, workgroup: 64 }));
  const results = await Array.fromAsync(runChecks(executor, checks, 2));
  return results.map(({ verdict }) => verdict);
}

Deno.test("what one dispatch leaves in a scratch buffer the next one reads", async () => {
  expect(ADDRESSES.map((address) => caseAt(address).address)).toEqual(ADDRESSES);
  const kinds = (await verdicts(copying((words) => words))).map(({ kind }) => kind);
  expect(kinds).toEqual(["pass", "pass"]);
});

Deno.test("a scratch word that was not written is no number", async () => {
  for (const verdict of await verdicts(copying((words) => words - 1))) {
    expect(verdict.kind).toBe("differ");
    if (verdict.kind !== "differ") return;
    // The last column reads it.
    expect(verdict.mismatch.first).toMatchObject({ col: 1 });
    expect(verdict.mismatch.largestUlp).toBeUndefined();
  }
});

Deno.test("what is written past a scratch buffer's end is found, in every repetition", async () => {
  for (const verdict of await verdicts(copying((words) => words + 3))) {
    expect(verdict).toMatchObject({ kind: "differ", mismatch: { differing: 0, overrun: 6 } });
  }
});

/** A kernel without a text, which runs Q1_MM's; what that leaves is a scratch buffer and the output. */
function running(kernel: Kernel, columns = (cols: number) => cols): Kernel {
  return {
    ...BASE,
    name: "CHAIN",
    text: "",
    prepare: (input, workgroup): Dispatch[] => {
      const [{ bindings, workgroups: [x, cols, z] }] = BASE.prepare(input, workgroup) as [Dispatch];
      return [{
        kernel,
        bindings: bindings.map((one): Binding =>
          one.kind === "output"
            ? { ...one, kind: "scratch", name: "result", output: 0, access: "write" }
            : one
        ),
        workgroups: [x, columns(cols), z],
      }];
    },
  };
}

Deno.test("a dispatch may run another kernel's text, and a scratch buffer may be output", async () => {
  expect((await verdicts(running(BASE))).map(({ kind }) => kind)).toEqual(["pass", "pass"]);
});

Deno.test("a word of such a buffer that was not written is found", async () => {
  for (const verdict of await verdicts(running(BASE, (cols) => cols - 1))) {
    expect(verdict).toMatchObject({ kind: "differ", mismatch: { first: { row: 0, col: 1 } } });
    if (verdict.kind !== "differ") return;
    expect(verdict.mismatch.unwritten).toBe(verdict.mismatch.differing);
  }
});

Deno.test("what is written past its end is found", async () => {
  const text = BASE.text.replace("O[col * p.rows + row] =", "O[col * p.rows + row + 1u] =");
  expect(text).not.toBe(BASE.text);
  for (const verdict of await verdicts(running({ ...BASE, text }))) {
    expect(verdict).toMatchObject({ kind: "differ", mismatch: { overrun: 2 } });
  }
});

Deno.test("it runs the text that the run has for the other kernel", async () => {
  const text = BASE.text.replace("bitcast<u32>(even + odd)", "bitcast<u32>(even)");
  const kinds = async (...others: Kernel[]) =>
    (await verdicts(running(BASE), ...others)).map(({ kind }) => kind);
  expect(await kinds(BASE)).toEqual(["pass", "pass"]);
  expect(await kinds({ ...BASE, text })).toEqual(["differ", "differ"]);
});
