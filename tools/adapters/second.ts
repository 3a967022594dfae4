/**
 * Another adapter of this machine, to hold a failing one against.
 *
 * @module
 */
import { EXIT, Failure } from "../exit_codes.ts";
import type { Assignment } from "../isolation/protocol.ts";
import { adapterName } from "../runner/adapter.ts";
import { chooseAdapter, type ChosenAdapter } from "./choose.ts";
import { driverFiles } from "./driver_files.ts";
import { embeddedIsHere } from "./embedded/embedded.ts";

/** What the second adapter runs, and beside which one. */
export interface SecondWork {
  readonly chosen: ChosenAdapter;
  readonly goldenFolder: string;
  readonly texts: Assignment["texts"];
  /** Seconds that a batch may take. */
  readonly limit: number;
}

/**
 * The adapter wished for; with no wish the first of another name among the embedded one, the
 * machine's own and its Vulkan drivers. Without a wish nothing is fetched: an embedded adapter that
 * is not here yet is left out.
 *
 * @param wish a name as for `--adapter`, or `none`
 * @throws {Failure} where the adapter wished for is not there, or is the chosen one
 */
export async function secondAdapter(
  { chosen, goldenFolder, texts, limit }: SecondWork,
  wish?: string,
): Promise<ChosenAdapter | undefined> {
  if (wish === "none") return undefined;
  const work = { goldenFolder, repeats: 1, texts };
  const name = adapterName(chosen.adapter);
  const isOther = (found: ChosenAdapter) => {
    if (adapterName(found.adapter) !== name) return true;
    found.executor.close();
    return false;
  };
  if (wish !== undefined) {
    const found = await chooseAdapter({ adapter: wish }, work, limit);
    if (isOther(found)) return found;
    throw new Failure(
      EXIT.adapter,
      `Cannot hold ${name} against a second adapter: --second ${wish} is the same one. List the ` +
        "adapters: deno task list adapters",
    );
  }
  for (const adapter of [...embeddedIsHere() ? ["embedded"] : [], "default", ...driverFiles()]) {
    const found = await openQuietly({ adapter }, work, limit);
    if (found && isOther(found)) return found;
  }
  return undefined;
}

/** The adapter where it can be opened: that it cannot is no failure of the run. */
async function openQuietly(...args: Parameters<typeof chooseAdapter>) {
  try {
    return await chooseAdapter(...args);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return undefined;
  }
}
