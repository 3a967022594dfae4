/** `samebits cases`: from a model's rows to goldens that run without it. */

import assert from "assert";
import { expect } from "expect";
import { caseAt, type Q1Input } from "../../cases/mod.ts";
import { dotQ1_0 } from "../../reference/mod.ts";
import { goldenProblems } from "../../tools/goldens/problems.ts";
import { openDevice } from "../../tools/runner/adapter.ts";
import { DeviceExecutor } from "../../tools/runner/device_executor.ts";
import { Copy } from "../goldens/copies.ts";
import { testAdapter } from "../support/gpu.ts";
import { samebits } from "../support/machine.ts";
import { type FileSpec, ModelFile, SMALL, TYPES } from "./gguf_file.ts";
import { ENGINE_KERNELS } from "../support/engine_kernels.ts";

const DESK = { CI: "" };
const TENSOR = "blk.0.attn_q.weight";

Deno.test("lists the tensors of few bits", async () => {
  using file = new ModelFile(SMALL);
  const { code, out } = await samebits(["cases", "--model", file.path]);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^tiny\.gguf: [\d,]+ bytes, 4 tensors \(Tiny Bonsai, qwen3, apache-2\.0\)\n/,
  );
  expect(out).toMatch(/blk\.0\.attn_q\.weight {2}Q1_0, group 128 {2}6 × 256\n/);
  expect(out).toMatch(/blk\.0\.attn_k\.weight {2}Q2_0, group 64 {3}4 × 256\n/);
  expect(out).not.toMatch("output_norm");
});

Deno.test("makes a case of each range, which runs where the model is not", async () => {
  using copy = new Copy();
  let addresses: string[];
  {
    using file = new ModelFile(SMALL);
    const make = ["cases", "--model", file.path, "--tensor", TENSOR, "--rows", "0-3,5"];
    const made = await samebits([...make, "--golden", copy.path], DESK);
    expect(made.err).toBe("");
    expect(made.code).toBe(0);
    addresses = [...made.out.matchAll(/^stored +(\S+) /gm)].map((match) => match[1]!);
    expect(addresses.map((address) => address.replace(/file=[0-9a-f]{12}/, "file=…"))).toEqual([
      `q1_0_matmul/model:file=…,tensor=${TENSOR},first=0,rows=4,n=256,cols=4,seed=1`,
      `q1_0_matmul/model:file=…,tensor=${TENSOR},first=5,rows=1,n=256,cols=4,seed=1`,
    ]);
    // Twice in a row changes nothing the second time.
    const before = copy.everything();
    const again = await samebits([...make, "--golden", copy.path], DESK);
    expect(again.out).toMatch(/^was there +q1_0/);
    expect(copy.everything()).toEqual(before);
  }
  const store = copy.store();
  const entry = store.manifest("q1_0_matmul").get(addresses[0]!)!;
  expect(entry).toMatchObject({
    reason: `Rows 0-3,5 of ${TENSOR} of tiny.gguf`,
    model: {
      file: "tiny.gguf",
      name: "Tiny Bonsai",
      license: "apache-2.0",
      tensor: TENSOR,
      type: "Q1_0",
      tensorRows: 6,
      bytes: 4 * 36,
    },
  });
  expect(entry.model!.sha256.startsWith(caseAt(addresses[0]!).parsed.parameters.get("file")!))
    .toBe(true);
  expect(store.storedInput(caseAt(addresses[0]!))).toEqual(SMALL.tensors[1]!.bytes.slice(0, 144));

  const cases = store.cases().filter(({ parsed }) => parsed.group === "model");
  expect(cases.map(({ address }) => address).sort()).toEqual([...addresses].sort());
  expect(goldenProblems(store, cases)).toEqual([]);
  const regenerated = await samebits(["golden", "--golden", copy.path, "*/model:*"], DESK);
  expect(regenerated.out).toMatch("0 new, 0 changed, 0 orphaned, 0 damaged\n2 goldens");
  expect(regenerated.code).toBe(0);

  let device: GPUDevice | undefined;
  const executor = new DeviceExecutor({
    open: async () => device = await openDevice(await testAdapter()),
    kernels: ENGINE_KERNELS,
    golden: (subject) => Promise.resolve(store.golden(subject)),
    storedInput: (subject) => Promise.resolve(store.storedInput(subject)),
  });
  const outcome = await executor.run(
    ENGINE_KERNELS.flatMap(({ name }) =>
      addresses.map((address) => ({ kernel: name, address, workgroup: 64 }))
    ),
  );
  device?.destroy();
  assert(outcome.kind === "results");
  expect(outcome.results.map(({ verdict }) => verdict.kind)).toEqual(Array(6).fill("pass"));
});

Deno.test("the activations have a layer's magnitudes, and no two columns are alike", () => {
  const address = `q1_0_matmul/model:file=0,tensor=t,first=0,rows=1,n=4096,cols=2,seed=3`;
  const { family, parsed } = caseAt(address);
  const weights = new Uint8Array(32 * 18).fill(0xff);
  const { activations } = family.input(parsed, weights) as Q1Input;
  const exponents = Array.from({ length: 256 }, (_, i) => {
    const half = activations[i * 34]! | (activations[i * 34 + 1]! << 8);
    return half >> 10; // positive scales
  });
  // 2^-12 to 2^-1: amax between 2^-4 and 2^6, by 127.
  expect(Math.min(...exponents)).toBeGreaterThanOrEqual(3);
  expect(Math.max(...exponents)).toBeLessThanOrEqual(14);
  expect(new Set(exponents).size).toBeGreaterThan(8);
  const [first, second] = [0, 4352].map((at) => activations.slice(at, at + 4352));
  expect(first).not.toEqual(second);
  const word = family.reference(family.input(parsed, weights))[1];
  expect(word).toBe(dotQ1_0(4096, weights, 0, activations, 4352));
});

Deno.test("a damaged stored input is named, and mended by making the case again", async () => {
  using copy = new Copy();
  using file = new ModelFile(SMALL);
  const make = ["cases", "--model", file.path, "--tensor", TENSOR, "--rows", "2", "--cols", "1"];
  const made = await samebits([...make, "--golden", copy.path], DESK);
  const address = /stored +(\S+)/.exec(made.out)![1]!;
  const before = copy.everything();
  Deno.truncateSync(copy.fileOf(address, "input").pathname, 7);

  const compared = await samebits(["golden", "--golden", copy.path, address], DESK);
  expect(compared.code).toBe(4);
  expect(compared.out).toMatch("1 damaged");
  expect(compared.out).toMatch(
    `Cannot read input of golden "${address}": 7 bytes, manifest says 36.`,
  );
  const [problem] = goldenProblems(copy.store(), [caseAt(address)]);
  expect(problem?.message).toMatch("It is truncated");
  await samebits([...make, "--golden", copy.path], DESK);
  expect(copy.everything()).toEqual(before);
});

const odd: FileSpec = {
  tensors: [{ ...SMALL.tensors[1]!, name: "blk/0/attn-q" }, SMALL.tensors[0]!],
};
const without: FileSpec = {
  tensors: [{ name: "a", type: TYPES.Q8_0, shape: [32, 2], bytes: new Uint8Array(68) }],
};

const MISTAKES: readonly [
  name: string,
  file: FileSpec,
  args: string[],
  code: number,
  says: RegExp,
][] = [
  [
    "--tensor without --rows",
    SMALL,
    ["--tensor", TENSOR],
    2,
    /--tensor and --rows belong together/,
  ],
  ["--rows without --tensor", SMALL, ["--rows", "1"], 2, /--tensor and --rows belong together/],
  [
    "no such tensor",
    SMALL,
    ["--tensor", "blk.9", "--rows", "1"],
    5,
    /Cannot find tensor "blk\.9" in tiny\.gguf\. List its tensors: deno task cases --model/,
  ],
  [
    "a tensor of another type",
    SMALL,
    ["--tensor", "output_norm.weight", "--rows", "0"],
    2,
    /Cannot make cases of tensor "output_norm\.weight": it is F32\. Use one of those/,
  ],
  [
    "two-bit weights",
    SMALL,
    ["--tensor", "blk.0.attn_k.weight", "--rows", "0"],
    2,
    /there is no family for Q2_0 weights yet\. Use a tensor of Q1_0/,
  ],
  ["rows out of range", SMALL, ["--tensor", TENSOR, "--rows", "5-6"], 2, /has 6 rows, 0 to 5/],
  ["rows that are none", SMALL, ["--tensor", TENSOR, "--rows", "x"], 2, /"x" is not a row/],
  ["columns that are none", SMALL, ["--cols", "0"], 2, /--cols.*whole number of at least 1/],
  [
    "a name that no address can hold",
    odd,
    ["--tensor", "blk/0/attn-q", "--rows", "0"],
    2,
    /an address holds letters, digits, _ and \. only/,
  ],
  ["a model without such tensors", without, [], 5, /none of its tensors is Q1_0 or Q2_0.*has Q8_0/],
];

for (const [name, spec, args, code, says] of MISTAKES) {
  Deno.test(`a mistake: ${name}`, async () => {
    using file = new ModelFile(spec);
    const ran = await samebits(["cases", "--model", file.path, ...args], DESK);
    expect(ran.err).toMatch(says);
    expect(ran.err).not.toMatch(/\n\s+at /); // no stack
    expect(ran.code).toBe(code);
  });
}

Deno.test("a mistake: no model, and storing in CI", async () => {
  expect((await samebits(["cases"])).code).toBe(2);
  const none = await samebits(["cases", "--model", "/nosuch.gguf"]);
  expect(none.err).toMatch(/Cannot read model \/nosuch\.gguf: No such file/);
  expect(none.code).toBe(2);
  using file = new ModelFile(SMALL);
  const make = ["cases", "--model", file.path, "--tensor", TENSOR, "--rows", "2"];
  const ran = await samebits(make, { CI: "1" });
  expect(ran.err).toMatch("the variable CI is set");
  expect(ran.code).toBe(2);
});
