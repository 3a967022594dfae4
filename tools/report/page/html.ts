/**
 * HTML texts in which nothing from outside can be anything but text.
 *
 * @module
 */

/** A text that is HTML already. */
export class Html {
  constructor(readonly text: string) {}
}

/** What a template takes: HTML as it is, all else escaped; lists one after the other. */
export type Part = Html | string | number | false | undefined | readonly Part[];

/** HTML from a template. Attribute values must stand in double quotes. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.map((text, i) => text + textOf(parts[i])).join(""));
}

function textOf(part: Part): string {
  if (part === undefined || part === false) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(textOf).join("");
  return escaped(String(part));
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ESCAPES[sign]!);
}

/** JSON for a script element, which ends at the first `</script` whatever surrounds it. */
export function jsonHtml(value: unknown): Html {
  return new Html(JSON.stringify(value).replaceAll("<", "\\u003c"));
}

/** An address, or another long word, that a line may be broken in where a person would. */
export function breakable(text: string): Html {
  return html`${text.split(/(?<=[,:/])/).map((part) => html`${part}<wbr>`)}`;
}
