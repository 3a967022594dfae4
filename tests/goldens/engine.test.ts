/** The engine's own reference beside ours. */

import { expect } from "expect";
import { samebits } from "../support/machine.ts";
import { Copy } from "./copies.ts";
import { assemble, engineText, type Parts, ROUND_TO_ODD } from "./engine_wat.ts";

/** Asks samebits with a module in a file of its own; `%` in the arguments stands for the file. */
async function withModule(module: Uint8Array | string, args: string[]) {
  const file = Deno.makeTempFileSync({ suffix: ".wasm" });
  try {
    if (typeof module === "string") Deno.writeTextFileSync(file, module);
    else Deno.writeFileSync(file, module);
    const { code, out, err } = await samebits(args.map((arg) => arg.replace("%", file)), {
      CI: "",
    });
    return { code, out: out.replaceAll(file, "FILE"), err: err.replaceAll(file, "FILE") };
  } finally {
    Deno.removeSync(file);
  }
}

async function withParts(parts: Parts, args: string[]) {
  return await withModule(await assemble(engineText(parts)), args);
}

const FEW = "q1_0_matmul/random:rows=64*";

Deno.test("a dot product written from the specification agrees on every case", async () => {
  const { code, out, err } = await withParts({}, ["reference", "--wasm", "%"]);
  expect(err).toBe("");
  expect(out).toMatch(/FILE and our reference agree on every word of \d+ cases\./);
  expect(out).toMatch(/\d+ goldens, [\d,]+ M weight products in [\d.]+ s: [\d,]+ M a second/);
  expect(code).toBe(0);
});

/** Roundings that are almost right, and a case group that must see each. */
const WRONG: readonly [name: string, round: string][] = [
  ["rounded to f64, then to f32", "(local.get $sum)"],
  [
    "not fused",
    `(f64.promote_f32 (f32.add (f32.demote_f64 (local.get $product)) (local.get $c)))`,
  ],
  [
    "rounded to the wrong odd neighbour",
    ROUND_TO_ODD.replace(
      "(select (i64.const 1) (i64.const -1)",
      "(select (i64.const -1) (i64.const 1)",
    ),
  ],
];

for (const [name, round] of WRONG) {
  Deno.test(`a module whose fused operation is ${name} is caught, and stops everything`, async () => {
    const compared = await withParts({ round }, ["reference", "--wasm", "%"]);
    expect(compared.code).toBe(1);
    expect(compared.out).toBe("");
    // The words of a kernel's mismatch, as tools/report/text.ts has them.
    expect(compared.err).toMatch(/^DIFFER {2}FILE: q1_0_matmul\//);
    expect(compared.err).toMatch(/ words?: [\d,]+ of [\d,]+; the first at row \d+, column \d+/);
    expect(compared.err).toMatch(/-> +\d+ {2}[0-9a-f]{8} .*[0-9a-f]{8} /);
    expect(compared.err).toMatch(/again: deno task reference --wasm FILE 'q1_0_matmul\//);
    expect(compared.err).toMatch("Two references differ");
  });
}

Deno.test("golden --accept is refused when the two references differ on any word", async () => {
  using copy = new Copy();
  const address = "q1_0_matmul/trap:rows=1,n=256,cols=1,seed=4000"; // one word
  copy.write(address, "");
  const accept = ["golden", "--golden", copy.path, "--accept", "--reason", "x", address];
  const before = copy.everything();
  const wrong = { round: "(local.get $sum)" };
  const refused = await withParts(wrong, [...accept, "--reference", "wasm:%"]);
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch("1 of 1; the first at row 0, column 0");
  expect(copy.everything()).toEqual(before);

  const accepted = await withParts({}, [...accept, "--reference", "wasm:%"]);
  expect(accepted.code).toBe(0);
  const entry = copy.store().manifest("q1_0_matmul").get(address)!;
  expect(entry.engine).toMatch(/^[0-9a-f]{64}$/); // who agreed
  expect(copy.message(address)).toBe("");
});

const UNUSABLE: readonly [name: string, parts: Parts, code: number, says: RegExp][] = [
  [
    "without the exports",
    { exports: `(export "memory" (memory 0))` },
    2,
    /does not export the function browseml_alloc, the function browseml_q1_dot_ref\. Build/,
  ],
  [
    "that exports a function as memory",
    {
      exports: `(export "memory" (func $alloc)) (export "browseml_alloc" (func $alloc))
        (export "browseml_q1_dot_ref" (func $dot))`,
    },
    2,
    /does not export the memory memory\./,
  ],
  [
    "that traps",
    { prologue: "unreachable" },
    1,
    /Cannot compute with FILE: browseml_q1_dot_ref \(n = \d+\) trapped: unreachable\. Debug/,
  ],
  [
    "whose memory grows at every call",
    { prologue: "(drop (memory.grow (i32.const 1)))" },
    1,
    /its memory grew in each of the last 16 calls of browseml_q1_dot_ref, to [\d,]+ bytes\. It leaks/,
  ],
  [
    "that needs a function nobody can answer",
    { imports: `(import "env" "time_now" (func $now (result i32)))` },
    2,
    /imports the function "env\.time_now", and nobody here can answer that\. Answered are/,
  ],
  [
    "that needs a memory",
    { imports: `(import "env" "table" (table 1 funcref))` },
    2,
    /imports the table "env\.table", and nobody here can answer that/,
  ],
  [
    "that calls an unknown function of WASI",
    {
      imports: `(import "wasi_snapshot_preview1" "fd_fly" (func $fly (result i32)))`,
      prologue: "(drop (call $fly))",
    },
    1,
    /trapped: it called wasi_snapshot_preview1\.fd_fly, and there is no such function/,
  ],
  [
    "that ends itself",
    {
      imports: `(import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))`,
      prologue: "(call $exit (i32.const 3))",
    },
    1,
    /trapped: it ended itself \(proc_exit 3\)/,
  ],
  [
    "that allocates nothing",
    { alloc: "(i32.const 0)" },
    1,
    /browseml_alloc\(\d+\) gave 0, and the memory has 65,536 bytes\./,
  ],
  [
    "that allocates beyond its memory",
    { alloc: "(i32.const 0x7fffff00)" },
    1,
    /browseml_alloc\(\d+\) gave 2147483392, and the memory has/,
  ],
  [
    "whose allocator traps",
    { alloc: "unreachable" },
    1,
    /browseml_alloc\(\d+\) trapped: unreachable/,
  ],
  [
    "that fails when started",
    { more: "(func $start unreachable) (start $start)" },
    2,
    /it fails when it is started: unreachable\./,
  ],
];

for (const [name, parts, code, says] of UNUSABLE) {
  Deno.test(`a module ${name} is refused for that`, async () => {
    const ran = await withParts(parts, ["reference", "--wasm", "%", FEW]);
    expect(ran.err).toMatch(says);
    expect(ran.err).not.toMatch(/\n\s+at /); // no stack
    expect(ran.code).toBe(code);
  });
}

Deno.test("a file that is not WebAssembly, a truncated one and a missing one", async () => {
  const text = await withModule("GGUF and so on", ["reference", "--wasm", "%", FEW]);
  expect(text.err).toMatch(/Cannot use FILE as a reference: it is not WebAssembly/);
  const cut = (await assemble(engineText())).subarray(0, 99);
  const truncated = await withModule(cut, ["reference", "--wasm", "%", FEW]);
  expect(truncated.err).toMatch(/it is WebAssembly that does not compile .* truncated/);
  const missing = await samebits(["reference", "--wasm", "/nosuch.wasm", FEW]);
  expect(missing.err).toMatch(/Cannot read the engine's module \/nosuch\.wasm: No such file/);
  expect([text.code, truncated.code, missing.code]).toEqual([2, 2, 2]);
});

Deno.test("a module is prepared by its _initialize, and its memory may move", async () => {
  const ran = await withParts({
    more: `(global $ready (mut i32) (i32.const 0))
      (func (export "_initialize") (global.set $ready (i32.const 1)))
      (global $calls (mut i32) (i32.const 0))`,
    // Grows at every other call, as a module may.
    prologue: `(if (i32.eqz (global.get $ready)) (then unreachable))
      (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
      (if (i32.and (global.get $calls) (i32.const 1)) (then (drop (memory.grow (i32.const 1)))))`,
  }, ["reference", "--wasm", "%", FEW]);
  expect(ran.err).toBe("");
  expect(ran.code).toBe(0);
});

Deno.test("the engine's memory, which is never freed, is taken once for each size", async () => {
  const ran = await withParts({
    more: "(global $allocations (mut i32) (i32.const 0))",
    alloc: `(local $at i32)
      (global.set $allocations (i32.add (global.get $allocations) (i32.const 1)))
      (if (i32.gt_u (global.get $allocations) (i32.const 12)) (then unreachable))
      (local.set $at (global.get $heap))
      (global.set $heap (i32.add (local.get $at) (local.get $bytes)))
      (local.get $at)`,
  }, ["reference", "--wasm", "%", "q1_0_matmul/random*"]);
  expect(ran.err).toBe("");
});

Deno.test("wrong ways to name the engine's module", async () => {
  const forms = [
    ["golden", "--reference", "browseml.wasm"],
    ["golden", "--reference", "wasm:"],
    ["golden", "--reference", "wasm:/nosuch.wasm"],
    ["reference"],
  ];
  for (const args of forms) {
    const { code, err } = await samebits(args);
    expect(code).toBe(2);
    expect(err).toMatch(/wasm/);
  }
  const { code } = await withParts({}, ["reference", "--wasm", "%", "nosuch*"]);
  expect(code).toBe(5);
});
