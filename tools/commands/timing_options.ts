/**
 * What the commands that time have in common: choosing the adapter, and showing how far they are.
 *
 * @module
 */
import { type Command, Option } from "cli";
import type { AdapterWish } from "../adapters/choose.ts";
import type { ClockKind } from "../timing/clock.ts";
import { timeLeft } from "../timing/time_left.ts";
import { withAdapterOptions } from "./adapter_options.ts";
import { Bar } from "./bar.ts";
import { positive } from "./options.ts";

export interface TimingOptions extends AdapterWish {
  readonly clock?: ClockKind;
  readonly limit: number;
  readonly smoke?: true;
}

export function withTimingOptions(command: Command): Command {
  return withAdapterOptions(command)
    .addOption(
      new Option("--clock <kind>", "default: the GPU's timestamps where it has them").choices([
        "timestamps",
        "slope",
      ]),
    )
    .option("--limit <seconds>", "longest time without a sign of life", positive, 60)
    .option("--smoke", "see that all of it works, in a few seconds; the times mean nothing");
}

/** Shows a part that is done, 0 to 1, with the time that is left. */
export function progressBar(): { show: (done: number) => void; end: () => void } {
  const bar = new Bar(100, "%");
  const left = timeLeft();
  return {
    show: (done) => {
      const seconds = left(done);
      bar.show(Math.round(100 * done), seconds === undefined ? "" : `, ${seconds} s left`);
    },
    end: () => bar.end(),
  };
}
