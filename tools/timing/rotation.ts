/**
 * Copies of a kernel's inputs that are used in turn, so that no run finds in a cache what the run
 * before it left there: in a model every weight comes from memory, once a token.
 *
 * @module
 */

/**
 * Bytes that a rotation takes: twice the largest last-level cache of a GPU that is known of (96 MB).
 * A software adapter computes far slower than its memory reads.
 */
const ROTATION_BYTES = { hardware: 192e6, software: 16e6 } as const;
const LEAST_COPIES = 2;
const MOST_COPIES = 256;

/** How many copies of inputs of so many bytes make a rotation. */
export function copiesFor(inputBytes: number, software: boolean, maxBufferSize: number): number {
  const bytes = ROTATION_BYTES[software ? "software" : "hardware"];
  const wanted = Math.min(MOST_COPIES, Math.max(LEAST_COPIES, Math.ceil(bytes / inputBytes)));
  return Math.max(1, Math.min(wanted, Math.floor(maxBufferSize / inputBytes)));
}

/** The rotated inputs of one device. Kernels that share an input share its copies. */
export class Rotation {
  readonly #device: GPUDevice;
  readonly #copies = new Map<Uint8Array, { buffer: GPUBuffer; count: number; stride: number }>();
  readonly #turns = new Map<Uint8Array, number>();

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  /** The binding of one of `count` copies. */
  binding(bytes: Uint8Array, count: number, copy: number): GPUBufferBinding {
    let made = this.#copies.get(bytes);
    if (!made || made.count < count) {
      made = { ...this.#make(bytes, count), count };
      this.#copies.set(bytes, made);
    }
    return { buffer: made.buffer, offset: copy * made.stride, size: wholeWords(bytes.length) };
  }

  /**
   * Which of `count` copies the next run uses. All works that share an input share its turns: if each
   * kept its own, one would trail another one by a few runs for as long as they are timed, and find in
   * the cache what that one has just read. Two equal texts were 11 % apart so.
   *
   * @param bytes the input
   */
  turn(bytes: Uint8Array, count: number): number {
    const turn = this.#turns.get(bytes) ?? 0;
    this.#turns.set(bytes, turn + 1);
    return turn % count;
  }

  destroy(): void {
    for (const { buffer } of this.#copies.values()) buffer.destroy();
  }

  #make(bytes: Uint8Array, count: number) {
    const alignment = this.#device.limits.minStorageBufferOffsetAlignment;
    const size = wholeWords(bytes.length);
    const stride = Math.ceil(size / alignment) * alignment;
    const first = this.#device.createBuffer({
      size,
      usage: GPUBufferUsage.COPY_SRC,
      mappedAtCreation: true,
    });
    new Uint8Array(first.getMappedRange()).set(bytes);
    first.unmap();
    const buffer = this.#device.createBuffer({
      size: stride * count,
      usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST,
    });
    const encoder = this.#device.createCommandEncoder();
    for (let copy = 0; copy < count; copy++) {
      encoder.copyBufferToBuffer(first, 0, buffer, copy * stride, size);
    }
    this.#device.queue.submit([encoder.finish()]);
    first.destroy();
    return { buffer, stride };
  }
}

function wholeWords(bytes: number): number {
  return (bytes + 3) & ~3;
}
