/**
 * The texts that an engine really hands to `createShaderModule`. Web interfaces only: a page
 * imports this.
 *
 * @module
 */
import { type Kernel, KERNELS } from "../../kernels/mod.ts";

/** A shader module that was made on a watched device. */
export interface WatchedModule {
  /** The label that it was given, or "". */
  readonly label: string;
  /** The WGSL that the device was given. */
  readonly text: string;
  /** SHA-256 of the text's UTF-8 bytes, in hex. */
  readonly sha256: string;
  /** The kernel of this suite whose text it is to the byte; undefined for none. */
  readonly kernel: string | undefined;
}

/** What {@linkcode watch} returns. */
export interface Watch {
  /** Every module made so far, in order. */
  modules(): Promise<WatchedModule[]>;
  /** Gives the device its own method back; what was recorded stays. */
  stop(): void;
}

/**
 * Records the text of every shader module that `device` makes from now on. A page's developer adds
 * one line after `requestDevice`, and later asks which proven kernel each module is:
 *
 * ```ts ignore
 * const watched = watch(device);
 * // … the engine makes its pipelines …
 * console.table(await watched.modules());
 * ```
 *
 * @throws TypeError from `modules()` where the page has no `crypto.subtle`: it is not a secure
 *   context.
 */
export function watch(
  device: GPUDevice,
  kernels: readonly Pick<Kernel, "name" | "text">[] = KERNELS,
): Watch {
  const make = device.createShaderModule;
  const records: { readonly label: string; readonly text: string }[] = [];
  let recording = true;
  const watching = (descriptor: GPUShaderModuleDescriptor): GPUShaderModule => {
    const module = make.call(device, descriptor);
    if (recording) records.push({ label: descriptor.label ?? "", text: `${descriptor.code}` });
    return module;
  };
  // An own property hides the prototype's method; a proxy would be no GPUDevice to the browser.
  Object.defineProperty(device, "createShaderModule", {
    value: watching,
    configurable: true,
    writable: true,
  });
  return {
    async modules() {
      const names = new Map<string, string>();
      for (const { name, text } of kernels) names.set(await sha256(text), name);
      return await Promise.all(records.map(async ({ label, text }) => {
        const hash = await sha256(text);
        return { label, text, sha256: hash, kernel: names.get(hash) };
      }));
    },
    stop() {
      recording = false;
      // Another watcher may have wrapped this one since: its wrapper is left in place.
      if (device.createShaderModule !== watching) return;
      Object.defineProperty(device, "createShaderModule", {
        value: make,
        configurable: true,
        writable: true,
      });
    },
  };
}

async function sha256(text: string): Promise<string> {
  if (!globalThis.crypto?.subtle) {
    throw new TypeError(
      "Cannot hash the shader texts: this page has no crypto.subtle, which browsers give only to " +
        "secure contexts. Open it over https, or from localhost.",
    );
  }
  const bytes = new TextEncoder().encode(text);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
