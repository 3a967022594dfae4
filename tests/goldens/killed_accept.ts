/**
 * Accepts a golden and is killed between the two renames: run as a process of its own by
 * accept.test.ts. Arguments: the folder of goldens, an address.
 *
 * @module
 */
import { pathToFileURL } from "node:url";
import { caseAt } from "../../cases/mod.ts";
import { acceptGoldens, type Disk } from "../../tools/goldens/accept.ts";
import { makeGolden } from "../../tools/goldens/fresh.ts";
import { GoldenStore } from "../../tools/goldens/store.ts";

const [folder, address] = Deno.args as [string, string];
const subject = caseAt(address);
const input = subject.family.input(subject.parsed);
const words = subject.family.reference(input);
const fresh = { subject, ...await makeGolden(subject, input, words, { module: "test" }) };

let renames = 0;
const disk: Disk = {
  writeFileSync: Deno.writeFileSync,
  copyFileSync: Deno.copyFileSync,
  renameSync: (from, to) => {
    if (renames++ === 1) Deno.kill(Deno.pid, "SIGKILL");
    Deno.renameSync(from, to);
  },
};
const acceptance = { fresh: [fresh], removed: new Set<string>(), reason: "killed" };
acceptGoldens(new GoldenStore(pathToFileURL(`${folder}/`)), "q1_0_matmul", acceptance, disk);
