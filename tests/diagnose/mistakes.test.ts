/** Mistakes of kernels' authors: the right cause stands first, or the first wrong step is named. */
import { expect } from "expect";
import { consensusOf } from "../../tools/diagnose/consensus.ts";
import { looksInto } from "../support/diagnosing.ts";
import { plant } from "../support/faults.ts";
import { MISTAKES } from "../support/mistakes.ts";

for (const mistake of MISTAKES) {
  Deno.test(`diagnosed: ${mistake.name}`, async () => {
    const diagnoses = (await looksInto(plant(mistake))).map(({ diagnosis }) => diagnosis);
    const { cause, first, blame } = consensusOf(diagnoses);
    expect(blame).toBe("kernel");
    if ("cause" in mistake) {
      expect(cause).toMatch(mistake.cause);
    } else {
      expect(cause).toBe(undefined);
      expect(first?.place.source).toContain(mistake.statement);
      expect(first?.checks).toBeGreaterThan(diagnoses.length / 2);
    }
  });
}
