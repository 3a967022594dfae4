/**
 * Choosing the adapter: the options of every command that runs on one.
 *
 * @module
 */
import { type Command, Option } from "cli";

/** Adds the options that make an `AdapterWish`. */
export function withAdapterOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--adapter <name>",
        "default, embedded, high-performance, low-power or a Vulkan driver",
      ).env("SAMEBITS_ADAPTER"),
    )
    .option("--backend <name>", "vulkan, metal, dx12 or gl; default: the system's own")
    .option("--require <what>", "'hardware', or a text in the adapter's name; else exit 3");
}
