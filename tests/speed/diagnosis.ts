/**
 * How long it takes to say why a check fails: printed by `deno task speed`. Prints figures; judges
 * nothing.
 *
 * @module
 */
import { caseAt } from "../../cases/mod.ts";
import { whyItDiffers } from "../../tools/diagnose/look.ts";
import { withExecutor } from "../support/diagnosing.ts";
import { type Fault, plant } from "../support/faults.ts";

/** A cause that is found at once, and one that nobody has a model of, so that all are tried. */
const FAULTS: readonly Fault[] = [
  {
    name: "a known cause",
    kernel: "Q1_MM",
    replace: [["let negated = (-q << 24u) >> 24u;", "let negated = -q;"]],
  },
  { name: "an unknown cause", kernel: "Q1_MM", replace: [["return sum;\n", "return sum + 1;\n"]] },
];

/** The largest quick cases by work and by length, and matrices of a model. */
const ADDRESSES = [
  "random:rows=256,n=2048,cols=5,seed=1",
  "edge:rows=5,n=16384,cols=3,w=engine,signs=random,a=engine,quants=engine,seed=2097",
  "layer:model=1.7B,matrix=attn_k,cols=1,seed=1",
  "layer:model=1.7B,matrix=ffn_down,cols=1,seed=1",
].map((name) => `q1_0_matmul/${name}`);

/** Milliseconds from a failing check to its diagnosis, on a device that has run it before. */
export function measureDiagnosis(fault: Fault, address: string): Promise<number> {
  const kernel = plant(fault);
  const { family, parsed } = caseAt(address);
  const input = family.input(parsed);
  const golden = family.expand(family.reference(input), input);
  const check = { kernel: kernel.name, address, workgroup: 64 };
  return withExecutor(kernel, async (executor) => {
    await executor.capture(check, 1);
    const begun = performance.now();
    const look = await whyItDiffers(executor, check, { kernel, input, golden });
    if (typeof look === "string") throw new Error(look);
    return performance.now() - begun;
  });
}

if (import.meta.main) {
  for (const fault of FAULTS) {
    for (const address of ADDRESSES) {
      const milliseconds = await measureDiagnosis(fault, address);
      console.log(`why ${address} differs, ${fault.name}: ${Math.round(milliseconds)} ms`);
    }
  }
  Deno.exit(0); // without waiting for the driver's threads
}
