/**
 * Saved files, in bursts.
 *
 * @module
 */
import { join, relative, resolve } from "node:path";

/**
 * Milliseconds without an event after which a burst has ended: editors write a file in several
 * steps, or write another one and rename it.
 */
const QUIET = 25;

/** Files that changed together. */
export interface Changes {
  /** Paths from the root, with `/`, in order. */
  readonly files: readonly string[];
  /** When the first event of the burst came, as `performance.now()` counts. */
  readonly since: number;
}

/** Tells of files whose content is not what it was; a file that is written as it was is no change. */
export class ChangeFeed {
  readonly #root: string;
  readonly #matters: (path: string) => boolean;
  readonly #watcher: Deno.FsWatcher;
  readonly #known = new Map<string, string | undefined>();
  #pending = new Set<string>();
  #since = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Watches from now on.
   *
   * @param folders from the root
   * @param matters is a file, by its path from the root, one to tell of?
   * @param tell is called after each burst
   */
  constructor(
    root: string,
    folders: readonly string[],
    matters: (path: string) => boolean,
    tell: (changes: Changes) => void,
  ) {
    this.#root = resolve(root);
    this.#matters = matters;
    this.#watcher = Deno.watchFs(folders.map((folder) => join(this.#root, folder)));
    for (const folder of folders) this.#remember(folder);
    this.#listen(tell);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#watcher.close();
  }

  async #listen(tell: (changes: Changes) => void): Promise<void> {
    for await (const { paths } of this.#watcher) {
      const files = paths.map((path) => relative(this.#root, path).replaceAll("\\", "/"))
        .filter(this.#matters);
      if (files.length === 0) continue;
      if (this.#pending.size === 0) this.#since = performance.now();
      for (const file of files) this.#pending.add(file);
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#end(tell), QUIET);
    }
  }

  #end(tell: (changes: Changes) => void): void {
    const pending = [...this.#pending].sort();
    this.#pending = new Set();
    const files = pending.filter((file) => {
      const content = this.#read(file);
      if (content === this.#known.get(file)) return false;
      this.#known.set(file, content);
      return true;
    });
    if (files.length > 0) tell({ files, since: this.#since });
  }

  #remember(folder: string): void {
    for (const { name, isDirectory } of Deno.readDirSync(join(this.#root, folder))) {
      const path = `${folder}/${name}`;
      if (isDirectory) this.#remember(path);
      else if (this.#matters(path)) this.#known.set(path, this.#read(path));
    }
  }

  /** `undefined` where it is not there, or is being replaced. */
  #read(file: string): string | undefined {
    try {
      return Deno.readTextFileSync(join(this.#root, file));
    } catch {
      return undefined;
    }
  }
}
