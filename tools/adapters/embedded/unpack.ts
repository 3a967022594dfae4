/**
 * Fetches the package that carries SwiftShader and unpacks the driver: `unpack.ts FOLDER`.
 *
 * A program of its own, with a configuration and a lock file of its own, because Deno fetches all
 * that a lock file lists: 70 MB that most users never need would come with the first command.
 *
 * @module
 */
import { parseTar } from "nanotar";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import "swiftshader"; // so that it is in Deno's cache

/** The package tells where its program is; the driver's archive lies beside it. */
function archivePath(): string {
  const program = createRequire(import.meta.url).resolve("@sparticuz/chromium");
  return join(dirname(program), "..", "bin", "swiftshader.tar.br");
}

/** Unpacks beside the folder and renames, so that no half of it is ever taken for the whole. */
function unpack(archive: string, folder: string): void {
  const partial = `${folder}.${Deno.pid}`;
  Deno.mkdirSync(partial, { recursive: true });
  for (const { name, data } of parseTar(brotliDecompressSync(Deno.readFileSync(archive)))) {
    if (data) Deno.writeFileSync(join(partial, name), data);
  }
  try {
    Deno.renameSync(partial, folder);
  } catch {
    Deno.removeSync(partial, { recursive: true }); // another run was first
  }
}

if (import.meta.main) unpack(archivePath(), Deno.args[0]!);
