/**
 * Answers to what the engine's module imports. They are read from the module, never assumed.
 *
 * @module
 */
import { EXIT, Failure } from "../../exit_codes.ts";

/** A module that cannot be used as it is: the message says why, and what to do. */
export class EngineError extends Failure {
  override name = "EngineError";

  constructor(file: string, state: string, remedy: string) {
    super(EXIT.usage, `Cannot use ${file} as a reference: ${state} ${remedy}`);
  }
}

const WASI = "wasi_snapshot_preview1";
/** All functions of that interface. A dot product needs none of them to do anything. */
const WASI_FUNCTIONS = new Set(
  ("args_get args_sizes_get environ_get environ_sizes_get clock_res_get clock_time_get " +
    "fd_advise fd_allocate fd_close fd_datasync fd_fdstat_get fd_fdstat_set_flags " +
    "fd_fdstat_set_rights fd_filestat_get fd_filestat_set_size fd_filestat_set_times fd_pread " +
    "fd_prestat_get fd_prestat_dir_name fd_pwrite fd_read fd_readdir fd_renumber fd_seek fd_sync " +
    "fd_tell fd_write path_create_directory path_filestat_get path_filestat_set_times path_link " +
    "path_open path_readlink path_remove_directory path_rename path_symlink path_unlink_file " +
    "poll_oneoff proc_exit proc_raise sched_yield random_get sock_accept sock_recv sock_send " +
    "sock_shutdown").split(" "),
);

/** What the module did instead of an answer; the caller adds where. */
export class EngineStop extends Error {
  override name = "EngineStop";
}

/**
 * An answer for every import of the module.
 *
 * @throws {EngineError} where the module needs one that nobody here can answer
 */
export function answerImports(module: WebAssembly.Module, file: string): WebAssembly.Imports {
  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    const answer = kind === "function" ? answerFunction(from, name) : undefined;
    if (!answer) {
      throw new EngineError(
        file,
        `it imports the ${kind} "${from}.${name}", and nobody here can answer that.`,
        `Answered are functions of ${WASI}, env.bankml_gpu_*, browseml.piece and browseml.log: ` +
          "build the module without the other, or teach tools/goldens/engine/imports.ts its answer.",
      );
    }
    (imports[from] ??= {})[name] = answer;
  }
  return imports;
}

function answerFunction(
  from: string,
  name: string,
): ((...given: unknown[]) => unknown) | undefined {
  if (from === WASI) return answerWasi(name);
  if (from === "env" && name.startsWith("bankml_gpu_")) return () => 0; // no GPU here
  if (from === "browseml" && name === "piece") return () => 1;
  if (from === "browseml" && name === "log") return () => {};
  return undefined;
}

function answerWasi(name: string): (...given: unknown[]) => unknown {
  if (name === "proc_exit") {
    return (code) => {
      throw new EngineStop(`it ended itself (proc_exit ${code})`);
    };
  }
  if (WASI_FUNCTIONS.has(name)) return () => 0;
  return () => {
    throw new EngineStop(`it called ${WASI}.${name}, and there is no such function`);
  };
}
