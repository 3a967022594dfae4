/**
 * Waiting until a card runs at full speed. Its clock rises in steps while there is work, and each
 * step looks settled: an H200 that had been idle ran at a fifth, a quarter and less than half of its
 * speed, each for some tenths of a second.
 *
 * @module
 */
import { errorScope } from "../runner/error_scope.ts";
import { BatchError } from "../runner/batch.ts";
import { arithmeticWork, OUTPUT_BYTES } from "./programs.ts";
import { wallClock } from "./slope.ts";

/** A span of work that the wall clock tells well, and that no driver takes for a hang. */
const SPAN_NS = 100e6;
/** A span shorter by less is the wall clock's wandering. */
const RISE = 0.05;
/** Longer than any step lasted there. */
const STEADY_NS = 1e9;
/** A machine that others use too may never be steady. */
const LONGEST_NS = 5e9;

/** Keeps the device busy until its speed has not risen for a while. */
export async function riseToFullSpeed(device: GPUDevice): Promise<void> {
  let out: GPUBuffer | undefined;
  let work: ReturnType<typeof arithmeticWork> | undefined;
  const problem = await errorScope(device, () => {
    out = device.createBuffer({ size: OUTPUT_BYTES, usage: GPUBufferUsage.STORAGE });
    work = arithmeticWork(device, out);
  });
  if (problem !== undefined) throw new BatchError(problem);
  await untilSteady((count) => wallClock(device, { work: work!, count }));
  out!.destroy();
}

/** @param span nanoseconds that so many runs take */
export async function untilSteady(span: (count: number) => Promise<number>): Promise<void> {
  let count = 1;
  let reached = await span(count);
  while (reached < SPAN_NS) {
    count *= 2;
    reached = await span(count);
  }
  let spent = 0;
  for (let steady = 0; steady < STEADY_NS && spent < LONGEST_NS;) {
    const ns = await span(count);
    spent += ns;
    const risen = ns < reached * (1 - RISE);
    steady = risen ? 0 : steady + ns;
    if (risen) reached = ns;
  }
}
