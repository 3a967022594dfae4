/**
 * What a person has to look at is not done by a machine.
 *
 * @module
 */
import { EXIT, Failure } from "../exit_codes.ts";

/** @throws {Failure} where the variable CI is set */
export function refuseInCi(what = "goldens"): void {
  if (!Deno.env.get("CI")) return;
  throw new Failure(
    EXIT.usage,
    `Cannot store ${what} in CI (the variable CI is set): nobody would have looked at them. ` +
      "Store them on a desk, look at the difference, and commit them.",
  );
}
