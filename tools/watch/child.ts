/**
 * `watch`'s GPU process. It opens its device at once and imports kernels and cases when it is first
 * asked: one that waits takes up a changed recipe without waiting for a device.
 *
 * @module
 */
import { EXIT } from "../exit_codes.ts";
import {
  type AdapterAssignment,
  decodeLine,
  linesOf,
  type Reply,
  type Request,
} from "../isolation/protocol.ts";
import { adapterRequest, reply, serveAndExit } from "../isolation/serving.ts";
import { measureRules } from "../profile/measure.ts";
import { describeAdapter, openDevice } from "../runner/adapter.ts";
import type { WatchReply, WatchRequest } from "./protocol.ts";
import type { Loaded } from "./loaded.ts";

/** Not written as a text: Deno would read the module, and all it imports, when this one starts. */
const LOADED = new URL("./loaded.ts", import.meta.url);

async function serve(): Promise<void> {
  const lines = linesOf(Deno.stdin.readable);
  const assignment = decodeLine<AdapterAssignment>((await lines.next()).value!)!;
  const request = adapterRequest(assignment);
  const adapter = await request();
  reply({ kind: "adapter", adapter: adapter && describeAdapter(adapter) });
  if (!adapter) return;

  const description = describeAdapter(adapter);
  let ahead: Promise<GPUDevice> | undefined = openDevice(adapter);
  const open = async () => {
    // An adapter gives one device; after a loss another adapter must be asked for.
    const device = ahead;
    ahead = undefined;
    if (device) return await device;
    const fresh = await request();
    if (!fresh) throw new Error("the adapter is gone");
    return await openDevice(fresh);
  };
  let loaded: Promise<Loaded> | undefined;
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    const asked = decodeLine<Request | WatchRequest>(line.value)!;
    if (asked.kind === "rules") {
      reply({ kind: "rules", rules: await measureRules(await ahead!) });
      continue;
    }
    loaded ??= import(LOADED.href).then(({ Loaded }) => new Loaded(description, open));
    reply(await loaded.then((ready) => answer(ready, asked)).catch(failed));
  }
}

async function answer(
  loaded: Loaded,
  asked: Exclude<Request | WatchRequest, { kind: "rules" }>,
): Promise<Reply | WatchReply> {
  switch (asked.kind) {
    case "plan":
      return { kind: "planned", kernels: loaded.plan(asked) };
    case "next":
      return loaded.next();
    case "states":
      return { kind: "states", ...loaded.states() };
    case "checks":
      return { kind: "outcome", outcome: await loaded.run(asked.checks, asked.rules) };
    default:
      throw new Error(`nobody asks this process for "${asked.kind}"`);
  }
}

/** What a kernel's recipe or a case's generator threw, or why they cannot be imported. */
function failed(error: unknown): Reply {
  const { message, stack = "" } = error as Error;
  const at = /^ +at .*\/(?:kernels|cases|reference)\/.*$/m.exec(stack)?.[0] ?? "";
  return {
    kind: "failure",
    exitCode: EXIT.differs,
    message: message.includes(at) ? message : `${message}\n${at}`,
  };
}

if (import.meta.main) await serveAndExit(serve);
