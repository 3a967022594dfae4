/**
 * Finding out that a device is gone.
 *
 * @module
 */
/** A device, and what it said when it was lost. */
export interface Watched {
  /** The device. */
  readonly device: GPUDevice;
  /** Set once its `lost` promise settled. */
  lost?: GPUDeviceLostInfo;
}

/** Watches a device from now on. */
export function watchLoss(device: GPUDevice): Watched {
  const watched: Watched = { device };
  device.lost.then((info) => watched.lost = info);
  return watched;
}

/**
 * Why the device can do nothing more, or `undefined` where it can. Its `lost` promise settles late,
 * and Deno's error scopes say nothing on a lost device; but a buffer can be mapped on a sound one
 * alone.
 */
export async function lossOf(watched: Watched): Promise<string | undefined> {
  const buffer = watched.device.createBuffer({ size: 4, usage: GPUBufferUsage.MAP_READ });
  try {
    await buffer.mapAsync(GPUMapMode.READ);
  } catch (error) {
    // One turn of the event loop, in which the promise settles if it is going to.
    await new Promise((resolve) => setTimeout(resolve, 0));
    return watched.lost?.message || (error as Error).message;
  } finally {
    buffer.destroy();
  }
  return undefined;
}
