/**
 * Texts of the user's own in the place of kernels' texts: `--text KERNEL=FILE`.
 *
 * @module
 */
import { KERNELS } from "../../kernels/mod.ts";
import { EXIT, Failure } from "../exit_codes.ts";
import type { TextOverride } from "../isolation/protocol.ts";

/** Reads the texts; each kernel takes one. */
export function readTexts(options: readonly string[]): TextOverride[] {
  const texts = options.map(readText);
  const twice = texts.find(({ kernel }, i) => texts.findIndex((one) => one.kernel === kernel) < i);
  if (!twice) return texts;
  throw new Failure(
    EXIT.usage,
    `Cannot run two texts as ${twice.kernel}: --text names it twice. Run the gate once for each, ` +
      "or time them side by side: deno task ab",
  );
}

function readText(option: string): TextOverride {
  const [name, file] = option.split(/=(.*)/s) as [string, string?];
  const kernel = KERNELS.find((one) => one.name === name);
  if (!kernel || !file) {
    throw new Failure(
      EXIT.usage,
      `Cannot use --text ${option}: it must be a kernel's name and a file, for instance ` +
        `--text ${KERNELS[0]!.name}=mine.wgsl. Kernels: ${
          KERNELS.map((one) => one.name).join(", ")
        }`,
    );
  }
  try {
    return { kernel: kernel.name, file, text: Deno.readTextFileSync(file) };
  } catch (error) {
    throw new Failure(EXIT.usage, `Cannot read --text ${option}: ${(error as Error).message}`);
  }
}
