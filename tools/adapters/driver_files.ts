/**
 * Vulkan drivers installed on a Linux machine: each is announced by a JSON file.
 *
 * @module
 */
import { basename, join } from "node:path";

/** Where the Vulkan loader looks, in its order. */
function folders(): string[] {
  const data = Deno.env.get("XDG_DATA_DIRS")?.split(":").filter(Boolean) ??
    ["/usr/local/share", "/usr/share"];
  const home = Deno.env.get("HOME");
  return ["/etc", ...home ? [join(home, ".local/share")] : [], ...data]
    .map((folder) => join(folder, "vulkan/icd.d"));
}

/** Paths of all driver files. */
export function driverFiles(): string[] {
  if (Deno.build.os !== "linux") return [];
  return [...new Set(folders())].flatMap((folder) => {
    try {
      return [...Deno.readDirSync(folder)].map(({ name }) => join(folder, name))
        .filter((path) => path.endsWith(".json")).sort();
    } catch {
      return []; // no such folder, or not ours to read
    }
  });
}

/** A driver's short name: `lvp` for `/usr/share/vulkan/icd.d/lvp_icd.x86_64.json`. */
export function driverName(path: string): string {
  return basename(path).replace(/(_icd)?(\.[a-z0-9_]+)?\.json$/, "");
}
