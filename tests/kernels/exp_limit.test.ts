/**
 * Bounds are derived from WGSL's limit for exp, 3 + 2 |x| units in the last place, taken as 2^-23 of
 * the result each. Does this adapter keep that where kernels use exp, from 0 downwards? (By units of
 * 2^-24, as they are just below 1, lavapipe and SwiftShader are 5 % beyond WGSL's limit near −0.05.)
 */
import { expect } from "expect";
import { expF64 } from "../../reference/exp.ts";
import { expError, SMALLEST_NORMAL } from "../../reference/roundings.ts";
import { runProbe } from "../../tools/profile/dispatch.ts";
import { openDevice } from "../../tools/runner/adapter.ts";
import { testAdapter } from "../support/gpu.ts";

const TEXT = `
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&x)) {
    y[id.x] = exp(x[id.x]);
  }
}
`;

const EVEN = 300_000;
const BITS_STEP = 1009;
const bitsOf = (...values: number[]) => [...new Uint32Array(Float32Array.from(values).buffer)];

/** Evenly spread values from 0 to −104, and evenly spread bits from −2^-31 to there. */
function argumentsOfExp(): Float32Array {
  const [first, last] = bitsOf(2 ** -31, 104) as [number, number];
  const far = [-0, -(2 ** -126), -105, -150, -1e4, -3.4e38];
  const all = new Float32Array(far.length + EVEN + Math.floor((last - first) / BITS_STEP));
  const bits = new Uint32Array(all.buffer);
  all.set(far);
  for (let i = 0; i < EVEN; i++) all[far.length + i] = -104 * i / EVEN;
  for (let i = far.length + EVEN; i < all.length; i++) {
    bits[i] = 0x80000000 + first + BITS_STEP * (i - far.length - EVEN);
  }
  return all;
}

/** The largest share of what exp may be off by, and where. */
function largestShare(x: Float32Array, y: Float32Array): { share: number; at: number } {
  let worst = { share: 0, at: 0 };
  x.forEach((argument, i) => {
    const right = expF64(argument);
    const limit = right * expError(argument) + (right < 2 * SMALLEST_NORMAL ? SMALLEST_NORMAL : 0);
    const share = limit > 0 ? Math.abs(y[i]! - right) / limit : y[i] === 0 ? 0 : Infinity;
    if (!(share <= worst.share)) worst = { share, at: argument };
  });
  return worst;
}

Deno.test("exp keeps WGSL's limit where kernels use it, and it is no idle limit", async () => {
  const device = await openDevice(await testAdapter());
  const x = argumentsOfExp();
  expect(x.length).toBeGreaterThan(550_000);
  const found = await runProbe(device, {
    text: TEXT,
    buffers: [
      { kind: "input", words: new Uint32Array(x.buffer) },
      { kind: "output", words: new Uint32Array(x.length) },
    ],
    workgroups: Math.ceil(x.length / 64),
  });
  device.destroy();
  if (typeof found === "string") throw new Error(found);
  const { share, at } = largestShare(x, new Float32Array(found[0]!.buffer));
  expect({ at, kept: share <= 1 }).toEqual({ at, kept: true });
  expect(share).toBeGreaterThan(0.05);
});

Deno.test("an exp that is off by a little more is seen", () => {
  const x = Float32Array.of(-0.05, -3, -50);
  const off = (times: number) =>
    Float32Array.from(x, (argument) => expF64(argument) * (1 + times * expError(argument)));
  expect(largestShare(x, off(0.9)).share).toBeLessThan(1);
  expect(largestShare(x, off(-1.3)).share).toBeGreaterThan(1);
});
