/**
 * Choosing cases and kernels by globs.
 *
 * @module
 */
import { AddressError, allCases, type Case, caseAt } from "../../cases/mod.ts";
import type { Kernel } from "../../kernels/kernel.ts";
import { KERNELS } from "../../kernels/mod.ts";
import { EXIT, Failure } from "../exit_codes.ts";

/**
 * Matches a whole text against a glob: `*` is any run of characters, `?` any one. Addresses have no
 * path in them, so a path's rules (`*` stopping at `/`) would only be in the way.
 */
export function globMatcher(glob: string): (text: string) => boolean {
  const pattern = glob.replace(/[.+^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")
    .replaceAll("?", ".");
  const expression = new RegExp(`^${pattern}$`);
  return (text) => expression.test(text);
}

/** The cases that match one of the globs; all of them where there is no glob. */
export function selectCases(
  globs: readonly string[],
  cases: readonly Case[] = allCases(),
): readonly Case[] {
  return selectByAddress(globs, cases);
}

/**
 * Cases to time: those that match a glob, and any other that an address names; no golden of such a
 * case is stored, so that its right words are computed.
 */
export function selectTimed(globs: readonly string[], cases: readonly Case[]): readonly Case[] {
  const isOther = (glob: string) =>
    !/[*?]/.test(glob) && !cases.some(({ address }) => address === glob);
  const others = globs.filter(isOther).map(otherCase);
  const listed = globs.filter((glob) => !isOther(glob));
  return [...(listed.length > 0 ? selectByAddress(listed, cases) : []), ...others];
}

function otherCase(address: string): Case {
  try {
    return caseAt(address);
  } catch (error) {
    if (error instanceof AddressError) throw new Failure(EXIT.nothing, error.message);
    throw error;
  }
}

/** Whatever has an address that matches one of the globs; all where there is no glob. */
export function selectByAddress<One extends { readonly address: string }>(
  globs: readonly string[],
  all: readonly One[],
): readonly One[] {
  if (globs.length === 0) return all;
  const selected = new Set(globs.flatMap((glob) => {
    const matches = globMatcher(glob);
    const found = all.filter(({ address }) => matches(address));
    if (found.length > 0) return found;
    throw new Failure(
      EXIT.nothing,
      `Nothing to run: no case matches "${glob}". See what there is: deno task list cases`,
    );
  }));
  return all.filter((one) => selected.has(one));
}

/** The kernels whose names match one of the globs (in any case); all where there is no glob. */
export function selectKernels(
  globs: readonly string[],
  kernels: readonly Kernel[] = KERNELS,
): readonly Kernel[] {
  if (globs.length === 0) return kernels;
  const selected = globs.flatMap((glob) => {
    const matches = globMatcher(glob.toLowerCase());
    const found = kernels.filter(({ name }) => matches(name.toLowerCase()));
    if (found.length > 0) return found;
    throw new Failure(
      EXIT.nothing,
      `Nothing to run: no kernel matches "${glob}". There are: ` +
        kernels.map(({ name }) => name).join(", "),
    );
  });
  return kernels.filter((kernel) => selected.includes(kernel));
}
