/**
 * The process that times kernels. It may hang or crash; the command that started it lives on.
 *
 * @module
 */
import { EXIT, Failure } from "../exit_codes.ts";
import { GoldenStore } from "../goldens/store.ts";
import { decodeLine, linesOf } from "../isolation/protocol.ts";
import { adapterRequest, reply, serveAndExit } from "../isolation/serving.ts";
import { measureRules } from "../profile/measure.ts";
import { describeAdapter, openDevice } from "../runner/adapter.ts";
import { measureBandwidth } from "./bandwidth.ts";
import { Bench } from "./bench.ts";
import type { Clock } from "./clock.ts";
import type { TimingAssignment, TimingReply, TimingRequest } from "./protocol.ts";
import { riseToFullSpeed } from "./rise.ts";
import { SlopeClock } from "./slope.ts";
import { TimestampClock } from "./timestamps.ts";

async function serve(): Promise<void> {
  const lines = linesOf(Deno.stdin.readable);
  const assignment = decodeLine<TimingAssignment>((await lines.next()).value!)!;
  const adapter = await adapterRequest(assignment)();
  const description = adapter && describeAdapter(adapter);
  answer({ kind: "adapter", adapter: description });
  if (!adapter) return;
  const first = await lines.next(); // a device is opened only where there is something to do
  if (first.done) return;
  const device = await openDevice(adapter);
  const { software } = description!;
  const goldens = new GoldenStore(new URL(assignment.goldenFolder));
  const clock = clockOf(device, assignment);
  const bench = new Bench({ device, clock, goldens, software, progress });
  for (let line: IteratorResult<string> = first; !line.done; line = await lines.next()) {
    const request = decodeLine<TimingRequest>(line.value)!;
    answer(await orFailure(() => serveOne(request, bench, device, clock, software)));
  }
}

async function serveOne(
  request: TimingRequest,
  bench: Bench,
  device: GPUDevice,
  clock: Clock,
  software: boolean,
): Promise<TimingReply> {
  switch (request.kind) {
    case "prove":
      return { kind: "proved", verdicts: await bench.prove(request.targets) };
    case "rules":
      return { kind: "rules", rules: await measureRules(device) };
    case "measure": {
      const measurement = await bench.measure(request.ids, request.measuring);
      return { kind: "measured", measurement };
    }
    case "bandwidth": {
      const { sizes, passes } = request;
      if (!software) await riseToFullSpeed(device);
      const points = await measureBandwidth(device, clock, sizes, passes, progress);
      return { kind: "bandwidths", points };
    }
  }
}

function clockOf(device: GPUDevice, { clock }: TimingAssignment): Clock {
  const has = device.features.has("timestamp-query");
  if (clock === "timestamps" && !has) {
    throw new Failure(
      EXIT.adapter,
      "Cannot time by timestamps: the adapter has no timestamp-query. Leave --clock out: the " +
        "slope between two counts is used then, which takes longer.",
    );
  }
  return has && clock !== "slope" ? new TimestampClock(device) : new SlopeClock(device);
}

/** What the GPU does to a run is told, not thrown. */
async function orFailure(serve: () => Promise<TimingReply>): Promise<TimingReply> {
  try {
    return await serve();
  } catch (error) {
    const isGpu = error instanceof DOMException || error instanceof Error &&
        (error.name === "BatchError" || error.constructor.name.startsWith("GPU"));
    if (!isGpu) throw error;
    throw new Failure(
      EXIT.differs,
      `Cannot time: the GPU refused the run: ${(error as Error).message}. Time fewer or smaller ` +
        "cases; if it was lost, see whether deno task gate passes.",
    );
  }
}

function progress(done: number): void {
  answer({ kind: "progress", done });
}

function answer(value: TimingReply): void {
  reply(value);
}

if (import.meta.main) await serveAndExit(serve);
