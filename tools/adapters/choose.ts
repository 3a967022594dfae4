/**
 * Finding the adapter that a run is to use, in a process that has opened it.
 *
 * @module
 */
import { EXIT, Failure } from "../exit_codes.ts";
import { ChildExecutor } from "../isolation/child_executor.ts";
import type { AdapterAssignment, Assignment } from "../isolation/protocol.ts";
import { type AdapterDescription, adapterName, answersTo } from "../runner/adapter.ts";
import { type Backend, chooseBackend } from "./backends.ts";
import { driverFiles, driverName } from "./driver_files.ts";
import { embeddedRunsHere, prepareEmbedded } from "./embedded/embedded.ts";

/** What the command line says of the adapter. */
export interface AdapterWish {
  /** `embedded`, `high-performance`, `low-power`, a Vulkan driver's name or its file. */
  readonly adapter?: string;
  readonly backend?: string;
  /** `hardware`, or a text in the adapter's name. */
  readonly require?: string;
}

/** A process that has opened an adapter. */
export interface AdapterProcess {
  /** What it opened; `null` where there is none. */
  adapter(): Promise<AdapterDescription | null>;
  close(): void;
}

/** The adapter found, and what runs on it. */
export interface FoundAdapter<Process extends AdapterProcess> {
  readonly adapter: AdapterDescription;
  readonly executor: Process;
  readonly backend: Backend;
  /** The Vulkan driver's file, where one was named. */
  readonly driverFile?: string;
  /** It is the embedded one although nobody asked for it: the machine has none. */
  readonly fallback: boolean;
}

export type ChosenAdapter = FoundAdapter<ChildExecutor>;

type Work = Pick<Assignment, "goldenFolder" | "repeats" | "texts">;

interface Candidate extends AdapterAssignment {
  readonly backend: Backend;
  readonly driverFile?: string;
}

/** Starts a process: what it is to open, and its variables beside the inherited ones. */
export type StartProcess<Process extends AdapterProcess> = (
  assignment: AdapterAssignment,
  env: Readonly<Record<string, string>>,
) => Process;

/**
 * Opens the adapter wished for, in a process that runs batches of checks.
 *
 * @param limit seconds that a batch may take
 * @throws {Failure} where there is none, or not the required one
 */
export function chooseAdapter(
  wish: AdapterWish,
  work: Work,
  limit: number,
): Promise<ChosenAdapter> {
  return findAdapter(
    wish,
    (assignment, env) => new ChildExecutor({ assignment: { ...work, ...assignment }, env, limit }),
  );
}

/**
 * Opens the adapter wished for. Where nothing is wished and the machine has none, the embedded one.
 *
 * @throws {Failure} where there is none, or not the required one
 */
export async function findAdapter<Process extends AdapterProcess>(
  wish: AdapterWish,
  start: StartProcess<Process>,
): Promise<FoundAdapter<Process>> {
  const backend = chooseBackend(wish.backend);
  const adapter = wish.adapter || undefined; // an empty variable is none
  if (wish.require === "") {
    throw new Failure(
      EXIT.usage,
      "Cannot require nothing: --require is empty. Give it 'hardware' or a text in the adapter's " +
        "name; in a script, see that its variable is set.",
    );
  }
  const wished = await open(await candidateFor(adapter, backend), start);
  const mayFallBack = adapter === undefined && wish.backend === undefined &&
    !Deno.env.get("DENO_WEBGPU_BACKEND");
  const found = wished ??
    (mayFallBack && embeddedRunsHere()
      ? await open(await embeddedCandidate(), start, true)
      : undefined);
  if (!found) throw noAdapter(wish, backend);
  if (wish.require !== undefined && !answersTo(found.adapter, wish.require)) {
    found.executor.close();
    throw new Failure(
      EXIT.adapter,
      `Cannot run: the adapter is "${adapterName(found.adapter)}"` +
        `${found.adapter.software ? ", which computes on the CPU" : ""}, and --require ` +
        `${wish.require} asks for another. List the adapters: deno task list adapters`,
    );
  }
  return found;
}

async function candidateFor(wish: string | undefined, backend: Backend): Promise<Candidate> {
  if (wish === undefined || wish === "default") return { backend };
  if (wish === "high-performance" || wish === "low-power") {
    return { backend, powerPreference: wish };
  }
  if (backend !== "vulkan") {
    throw new Failure(
      EXIT.usage,
      `Cannot use --adapter ${wish} with backend ${backend}: it is a Vulkan driver. Leave out one ` +
        "of the two.",
    );
  }
  if (wish === "embedded") return await embeddedCandidate();
  const files = driverFiles();
  const driverFile = wish.endsWith(".json")
    ? wish
    : files.find((path) => driverName(path) === wish);
  if (driverFile) return { backend: "vulkan", driverFile };
  throw new Failure(
    EXIT.adapter,
    `Cannot find adapter "${wish}". Use default, embedded, high-performance, low-power, a Vulkan ` +
      `driver's file (.json)${
        files.length > 0 ? `, or one of the drivers here: ${files.map(driverName).join(", ")}` : ""
      }.`,
  );
}

async function embeddedCandidate(): Promise<Candidate> {
  return { backend: "vulkan", embedded: await prepareEmbedded() };
}

async function open<Process extends AdapterProcess>(
  { backend, driverFile, ...assignment }: Candidate,
  start: StartProcess<Process>,
  fallback = false,
): Promise<FoundAdapter<Process> | undefined> {
  const executor = start(assignment, {
    DENO_WEBGPU_BACKEND: backend,
    ...(driverFile && { VK_DRIVER_FILES: driverFile }),
  });
  const adapter = await executor.adapter();
  if (!adapter) {
    executor.close();
    return undefined;
  }
  return { adapter, executor, backend, fallback, ...(driverFile && { driverFile }) };
}

function noAdapter(wish: AdapterWish, backend: Backend): Failure {
  const asked = wish.adapter === undefined ? "" : ` for --adapter ${wish.adapter}`;
  return new Failure(
    EXIT.adapter,
    `Cannot run: WebGPU finds no adapter${asked} with backend ${backend}. Install a driver (Debian: ` +
      "mesa-vulkan-drivers), try another --backend, or run on the CPU with --adapter embedded.",
  );
}
