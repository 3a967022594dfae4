/**
 * How the tensors of a file are packed.
 *
 * @module
 */
import { GGMLQuantizationType } from "gguf";
import { type BlockLayout, Q1_0_BLOCK, Q2_0_BLOCK } from "../../reference/blocks.ts";
import { ModelError } from "./error.ts";
import type { Header } from "./header.ts";

/** Type 42 as it is elsewhere: the same codes, with one scale for 128 of them. */
export const Q2_0_WIDE_BLOCK: BlockLayout = { name: "Q2_0", bytes: 34, elements: 128 };

/** The packing of a ggml type in this file; `undefined` for a type that is not read here. */
export type Layouts = (dtype: number) => BlockLayout | undefined;

/**
 * Finds out which packings the file uses. Type 42 exists with groups of 64 and of 128 weights, and
 * nothing in the file says which but the bytes that its tensors take.
 *
 * @throws {ModelError} where the tensors of type 42 fit neither
 */
export function layoutsOf(path: string, header: Header): Layouts {
  const spans = spansOf(header);
  const all = header.tensorInfos.filter(({ dtype }) => dtype === GGMLQuantizationType.Q2_0)
    .map(({ offset, shape }) => ({
      weights: shape.reduce((product, size) => product * Number(size), 1),
      ...spans.get(Number(offset))!,
    }));
  // The last tensor says least: it may be cut off, which is told where its end is looked at.
  const inside = all.filter(({ isLast }) => !isLast);
  const judged = inside.length > 0 ? inside : all;
  const alignment = Number((header.metadata as Record<string, unknown>)["general.alignment"] ?? 32);
  const fitting = [Q2_0_BLOCK, Q2_0_WIDE_BLOCK].filter((layout) =>
    judged.every(({ weights, bytes }) => {
      const padding = bytes - weights / layout.elements * layout.bytes;
      return padding >= 0 && padding < alignment;
    })
  );
  if (fitting.length === 0) {
    throw new ModelError(
      path,
      "its tensors of type 42 (Q2_0) take neither 18 bytes for 64 weights nor 34 for 128.",
      "It may be truncated, or of a newer format: download it again, or update samebits.",
    );
  }
  // Where padding hides the difference in every tensor, the group is that of the specification.
  const twoBit = fitting[0]!;
  return (dtype) =>
    dtype === GGMLQuantizationType.Q1_0
      ? Q1_0_BLOCK
      : dtype === GGMLQuantizationType.Q2_0
      ? twoBit
      : undefined;
}

interface Span {
  /** Bytes from a tensor's first to the next one's first, padding included. */
  readonly bytes: number;
  readonly isLast: boolean;
}

function spansOf({ tensorInfos, dataAt, size }: Header): Map<number, Span> {
  const offsets = tensorInfos.map(({ offset }) => Number(offset)).sort((a, b) => a - b);
  return new Map(offsets.map((offset, i) => {
    const next = offsets[i + 1];
    return [offset, { bytes: (next ?? size - dataAt) - offset, isLast: next === undefined }];
  }));
}
