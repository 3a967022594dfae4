/** Every planted fault is diagnosed with its own cause first. */
import { expect } from "expect";
import { caseAt } from "../../cases/mod.ts";
import type { Q1Input } from "../../cases/q1_0_matmul/input.ts";
import { consensusOf } from "../../tools/diagnose/consensus.ts";
import { diagnose, type Diagnosis, type Scene } from "../../tools/diagnose/diagnose.ts";
import { RIGHT, wordUnder } from "../../tools/diagnose/arithmetic.ts";
import { MODELS } from "../../tools/diagnose/models.ts";
import { openDevice } from "../../tools/runner/adapter.ts";
import { DeviceExecutor } from "../../tools/runner/device_executor.ts";
import { computeGolden } from "../../tools/runner/prove.ts";
import {
  type Fault,
  FAULTS,
  MOVING,
  NO_HIDE,
  OVERRUN,
  OWN_FMA,
  plant,
  RACE,
  RACE_ATTEMPTS,
  UNWRITTEN,
} from "../support/faults.ts";
import { adapterKind, testAdapter } from "../support/gpu.ts";

/** Cases that tell causes apart: ordinary, odd shapes, subnormal scales, traps, near-ties. */
const CASES = [
  "random:rows=64,n=1024,cols=9,seed=5",
  "tile:rows=33,n=256,cols=7,seed=1040",
  "edge:rows=9,n=256,cols=5,w=engine,signs=random,a=subnormal,quants=engine,seed=2013",
  "trap:rows=33,n=256,cols=8,seed=4002",
  "odd:rows=8,n=256,cols=12,seed=5001",
].map((name) => caseAt(`q1_0_matmul/${name}`));

async function diagnoses(fault: Fault, workgroup: number, repeats = 3): Promise<Diagnosis[]> {
  const kernel = plant(fault);
  const device = await openDevice(await testAdapter());
  const executor = new DeviceExecutor({
    open: () => Promise.resolve(device),
    kernels: [kernel],
    golden: computeGolden,
  });
  const found: Diagnosis[] = [];
  for (const subject of CASES) {
    const check = { kernel: kernel.name, address: subject.address, workgroup };
    const output = await executor.capture(check, repeats);
    if ("kind" in output) throw new Error(`${subject.address}: ${output.kind}`);
    const input = subject.family.input(subject.parsed);
    const golden = subject.family.expand(subject.family.reference(input), input);
    const diagnosis = diagnose({ subject, input, golden, output });
    if (diagnosis.blame !== "nothing") found.push(diagnosis);
  }
  device.destroy();
  return found;
}

const CAUSES: readonly (readonly [fault: Fault, cause: RegExp, workgroup?: number])[] = [
  ...([
    /rounded before it is added/,
    /-\(-128\) is taken as \+128/,
    /never written: .*last partial tile of columns/,
    /lanes are summed in another order/,
    /rounding to odd left out/,
    /subnormal f16 scales are read as zero/,
    /the last block .* left out/,
  ].map((cause, i) => [FAULTS[i]!, cause] as const)),
  [UNWRITTEN, /never written: one word, row 3, column 0/],
  [OVERRUN, /words past the end of the output are written/],
  [RACE, /read before it is written|the output moves/, 64],
];

for (const [fault, cause, workgroup = 64] of CAUSES) {
  Deno.test(`diagnosed: ${fault.name}`, async () => {
    const consensus = consensusOf(await diagnoses(fault, workgroup));
    expect(consensus.cause).toMatch(cause);
  });
}

Deno.test("diagnosed where they are wrong: fma in place of the built one, hide removed", async () => {
  const kind = await adapterKind();
  if (kind === "llvmpipe" || kind === "swiftshader") {
    expect(consensusOf(await diagnoses(OWN_FMA, 64)).cause).toMatch(/rounded before it is added/);
  }
  if (kind === "llvmpipe") {
    expect(consensusOf(await diagnoses(NO_HIDE, 64)).cause).toMatch(/folded to b in the built fma/);
  }
});

Deno.test("a result that moves is not deterministic, and no arithmetic is named", async () => {
  let consensus = consensusOf(await diagnoses(MOVING, 8, 8));
  for (let attempt = 1; consensus?.blame === "kernel" && attempt < RACE_ATTEMPTS; attempt++) {
    consensus = consensusOf(await diagnoses(MOVING, 8, 8));
  }
  expect(consensus).toMatchObject({ blame: "not deterministic" });
});

/** An output made on the CPU by rules, in place of a GPU's. */
function scene(name: string, change: (scene: Scene) => Partial<Scene>): Scene {
  const subject = caseAt(`q1_0_matmul/${name}`);
  const input = subject.family.input(subject.parsed);
  const golden = subject.family.expand(subject.family.reference(input), input);
  const right = { subject, input, golden, output: { repeats: [golden], overrun: 0 } };
  return { ...right, ...change(right) };
}

function under(rules: Partial<typeof RIGHT>, { input, golden }: Scene): Scene["output"] {
  const q1 = input as Q1Input;
  const words = golden.map((_, at) =>
    // What nobody knows comes as zero.
    wordUnder({ ...RIGHT, ...rules }, q1, at % q1.rows, Math.floor(at / q1.rows)) ?? 0
  );
  return { repeats: [words], overrun: 0 };
}

const ORDINARY = "random:rows=37,n=640,cols=7,seed=7";

Deno.test("with no rule changed the models' arithmetic is the reference's", () => {
  for (const subject of CASES) {
    const name = subject.address.split("/")[1]!;
    const { golden, output } = scene(name, (right) => ({ output: under({}, right) }));
    expect([...output.repeats[0]!]).toEqual([...golden]);
  }
});

Deno.test("every model that makes a difference is found again, among causes that do the same", () => {
  for (const { cause, rules } of MODELS) {
    const made = scene(ORDINARY, (right) => ({ output: under(rules, right) }));
    const diagnosis = diagnose(made);
    if (diagnosis.blame === "nothing") continue;
    const named = [diagnosis.cause, ...diagnosis.ranked.map((one) => one.cause)];
    expect({ cause, isFound: diagnosis.isComplete && named.includes(cause) })
      .toEqual({ cause, isFound: true });
  }
});

Deno.test("two causes at once are found as a pair", () => {
  const rules = { subtracted: (byte: number) => -((byte << 24) >> 24), signSubBlock: () => 0 };
  const found = diagnose(scene(ORDINARY, (right) => ({ output: under(rules, right) })));
  expect(found.isComplete).toBe(true);
  expect(found.cause).toMatch(/; and /);
});

Deno.test("what nobody knows is described, not guessed", () => {
  const found = diagnose(scene(ORDINARY, ({ golden }) => {
    const words = golden.slice();
    for (let at = 0; at < words.length; at += 37) words[at + 5]! ^= 1 << 7;
    return { output: { repeats: [words], overrun: 0 } };
  }));
  expect(found).toMatchObject({ isComplete: false, blame: "kernel" });
  expect(found.cause).toMatch(
    /no known cause.*all words of row 5; only bit 7 of the words is wrong/,
  );
});

Deno.test("a damaged golden is blamed, and not the kernel", () => {
  const found = diagnose(scene(ORDINARY, ({ golden }) => {
    const damaged = golden.slice();
    damaged[3]! ^= 1;
    return { golden: damaged };
  }));
  expect(found.blame).toBe("golden");
});

Deno.test("the second adapter decides between the kernel and the adapter", () => {
  const wrong = (words: (right: Scene, output: Scene["output"]) => Uint32Array) =>
    diagnose(scene(ORDINARY, (right) => {
      const output = under({ blocks: () => [0] }, right);
      return { output, second: { adapter: "another", words: words(right, output) } };
    })).blame;
  expect(wrong(({ golden }) => golden)).toBe("adapter");
  expect(wrong((_, { repeats }) => repeats[0]!)).toBe("kernel");
});

Deno.test("a diagnosis takes less than two seconds, of long rows too", () => {
  for (const name of [ORDINARY, "trap:rows=3,n=16384,cols=8,seed=4011"]) {
    const made = scene(name, ({ golden }) => ({
      output: { repeats: [golden.map((word) => word ^ 0x00100000)], overrun: 0 },
    }));
    const begun = performance.now();
    diagnose(made);
    expect(performance.now() - begun).toBeLessThan(2_000);
  }
});
