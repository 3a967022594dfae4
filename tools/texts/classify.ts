/**
 * What kind of difference lies between two shader texts.
 *
 * @module
 */
import { withoutBom } from "./decode.ts";
import { type Token, tokenize } from "./wgsl_tokens.ts";

export type Difference =
  /** The tokens are the same; `cause` says what else is not. */
  | { readonly kind: "layout"; readonly cause: string }
  /** Names that the text itself declares were given other names, one for one. */
  | { readonly kind: "names"; readonly renamed: readonly (readonly [string, string])[] }
  | { readonly kind: "code" };

/** Of two texts that differ. */
export function classify(ours: string, theirs: string): Difference {
  const invisible = invisibleCause(ours, theirs);
  if (invisible) return { kind: "layout", cause: invisible };
  const from = tokenize(ours);
  const to = tokenize(theirs);
  if (from.length !== to.length) return { kind: "code" };
  if (from.every((token, at) => token.text === to[at]!.text)) {
    return { kind: "layout", cause: "whitespace or comments" };
  }
  const renamed = renames(from, to);
  return renamed ? { kind: "names", renamed } : { kind: "code" };
}

/** Names what an editor or a checkout does unseen, where that is the whole difference. */
function invisibleCause(ours: string, theirs: string): string | undefined {
  if (withLineFeeds(withoutBom(ours)) !== withLineFeeds(withoutBom(theirs))) return undefined;
  const marks = withoutBom(ours) === ours ? "there" : "here";
  const returns = withLineFeeds(ours) === ours ? "there" : "here";
  return [
    ...ours.startsWith("\uFEFF") === theirs.startsWith("\uFEFF")
      ? []
      : [`a byte order mark (EF BB BF) ${marks}`],
    ...withLineFeeds(ours) === ours && withLineFeeds(theirs) === theirs
      ? []
      : [`line ends, CR LF ${returns}`],
  ].join(" and ");
}

function withLineFeeds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/**
 * Which declared names changed, where that is all that changed; else undefined. `min` for `max` or
 * `f32` for `f16` is code: neither text declares them.
 */
function renames(from: readonly Token[], to: readonly Token[]): [string, string][] | undefined {
  const before = spacedNames(from);
  const after = spacedNames(to);
  const declaredBefore = declared(from, before);
  const declaredAfter = declared(to, after);
  const forth = new Map<string, string>();
  const back = new Map<string, string>();
  for (let at = 0; at < from.length; at++) {
    const old = before[at];
    const young = after[at];
    if (old === undefined || young === undefined) {
      if (from[at]!.text !== to[at]!.text) return undefined;
      continue;
    }
    // One for one: two names that became one, or one that became two, are another program.
    if ((forth.get(old) ?? young) !== young || (back.get(young) ?? old) !== old) return undefined;
    forth.set(old, young);
    back.set(young, old);
    if (old !== young && !(declaredBefore.has(old) && declaredAfter.has(young))) return undefined;
  }
  return [...forth].filter(([old, young]) => old !== young)
    .map(([old, young]) => [bare(old), bare(young)]);
}

/**
 * Each name with the space it is looked up in: members (`.x`) and attributes (`@size`) are not the
 * variables of the same spelling. Undefined where a token is no name.
 */
function spacedNames(tokens: readonly Token[]): (string | undefined)[] {
  const members = memberDeclarations(tokens);
  return tokens.map(({ kind, text }, at) => {
    if (kind !== "name") return undefined;
    const previous = tokens[at - 1]?.text;
    if (previous === "." || members.has(at)) return `.${text}`;
    return previous === "@" ? `@${text}` : text;
  });
}

function bare(spaced: string): string {
  return spaced.replace(/^[.@]/, "");
}

const DECLARING = new Set(["fn", "struct", "let", "const", "var", "override", "alias"]);
// `.x` of a vector is not the member `x` of a struct, but looks the same: neither may be renamed.
const SWIZZLE = /^\.(?:[xyzw]{1,4}|[rgba]{1,4})$/;

function declared(tokens: readonly Token[], names: readonly (string | undefined)[]): Set<string> {
  const found = new Set<string>();
  names.forEach((name, at) => {
    if (name === undefined || name.startsWith("@") || SWIZZLE.test(name)) return;
    // Before a colon stands a parameter, a member or a typed variable.
    if (DECLARING.has(tokens[at - 1]?.text ?? "") || tokens[at + 1]?.text === ":") found.add(name);
  });
  return found;
}

/** The places of the names that `struct` bodies declare. */
function memberDeclarations(tokens: readonly Token[]): Set<number> {
  const places = new Set<number>();
  let inside = false;
  tokens.forEach(({ kind, text }, at) => {
    if (text === "{" && tokens[at - 2]?.text === "struct") inside = true;
    if (text === "}") inside = false;
    if (inside && kind === "name" && tokens[at + 1]?.text === ":") places.add(at);
  });
  return places;
}
