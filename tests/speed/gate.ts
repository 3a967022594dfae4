/**
 * How fast the gate is: `deno task speed [RUNS]`. Prints figures; judges nothing.
 *
 * @module
 */
import { join } from "node:path";
import { samebits } from "../support/machine.ts";

/** What was measured of some runs of one command line. */
export interface Figures {
  readonly what: string;
  /** Process start to exit, in seconds, ascending. */
  readonly seconds: readonly number[];
  readonly checks: number;
  /** Checks a second between the first check and the last verdict, in the fastest run. */
  readonly checksPerSecond: number;
  /** Resident memory of the command and the GPU's process together, largest seen, in MB. */
  readonly peakMegabytes: number;
}

/** Runs the gate some times. */
export async function measureGate(
  what: string,
  args: readonly string[],
  runs: number,
): Promise<Figures> {
  const folder = Deno.makeTempDirSync();
  const json = join(folder, "record.json");
  const seconds: number[] = [];
  let checks = 0;
  let fastest = Infinity;
  const memory = new MemoryWatch();
  for (let i = 0; i < runs; i++) {
    const begun = performance.now();
    const { code, err } = await samebits(["gate", "--record", json, ...args]);
    seconds.push((performance.now() - begun) / 1000);
    if (code !== 0) throw new Error(`the gate ended with ${code}: ${err}`);
    const record = JSON.parse(Deno.readTextFileSync(json));
    checks = record.results.length;
    fastest = Math.min(fastest, record.seconds);
  }
  const peakMegabytes = await memory.end();
  Deno.removeSync(folder, { recursive: true });
  return {
    what,
    seconds: seconds.sort((a, b) => a - b),
    checks,
    checksPerSecond: checks / fastest,
    peakMegabytes,
  };
}

/** Adds up the memory of this process's descendants, again and again. */
class MemoryWatch {
  #peak = 0;
  #ended = false;
  readonly #watching = this.#watch();

  async end(): Promise<number> {
    this.#ended = true;
    await this.#watching;
    return this.#peak;
  }

  async #watch(): Promise<void> {
    while (!this.#ended) {
      this.#peak = Math.max(this.#peak, await descendantsMegabytes());
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function descendantsMegabytes(): Promise<number> {
  const { stdout } = await new Deno.Command("ps", { args: ["-eo", "pid=,ppid=,rss="] }).output();
  const processes = new TextDecoder().decode(stdout).trim().split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number, number]);
  const family = new Set([Deno.pid]);
  for (let before = 0; before < family.size;) {
    before = family.size;
    for (const [pid, parent] of processes) if (family.has(parent)) family.add(pid);
  }
  return processes.filter(([pid]) => family.has(pid) && pid !== Deno.pid)
    .reduce((sum, [, , kilobytes]) => sum + kilobytes / 1024, 0);
}

function line({ what, seconds, checks, checksPerSecond, peakMegabytes }: Figures): string {
  const median = seconds[seconds.length >> 1]!;
  return `${what}: ${checks} checks; whole command ${median.toFixed(2)} s (median of ` +
    `${seconds.length}, best ${seconds[0]!.toFixed(2)}); ${Math.round(checksPerSecond)} checks/s ` +
    `with the device open; at most ${Math.round(peakMegabytes)} MB`;
}

if (import.meta.main) {
  const runs = Number(Deno.args[0] ?? 5);
  console.log(line(await measureGate("gate", [], runs)));
  const groups = ["*/random:*", "*/tile:*", "*/edge:*"];
  console.log(line(await measureGate("random, tile and edge", groups, runs)));
}
