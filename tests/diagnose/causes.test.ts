/** Every planted fault is diagnosed with its own cause first. */
import { expect } from "expect";
import { caseAt } from "../../cases/mod.ts";
import type { Q1Input } from "../../cases/q1_0_matmul/input.ts";
import { consensusOf } from "../../tools/diagnose/consensus.ts";
import { diagnose, type Diagnosis, type Scene } from "../../tools/diagnose/diagnose.ts";
import { RIGHT, wordUnder } from "../../tools/diagnose/arithmetic.ts";
import { MODELS } from "../../tools/diagnose/models.ts";
import { CASES, looksInto } from "../support/diagnosing.ts";
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
import { adapterKind } from "../support/gpu.ts";

async function diagnoses(fault: Fault, workgroup: number, repeats = 3): Promise<Diagnosis[]> {
  const looks = await looksInto(plant(fault), { workgroup, repeats });
  return looks.map(({ diagnosis }) => diagnosis);
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

Deno.test("a reference that is wrong is blamed, with the golden that it made", () => {
  const found = diagnose(scene(ORDINARY, ({ subject, golden }) => {
    const wrong = golden.slice();
    wrong[3]! ^= 1;
    const family = { ...subject.family, reference: () => wrong };
    return { subject: { ...subject, family }, golden: wrong };
  }));
  expect(found.blame).toBe("reference");
});

Deno.test("words that are not the second adapter's either are no reference's fault", () => {
  const found = diagnose(scene(ORDINARY, ({ golden }) => {
    const words = golden.slice();
    words[3]! ^= 1;
    const output = { repeats: [words], overrun: 0 };
    return { output, second: { adapter: "another", words } };
  }));
  expect(found).toMatchObject({ blame: "kernel" });
  expect(found.corners).toContain(
    "the second adapter (another): differs from it in 1 words, with the same bits as this GPU",
  );
});

Deno.test("where loops are cut off, a second adapter that hangs tells an endless one", () => {
  const found = (rules: Scene["rules"]) =>
    diagnose(scene(ORDINARY, ({ golden }) => ({
      output: { repeats: [golden.map((word) => word ^ 0x00155000)], overrun: 0 },
      second: { adapter: "another", failure: "No end within 1 s." },
      ...(rules && { rules }),
    })));
  expect(found({ loop_rounds: 65_531 }).cause).toMatch(/a loop that never ends.*65531 rounds/);
  expect(found({ loop_rounds: "unlimited" }).cause).toMatch(/no known cause/);
  expect(found(undefined).corners.at(-1)).toContain("no output: No end within 1 s.");
});

/** A diagnosis of a cause that explains so many words of a check. */
function diagnosisOf(cause?: string, explained = 40, againstTrace = false): Diagnosis {
  const one = { explained, differing: explained, contradicted: 0, agreeing: 0 };
  return {
    blame: "kernel",
    cause: cause ?? "no known cause explains it",
    isComplete: cause !== undefined,
    picture: "every word",
    corners: [],
    ranked: cause === undefined ? [] : [{ cause, ...one, ...(againstTrace && { againstTrace }) }],
  };
}

Deno.test("a cause that explains one check of many is chance, and not named", () => {
  const unknown = Array.from({ length: 5 }, () => diagnosisOf(undefined));
  expect(consensusOf([diagnosisOf("a"), ...unknown])).toEqual({
    blame: "kernel",
    explains: 0,
    of: 6,
  });
  // Many words of two checks are none; few words are.
  expect(consensusOf([diagnosisOf("a"), diagnosisOf("a"), ...unknown]).cause).toBe("a");
  expect(consensusOf([diagnosisOf("a", 3), diagnosisOf("a", 3), ...unknown]).cause).toBe(undefined);
});

Deno.test("of causes that explain as much, the one that goes the way of the trace is named", () => {
  const both = (first: string, second: string): Diagnosis => {
    const one = diagnosisOf(first, 40, true);
    return { ...one, ranked: [...one.ranked, ...diagnosisOf(second).ranked] };
  };
  expect(consensusOf([both("a", "b"), both("a", "b")]).cause).toBe("b");
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
