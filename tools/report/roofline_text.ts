/**
 * A roofline for a terminal or a log.
 *
 * @module
 */
import type { ModelCeiling } from "../timing/models.ts";
import { type KernelPoint, PAST_CACHES, type RooflineRecord } from "../timing/roofline.ts";
import { thousands } from "./numbers.ts";
import { nsText, percentText, rateText, threeDigits } from "./times.ts";

export function rooflineLines(record: RooflineRecord): string[] {
  return [
    ...bandwidthLines(record),
    "",
    ...kernelLines(record.kernels),
    ...modelLines(record),
  ];
}

function bandwidthLines({ points, bandwidth, naive, clock, adapter }: RooflineRecord): string[] {
  const how = clock === "timestamps" ? "GPU timestamps, best pass" : "slope of two counts";
  const largest = Math.max(...points.map(({ bytes }) => bytes));
  const limit = Math.min(
    adapter.limits.maxStorageBufferBindingSize ?? largest,
    adapter.limits.maxBufferSize ?? largest,
  );
  return [
    `read     ${rateText(bandwidth)} by ${how}; a naive wall clock says ${rateText(naive)}`,
    ...points.map(({ bytes, ns, wallNs, groups }) =>
      `         ${mebibytes(bytes).padStart(10)}: ${rateText(bytes / ns * 1e9)} ` +
      `(${thousands(groups)} workgroups), wall clock ${rateText(bytes / wallNs * 1e9)}`
    ),
    `         the device allows ${mebibytes(limit)} in one binding` +
    (limit < PAST_CACHES
      ? `: less than ${mebibytes(PAST_CACHES)}, so that caches may flatter the figure`
      : ""),
  ];
}

function kernelLines(kernels: readonly KernelPoint[]): string[] {
  const cases = Map.groupBy(kernels, ({ address }) => address);
  return [...cases].flatMap(([address, list]) => [
    address,
    ...list.map(({ kernel, bytes, ns, bytesPerSecond, share, operations }) =>
      [
        `  ${kernel.padEnd(10)}`,
        `${(bytes / 1e6).toFixed(2)} MB`.padStart(11),
        nsText(ns).padStart(10),
        rateText(bytesPerSecond).padStart(14),
        `${percentText(share)} of the roofline`.padStart(26),
        `${threeDigits(operations / ns)} Gop/s`.padStart(16),
      ].join("")
    ),
    "",
  ]);
}

function modelLines({ models, target }: RooflineRecord): string[] {
  return [
    `models at batch 1, target ${thousands(target)} tokens/s`,
    ...models.flatMap((one) => {
      const { model, ceiling } = one;
      return [
        `  ${model.name.padEnd(26)} ${gigabytes(model.bytes).padStart(9)}  at most ` +
        `${thousands(Math.floor(ceiling))} tokens/s: ${targetText(one)}`,
        ...measuredLines(one),
      ];
    }),
  ];
}

function targetText({ perPass }: ModelCeiling): string {
  return perPass <= 1
    ? "the target is within the roofline"
    : `beyond the roofline; each pass of speculative decoding must accept ${
      perPass.toFixed(2)
    } tokens`;
}

function measuredLines({ model, share, headroom }: ModelCeiling): string[] {
  if (model.ms === undefined || share === undefined || headroom === undefined) return [];
  const above = share > 1
    ? "less than this memory needs: it was measured elsewhere, or the bytes are wrong"
    : `${percentText(share)} of the roofline, headroom ${headroom.toFixed(1)} times`;
  return [`  ${"".padEnd(26)} ${"".padEnd(9)}  ${model.ms} ms a token is ${above}`];
}

function mebibytes(bytes: number): string {
  return `${thousands(Math.floor(bytes / (1 << 20)))} MiB`;
}

function gigabytes(bytes: number): string {
  return `${Number((bytes / 1e9).toPrecision(3))} GB`;
}
