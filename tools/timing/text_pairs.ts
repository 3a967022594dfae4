/**
 * Which texts are compared.
 *
 * @module
 */
import { basename } from "node:path";
import type { Kernel } from "../../kernels/kernel.ts";
import { EXIT, Failure } from "../exit_codes.ts";
import { compareWithRevision } from "../texts/against.ts";
import { readOwnTexts, ROOT } from "../texts/own.ts";
import type { TextPair } from "./ab.ts";

/**
 * A pair from files: two, or one against the kernel's own text.
 *
 * @param chosen kernels named; the files' names tell where none is
 */
export function pairOfFiles(
  files: readonly string[],
  chosen: readonly Kernel[],
  all: readonly Kernel[],
): TextPair {
  const kernel = kernelFor(files, chosen, all);
  const texts = files.map((file) => ({ file, text: readText(file) }));
  const own = { file: kernel.file, text: kernel.text };
  const [a, b] = texts.length === 1 ? [own, texts[0]!] : [texts[0]!, texts[1]!];
  return { a: { kernel: kernel.name, ...a }, b: { kernel: kernel.name, ...b } };
}

/**
 * A pair of kernels by their names, each with its own text.
 *
 * @throws {Failure} where they are not of one family
 */
export function pairOfKernels(a: Kernel, b: Kernel): TextPair {
  if (a.family !== b.family) {
    throw new Failure(
      EXIT.usage,
      `Cannot compare ${a.name} with ${b.name}: one computes ${a.family}, the other ${b.family}. ` +
        "Name two kernels of one family.",
    );
  }
  const contender = ({ name, file, text }: Kernel) => ({ kernel: name, file, text });
  return { a: contender(a), b: contender(b) };
}

/** A pair for every kernel whose text is another one in a revision: that one is A. */
export function pairsAgainst(revision: string, kernels: readonly Kernel[]): TextPair[] {
  const own = readOwnTexts(ROOT, kernels);
  return compareWithRevision(ROOT, own, revision).flatMap((finding): TextPair[] => {
    if (finding.kind !== "differs") return [];
    const { name, file, text } = finding.own;
    const a = { kernel: name, file: `${revision}:${file}`, text: finding.before };
    return [{ a, b: { kernel: name, file, text } }];
  });
}

function kernelFor(
  files: readonly string[],
  chosen: readonly Kernel[],
  all: readonly Kernel[],
): Kernel {
  const names = new Set(files.map((file) => basename(file)));
  const found = chosen.length > 0 ? chosen : all.filter(({ file }) => names.has(basename(file)));
  if (found.length === 1) return found[0]!;
  throw new Failure(
    EXIT.usage,
    `Cannot tell which kernel's recipe runs ${files.join(" and ")}: ${
      found.length === 0
        ? "neither is named as a kernel's file is"
        : `it could be ${found.map(({ name }) => name).join(" or ")}`
    }. Say it: --kernel ${all[0]!.name}. Kernels: ${all.map(({ name }) => name).join(", ")}`,
  );
}

function readText(file: string): string {
  try {
    return Deno.readTextFileSync(file);
  } catch (error) {
    throw new Failure(
      EXIT.usage,
      `Cannot read ${file}: ${
        (error as Error).message
      }. Name a WGSL file; a revision is named by ` +
        "--against.",
    );
  }
}
