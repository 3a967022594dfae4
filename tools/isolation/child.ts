/**
 * The process that touches the GPU. It may hang or crash; the command that started it lives on.
 *
 * @module
 */
import { KERNELS } from "../../kernels/mod.ts";
import { GoldenStore } from "../goldens/store.ts";
import { describeAdapter, openDevice } from "../runner/adapter.ts";
import { DeviceExecutor } from "../runner/device_executor.ts";
import {
  type Assignment,
  decodeLine,
  linesOf,
  type Reply,
  type Request,
  type TextOverride,
} from "./protocol.ts";
import { adapterRequest, reply, serveAndExit } from "./serving.ts";

async function serve(): Promise<void> {
  const lines = linesOf(Deno.stdin.readable);
  const assignment = decodeLine<Assignment>((await lines.next()).value!)!;
  const request = adapterRequest(assignment);
  const adapter = await request();
  answer({ kind: "adapter", adapter: adapter && describeAdapter(adapter) });
  if (!adapter) return;

  const store = new GoldenStore(new URL(assignment.goldenFolder));
  let unused: GPUAdapter | null = adapter;
  const executor = new DeviceExecutor({
    open: async () => {
      // An adapter gives one device; after a loss another adapter must be asked for.
      const fresh = unused ?? await request();
      unused = null;
      if (!fresh) throw new Error("the adapter is gone");
      return openDevice(fresh);
    },
    kernels: withTexts(assignment.texts),
    golden: (subject) => Promise.resolve(store.golden(subject)),
    storedInput: (subject) => Promise.resolve(store.storedInput(subject)),
    repeats: assignment.repeats,
  });
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    const { checks } = decodeLine<Request>(line.value)!;
    answer({ kind: "outcome", outcome: await executor.run(checks) });
  }
}

function withTexts(overrides: readonly TextOverride[]) {
  return KERNELS.map((kernel) => {
    const override = overrides.find((one) => one.kernel === kernel.name);
    return override ? { ...kernel, text: override.text, file: override.file } : kernel;
  });
}

function answer(value: Reply): void {
  reply(value);
}

if (import.meta.main) await serveAndExit(serve);
