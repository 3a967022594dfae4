/** The order of samples, and how a budget is shared. */
import { expect } from "expect";
import { mulberry32 } from "../../cases/random.ts";
import { rounds, sampleCounts } from "../../tools/timing/schedule.ts";
import { bandwidthSizes, bestBandwidth } from "../../tools/timing/roofline.ts";
import { ceilingOf, MODELS } from "../../tools/timing/models.ts";
import { copiesFor } from "../../tools/timing/rotation.ts";
import type { AdapterDescription } from "../../tools/runner/adapter.ts";

const BUDGET = { ns: 1000, least: 5, most: 50, together: false };

Deno.test("each work gets the same time, within the least and the most", () => {
  expect(sampleCounts([10, 20, 40], BUDGET)).toEqual([33, 16, 8]);
  expect(sampleCounts([1, 1], BUDGET)).toEqual([50, 50]);
  // What the slow one takes for its least is not there for the other.
  expect(sampleCounts([150, 10], BUDGET)).toEqual([5, 25]);
  expect(sampleCounts([500, 500], BUDGET)).toEqual([5, 5]);
  expect(sampleCounts([10, 40], { ...BUDGET, together: true })).toEqual([20, 20]);
});

Deno.test("all take part in the first rounds, and each as often as planned", () => {
  const order = rounds([9, 4, 6], 4, mulberry32(1));
  expect(order.length).toBe(9);
  for (const members of order.slice(0, 4)) expect([...members].sort()).toEqual([0, 1, 2]);
  const all = order.flat();
  expect([0, 1, 2].map((work) => all.filter((one) => one === work).length)).toEqual([9, 4, 6]);
  for (const members of order) expect(new Set(members).size).toBe(members.length);
});

Deno.test("in a round every order is as likely", () => {
  const firsts = rounds([3000, 3000, 3000], 5, mulberry32(2)).map((members) => members.join(""));
  const counts = Map.groupBy(firsts, (order) => order);
  expect(counts.size).toBe(6);
  for (const list of counts.values()) expect(Math.abs(list.length - 500)).toBeLessThan(100);
});

Deno.test("copies of inputs outgrow the caches, and fit into a buffer", () => {
  expect(copiesFor(1e6, false, 2 ** 31)).toBe(192);
  expect(copiesFor(1000, false, 2 ** 31)).toBe(256);
  expect(copiesFor(400e6, false, 2 ** 31)).toBe(2);
  expect(copiesFor(200e6, false, 256e6)).toBe(1);
});

const MIB = 1 << 20;
function adapterWith(bytes: number): AdapterDescription {
  const limits = { maxStorageBufferBindingSize: bytes, maxBufferSize: bytes };
  return { limits } as unknown as AdapterDescription;
}

Deno.test("buffers double up to the largest that the device allows", () => {
  const sizes = (bytes: number) => bandwidthSizes(adapterWith(bytes)).map((size) => size / MIB);
  expect(sizes(128 * MIB)).toEqual([128]);
  expect(sizes(256 * MIB)).toEqual([256]);
  expect(sizes(1024 * MIB)).toEqual([256, 512, 1024]);
  expect(sizes(3072 * MIB)).toEqual([256, 512, 1024, 2048, 3072]);
  expect(bandwidthSizes(adapterWith(2 ** 31 - 4)).at(-1)).toBe(2 ** 31 - 16);
});

Deno.test("a buffer that fits into a cache does not decide the bandwidth", () => {
  const point = (mib: number, ns: number) => ({ bytes: mib * MIB, ns, groups: 1, wallNs: 1 });
  const small = point(256, 1);
  const large = point(512, 200);
  expect(bestBandwidth([small, large, point(1024, 500)])).toBe(large);
  expect(bestBandwidth([small])).toBe(small);
});

Deno.test("ceilings: the figures of the method's own text", () => {
  const bandwidth = 4290e9;
  const [bitnet, , , eight] = MODELS.map((model) => ceilingOf(model, bandwidth, 5000));
  expect(bitnet!.ceiling).toBeCloseTo(6217.4, 1);
  expect(bitnet!.headroom).toBeCloseTo(114.4, 1); // 18.4 ms against 0.161 ms
  expect(bitnet!.share).toBeCloseTo(0.00874, 5);
  expect(bitnet!.perPass).toBe(1);
  expect(eight!.ceiling).toBeCloseTo(4009.3, 1);
  expect(eight!.perPass).toBeCloseTo(1.247, 3);
});
