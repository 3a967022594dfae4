/**
 * A small module with the interface of the engine's browseml.wasm, built from text. Its dot product
 * is written from the specification, apart from our TypeScript: f64 arithmetic, rounded to odd.
 *
 * @module
 */
import wabt from "wabt";

/** What can be put in the place of a part of the module. */
export interface Parts {
  /** More imports. */
  readonly imports?: string;
  /** The last step of the fused operation: from $sum and $lost (f64) to the f64 that is rounded. */
  readonly round?: string;
  /** At the beginning of the dot product. */
  readonly prologue?: string;
  /** Body of the allocator, which has the parameter $bytes. */
  readonly alloc?: string;
  /** All exports of functions and memory. */
  readonly exports?: string;
  /** More functions. */
  readonly more?: string;
}

/** $sum is what f64 rounds to; where something was lost and it is even, its odd neighbour. */
export const ROUND_TO_ODD = `
  (local.set $bits (i64.reinterpret_f64 (local.get $sum)))
  (if (i32.and
        (f64.ne (local.get $lost) (f64.const 0))
        (i32.and
          (f64.eq (local.get $lost) (local.get $lost))
          (i64.eqz (i64.and (local.get $bits) (i64.const 1)))))
    (then (local.set $bits (i64.add (local.get $bits)
      (select (i64.const 1) (i64.const -1)
        (i32.eq
          (f64.gt (local.get $lost) (f64.const 0))
          (f64.gt (local.get $sum) (f64.const 0))))))))
  (f64.reinterpret_i64 (local.get $bits))`;

const EXPORTS = `
  (export "memory" (memory 0))
  (export "browseml_alloc" (func $alloc))
  (export "browseml_q1_dot_ref" (func $dot))`;

/** Takes the next bytes, and pages where they are not enough. */
const BUMP = `
  (local $at i32)
  (local.set $at (global.get $heap))
  (global.set $heap (i32.and (i32.add (i32.add (local.get $at) (local.get $bytes)) (i32.const 15))
    (i32.const -16)))
  (if (i32.gt_u (global.get $heap) (i32.mul (memory.size) (i32.const 65536)))
    (then (drop (memory.grow (i32.const 4)))))
  (local.get $at)`;

/** The text of the module. */
export function engineText(parts: Parts = {}): string {
  return `(module
  (import "wasi_snapshot_preview1" "fd_write"
    (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (import "env" "bankml_gpu_ready" (func $gpu (result i32)))
  (import "browseml" "piece" (func $piece (param i32) (result i32)))
  (import "browseml" "log" (func $log (param i32 i32)))
  ${parts.imports ?? ""}
  (memory 1)
  (global $heap (mut i32) (i32.const 1024))
  ${parts.exports ?? EXPORTS}
  ${parts.more ?? ""}

  (func $alloc (param $bytes i32) (result i32) ${parts.alloc ?? BUMP})

  ;; a * b + c, rounded once: the product is exact in f64, Knuth's TwoSum keeps what the sum lost.
  (func $fma (param $a f32) (param $b f32) (param $c f32) (result f32)
    (local $product f64) (local $addend f64) (local $sum f64) (local $part f64) (local $lost f64)
    (local $bits i64)
    (local.set $product
      (f64.mul (f64.promote_f32 (local.get $a)) (f64.promote_f32 (local.get $b))))
    (local.set $addend (f64.promote_f32 (local.get $c)))
    (local.set $sum (f64.add (local.get $product) (local.get $addend)))
    (local.set $part (f64.sub (local.get $sum) (local.get $product)))
    (local.set $lost (f64.add
      (f64.sub (local.get $product) (f64.sub (local.get $sum) (local.get $part)))
      (f64.sub (local.get $addend) (local.get $part))))
    (f32.demote_f64 (block (result f64) ${parts.round ?? ROUND_TO_ODD})))

  ;; The f16 at an address, exactly: its 15 bits as a far too small f32, times 2^112.
  (func $half (param $at i32) (result f32)
    (local $bits i32) (local $size f32)
    (local.set $bits (i32.load16_u (local.get $at)))
    (local.set $size (f32.reinterpret_i32
      (i32.shl (i32.and (local.get $bits) (i32.const 0x7fff)) (i32.const 13))))
    (local.set $size (if (result f32)
      (i32.ge_u (i32.and (local.get $bits) (i32.const 0x7fff)) (i32.const 0x7c00))
      (then (f32.reinterpret_i32 (i32.or (i32.reinterpret_f32 (local.get $size))
        (i32.const 0x7f800000))))
      (else (f32.mul (local.get $size) (f32.const 0x1p112)))))
    (if (result f32) (i32.and (local.get $bits) (i32.const 0x8000))
      (then (f32.neg (local.get $size)))
      (else (local.get $size))))

  ;; Four quants, each added where its sign bit is 1, else its 8-bit negation.
  (func $signed (param $signs i32) (param $at i32) (result i32)
    (local $j i32) (local $q i32) (local $sum i32)
    (loop $next
      (local.set $q (i32.load8_s (i32.add (local.get $at) (local.get $j))))
      (local.set $sum (i32.add (local.get $sum)
        (select (local.get $q) (i32.extend8_s (i32.sub (i32.const 0) (local.get $q)))
          (i32.and (i32.shr_u (local.get $signs) (local.get $j)) (i32.const 1)))))
      (local.set $j (i32.add (local.get $j) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $j) (i32.const 4))))
    (local.get $sum))

  ;; One lane of a row; x and y point to its first blocks.
  (func $lane (param $n i32) (param $x i32) (param $y i32) (param $lane i32) (result f32)
    (local $k i32) (local $s f32) (local $d1 f32) (local $ab f32) (local $acc f32) (local $from i32)
    (loop $blocks
      (local.set $k (i32.const 0))
      (loop $quarters
        (local.set $from (i32.add (local.get $y) (i32.mul (local.get $k) (i32.const 34))))
        (local.set $s (f32.convert_i32_s (call $signed
          (i32.shr_u
            (i32.load8_u (i32.add (local.get $x) (i32.add (i32.const 2) (i32.add
              (i32.mul (local.get $k) (i32.const 4))
              (i32.shr_u (local.get $lane) (i32.const 1))))))
            (i32.mul (i32.and (local.get $lane) (i32.const 1)) (i32.const 4)))
          (i32.add (local.get $from) (i32.add (i32.const 2)
            (i32.mul (local.get $lane) (i32.const 4)))))))
        (local.set $d1 (call $half (local.get $from)))
        (local.set $ab (if (result f32) (local.get $k)
          (then (call $fma (local.get $d1) (local.get $s) (local.get $ab)))
          (else (f32.mul (local.get $d1) (local.get $s)))))
        (local.set $k (i32.add (local.get $k) (i32.const 1)))
        (br_if $quarters (i32.lt_u (local.get $k) (i32.const 4))))
      (local.set $acc
        (call $fma (call $half (local.get $x)) (local.get $ab) (local.get $acc)))
      (local.set $x (i32.add (local.get $x) (i32.const 18)))
      (local.set $y (i32.add (local.get $y) (i32.const 136)))
      (local.set $n (i32.sub (local.get $n) (i32.const 128)))
      (br_if $blocks (i32.gt_s (local.get $n) (i32.const 0))))
    (local.get $acc))

  (func $both (param $n i32) (param $x i32) (param $y i32) (param $lane i32) (result f32)
    (f32.add
      (call $lane (local.get $n) (local.get $x) (local.get $y) (local.get $lane))
      (call $lane (local.get $n) (local.get $x) (local.get $y)
        (i32.add (local.get $lane) (i32.const 4)))))

  (func $dot (param $n i32) (param $x i32) (param $xBytes i32) (param $y i32) (param $yBytes i32)
    (result i32)
    ${parts.prologue ?? ""}
    (i32.reinterpret_f32 (f32.add
      (f32.add
        (call $both (local.get $n) (local.get $x) (local.get $y) (i32.const 0))
        (call $both (local.get $n) (local.get $x) (local.get $y) (i32.const 2)))
      (f32.add
        (call $both (local.get $n) (local.get $x) (local.get $y) (i32.const 1))
        (call $both (local.get $n) (local.get $x) (local.get $y) (i32.const 3)))))))`;
}

/** Text to bytes. */
export async function assemble(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const module = (await wabt()).parseWat("engine.wat", text);
  try {
    return new Uint8Array(module.toBinary({}).buffer);
  } finally {
    module.destroy();
  }
}
