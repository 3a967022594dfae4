/**
 * Copies of the project's goldens, to be damaged.
 *
 * @module
 */
import { pathToFileURL } from "node:url";
import { caseAt, FAMILIES } from "../../cases/mod.ts";
import type { GoldenEntry } from "../../tools/goldens/entry.ts";
import { formatManifest, parseManifest } from "../../tools/goldens/manifest.ts";
import { fileName, GOLDEN_FOLDER, GoldenStore } from "../../tools/goldens/store.ts";

const FAMILY = "q1_0_matmul";

/** A folder of goldens that is removed in the end. */
export class Copy implements Disposable {
  readonly path = Deno.makeTempDirSync({ prefix: "samebits-goldens-" });
  readonly url = pathToFileURL(`${this.path}/`);

  /** @param empty without the project's own goldens; timings and profiles are left out */
  constructor(empty: "empty" | "full" = "full") {
    if (empty === "empty") return;
    for (const { name } of FAMILIES) {
      copyFolder(new URL(`${name}/`, GOLDEN_FOLDER), new URL(`${name}/`, this.url));
    }
  }

  /** A store that has read nothing yet. */
  store(): GoldenStore {
    return new GoldenStore(this.url);
  }

  get manifestFile(): URL {
    return new URL(`${FAMILY}/manifest.json`, this.url);
  }

  fileOf(address: string, kind: "bits" | "input" = "bits"): URL {
    return new URL(`${FAMILY}/${fileName(address, kind)}`, this.url);
  }

  read(address: string): Uint8Array {
    return Deno.readFileSync(this.fileOf(address));
  }

  write(address: string, bytes: Uint8Array | string): void {
    const encoded = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
    Deno.writeFileSync(this.fileOf(address), encoded);
  }

  /** Changes a golden's entry; removes it where nothing is given back. */
  editEntry(address: string, edit: (entry: GoldenEntry) => GoldenEntry | undefined): void {
    const text = Deno.readTextFileSync(this.manifestFile);
    const manifest = new Map(parseManifest(text, "copy"));
    const entry = edit(manifest.get(address)!);
    if (entry) manifest.set(address, entry);
    else manifest.delete(address);
    Deno.writeTextFileSync(this.manifestFile, formatManifest(manifest));
  }

  editManifest(edit: (text: string) => string): void {
    Deno.writeTextFileSync(this.manifestFile, edit(Deno.readTextFileSync(this.manifestFile)));
  }

  /** What reading the golden says, or "" where it can be used. */
  message(address: string): string {
    const found = this.store().read(caseAt(address));
    return "message" in found ? found.message : "";
  }

  /** Every file with its bytes, to see whether anything changed. */
  everything(): Map<string, string> {
    return new Map(
      filesBelow(this.url).map((file) => [
        file.href.slice(this.url.href.length),
        Deno.readFileSync(file).toHex(),
      ]),
    );
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.path, { recursive: true });
  }
}

function filesBelow(folder: URL): URL[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const child = new URL(isDirectory ? `${name}/` : name, folder);
    return isDirectory ? filesBelow(child) : [child];
  }).sort((a, b) => a.href < b.href ? -1 : 1);
}

function copyFolder(from: URL, to: URL): void {
  for (const file of filesBelow(from)) {
    const target = new URL(file.href.slice(from.href.length), to);
    Deno.mkdirSync(new URL(".", target), { recursive: true });
    Deno.copyFileSync(file, target);
  }
}
