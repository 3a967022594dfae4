/**
 * `samebits list`: what there is.
 *
 * @module
 */
import { Command } from "cli";
import { FAMILIES } from "../../cases/mod.ts";
import { KERNELS } from "../../kernels/mod.ts";
import { chooseAdapter, type ChosenAdapter } from "../adapters/choose.ts";
import { driverFiles } from "../adapters/driver_files.ts";
import { embeddedRunsHere } from "../adapters/embedded/embedded.ts";
import { Failure } from "../exit_codes.ts";
import { GOLDEN_FOLDER, GoldenStore } from "../goldens/store.ts";
import { adapterLines } from "../report/text.ts";
import { selectCases } from "./selection.ts";

export function listCommand(): Command {
  const list = new Command("list").description("List kernels, families, cases or adapters.");
  list.command("kernels").description("Kernels, their families and files.").action(kernels);
  list.command("families").description("Families and how many cases each has.").action(families);
  list.command("cases").description("Addresses of cases.")
    .argument("[addresses...]", "globs; default: every case")
    .action((globs: string[]) => {
      for (const { address } of selectCases(globs, new GoldenStore().cases())) console.log(address);
    });
  list.command("adapters").description("Every adapter that a run could use on this machine.")
    .action(adapters);
  return list;
}

function kernels(): void {
  for (const { name, family, file, workgroup } of KERNELS) {
    const size = workgroup.kind === "fixed"
      ? `workgroup ${workgroup.size}`
      : `workgroup ${workgroup.name}, a multiple of ${workgroup.step}`;
    console.log(`${name.padEnd(16)} ${family.padEnd(16)} ${file.padEnd(32)} ${size}`);
  }
}

function families(): void {
  for (const { name, contract, addresses } of FAMILIES) {
    console.log(`${name.padEnd(16)} ${contract.padEnd(8)} ${addresses().length} cases`);
  }
}

async function adapters(): Promise<void> {
  const wishes = ["default", ...driverFiles(), ...embeddedRunsHere() ? ["embedded"] : []];
  for (const adapter of wishes) {
    console.log(`--adapter ${adapter}`);
    for (const line of await describe(adapter)) console.log(`  ${line}`);
  }
}

async function describe(adapter: string): Promise<string[]> {
  let chosen: ChosenAdapter;
  try {
    chosen = await chooseAdapter(
      { adapter },
      { goldenFolder: GOLDEN_FOLDER.href, repeats: 1, texts: [] },
      30,
    );
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [error.message];
  }
  chosen.executor.close();
  return adapterLines(chosen);
}
