/**
 * The thread that makes goldens, one after the other.
 *
 * @module
 */
import { caseAt } from "../../cases/mod.ts";
import { Failure } from "../exit_codes.ts";
import { compareOutput } from "../runner/compare.ts";
import { loadEngine } from "./engine/module.ts";
import { ENGINE_FAMILY, EngineReference } from "./engine/reference.ts";
import { makeGolden } from "./fresh.ts";
import type { Job, Outcome, Setup } from "./pool.ts";

const scope = self as unknown as {
  onmessage: (event: MessageEvent<Setup | Job>) => void;
  postMessage(outcome: Outcome): void;
};

let setup: Setup;
let engine: EngineReference | undefined;

scope.onmessage = async ({ data }) => {
  if ("modules" in data) setup = data;
  else scope.postMessage(await outcomeOf(data));
};

async function outcomeOf({ address, stored }: Job): Promise<Outcome> {
  const subject = caseAt(address);
  const { family, parsed } = subject;
  try {
    const input = family.input(parsed, stored?.bytes);
    const words = family.reference(input);
    if (setup.engine && family.name === ENGINE_FAMILY) {
      const { bytes, file } = setup.engine;
      engine ??= new EngineReference(await loadEngine(bytes, file), file);
      const output = { repeats: [engine.words(input)], overrun: 0 };
      const { cols } = family.grid(input);
      const mismatch = compareOutput(
        words,
        output,
        { rows: words.length / cols, cols },
        family.words,
      );
      if (mismatch) return { kind: "disagreement", mismatch };
    }
    const golden = await makeGolden(subject, input, words, setup.modules, stored?.model);
    return { kind: "golden", ...golden };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { kind: "failure", exitCode: error.exitCode, message: error.message };
  }
}
