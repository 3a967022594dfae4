/**
 * The process that touches the GPU. It may hang or crash; the command that started it lives on.
 *
 * @module
 */
import type { Kernel } from "../../kernels/kernel.ts";
import { KERNELS } from "../../kernels/mod.ts";
import { GoldenStore } from "../goldens/store.ts";
import { measureRules, type Rules } from "../profile/measure.ts";
import { describeAdapter, openDevice } from "../runner/adapter.ts";
import type { Output } from "../runner/compare.ts";
import type { Verdict } from "../runner/verdict.ts";
import { DeviceExecutor } from "../runner/device_executor.ts";
import {
  type Assignment,
  decodeLine,
  linesOf,
  type Reply,
  type Request,
  type TextOverride,
  type Variant,
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
  let rules: Rules | undefined;
  const open = async () => {
    // An adapter gives one device; after a loss another adapter must be asked for.
    const fresh = unused ?? await request();
    unused = null;
    if (!fresh) throw new Error("the adapter is gone");
    return openDevice(fresh);
  };
  const kernels = withTexts(assignment.texts);
  const executor = new DeviceExecutor({
    open,
    rules: () => rules,
    kernels,
    golden: (subject) => Promise.resolve(store.golden(subject)),
    storedInput: (subject) => Promise.resolve(store.storedInput(subject)),
    repeats: assignment.repeats,
  });
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    const request = decodeLine<Request>(line.value)!;
    if (request.kind === "rules") {
      const device = await open();
      answer({ kind: "rules", rules: await measureRules(device) });
      device.destroy();
    } else if (request.kind === "capture") {
      const { check, repeats, beside } = request;
      answer(captured(await executor.capture(check, repeats, beside)));
    } else {
      rules = request.rules;
      for (const variant of request.variants ?? []) addVariant(kernels, variant);
      answer({ kind: "outcome", outcome: await executor.run(request.checks) });
    }
  }
}

function withTexts(overrides: readonly TextOverride[]) {
  return KERNELS.map((kernel) => {
    const override = overrides.find((one) => one.kernel === kernel.name);
    return override ? { ...kernel, text: override.text, file: override.file } : kernel;
  });
}

function captured(output: Output | Verdict): Reply {
  if ("kind" in output) return { kind: "refused", verdict: output };
  const repeats = output.repeats.map((words) => new Uint8Array(words.buffer).toBase64());
  return { kind: "captured", repeats, overrun: output.overrun };
}

function addVariant(kernels: Kernel[], { name, of, text }: Variant): void {
  if (kernels.some((kernel) => kernel.name === name)) return;
  kernels.push({ ...kernels.find((kernel) => kernel.name === of)!, name, text });
}

function answer(value: Reply): void {
  reply(value);
}

if (import.meta.main) await serveAndExit(serve);
