/** Outputs that begin with given contents: a kernel changes a part of them. */
import { expect } from "expect";
import { caseAt } from "../../cases/mod.ts";
import type { Kernel } from "../../kernels/kernel.ts";
import { openDevice } from "../../tools/runner/adapter.ts";
import { DeviceExecutor } from "../../tools/runner/device_executor.ts";
import { computeGolden } from "../../tools/runner/prove.ts";
import { runChecks } from "../../tools/runner/schedule.ts";
import type { Verdict } from "../../tools/runner/verdict.ts";
import { testAdapter } from "../support/gpu.ts";

const ADDRESS = "q8_0_quantize/size:n=64,cols=2,fill=layer,seed=101";

/** The right words of the case. */
function rightWords(): Uint32Array {
  const { family, parsed } = caseAt(ADDRESS);
  const input = family.input(parsed);
  return family.expand(family.reference(input), input);
}

/** A kernel that does no more than `body` says with each word. @param initial its output's contents */
function changing(body: string, initial?: Uint32Array): Kernel {
  const words = rightWords().length;
  return {
    name: "CHANGE",
    family: "q8_0_quantize",
    file: "nowhere.wgsl",
    text: `
@group(0) @binding(0) var<storage, read_write> words: array<u32>;
@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) id: vec3<u32>) {
  let i = id.x;
  ${body}
}
`,
    workgroup: { kind: "fixed", size: 1 },
    workgroupBytes: () => 0,
    rounds: () => 0,
    prepare: () => [{
      bindings: [{ binding: 0, kind: "output", first: 0, words, ...(initial && { initial }) }],
      workgroups: [words, 1, 1],
    }],
  };
}

async function verdictOf(kernel: Kernel): Promise<Verdict> {
  const adapter = await testAdapter();
  let device: GPUDevice | undefined;
  const executor = new DeviceExecutor({
    open: async () => device = await openDevice(adapter),
    kernels: [kernel],
    golden: computeGolden,
    repeats: 3,
  });
  const check = { kernel: kernel.name, address: ADDRESS, workgroup: 1 };
  const [result] = await Array.fromAsync(runChecks(executor, [check], 3));
  device?.destroy();
  return result!.verdict;
}

/** Writes nothing; the text must name its binding to have it. */
const LEAVE = "if (i > 1000000u) { words[i] = 0u; }";

Deno.test("a kernel that writes nothing leaves what was there, and no poison", async () => {
  expect((await verdictOf(changing(LEAVE, rightWords()))).kind).toBe("pass");
  const poisoned = await verdictOf(changing(LEAVE));
  const words = rightWords().length;
  expect(poisoned).toMatchObject({ kind: "differ", mismatch: { unwritten: words } });
});

Deno.test("a word that was to be changed and was not differs", async () => {
  const initial = rightWords();
  initial[7]! ^= 1;
  const verdict = await verdictOf(changing(LEAVE, initial));
  expect(verdict).toMatchObject({ kind: "differ", mismatch: { differing: 1, overrun: 0 } });
});

Deno.test("what was there can be read, and is there anew in each repetition", async () => {
  const initial = rightWords().map((word) => word + 5);
  const verdict = await verdictOf(changing("words[i] -= 5u;", initial));
  expect(verdict.kind).toBe("pass");
});

Deno.test("the guard stands behind given contents too", async () => {
  const past = "if (i == 0u) { words[arrayLength(&words) - 256u] = 1u; }";
  const verdict = await verdictOf(changing(past, rightWords()));
  expect(verdict).toMatchObject({ kind: "differ", mismatch: { differing: 0, overrun: 3 } });
});
