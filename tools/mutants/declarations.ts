/**
 * Changes outside of functions' bodies: bindings, uniform members, workgroup sizes.
 *
 * @module
 */
import type { Attribute, Declaration, Span } from "../wgsl/syntax.ts";
import type { Change } from "./mutant.ts";

type Placed = { readonly place: string; readonly change: Change };

/** Two pieces of the text in each other's place. */
function swap(kind: string, a: Span, b: Span, source: (span: Span) => string): Change {
  return {
    kind,
    edits: [
      { start: a.start, end: a.end, text: source(b) },
      { start: b.start, end: b.end, text: source(a) },
    ],
    shown: kind,
  };
}

export function declarationChanges(
  declarations: readonly Declaration[],
  source: (span: Span) => string,
): Placed[] {
  return [
    ...bindingsSwapped(declarations, source),
    ...declarations.flatMap((one) => membersSwapped(one, source)),
    ...declarations.flatMap((one) => workgroupSizes(one)),
  ];
}

/** Storage buffers of one type, each pair. */
function bindingsSwapped(
  declarations: readonly Declaration[],
  source: (span: Span) => string,
): Placed[] {
  const buffers = declarations.flatMap((one) => {
    const binding = attribute(one, "binding");
    return one.kind === "variable" && binding
      ? [{ name: one.name, like: one.space + one.type, binding }]
      : [];
  });
  return buffers.flatMap((a, i) =>
    buffers.slice(i + 1).filter((b) => b.like === a.like).map((b) => ({
      place: `${a.name} and ${b.name}`,
      change: swap("bindings swapped", a.binding.args[0]!, b.binding.args[0]!, source),
    }))
  );
}

/** Neighbours in the uniform buffer's struct; the others belong to no buffer. */
function membersSwapped(one: Declaration, source: (span: Span) => string): Placed[] {
  if (one.kind !== "struct" || one.name !== "Params") return [];
  return one.members.slice(1).map((member, i) => ({
    place: `${one.name} ${one.members[i]!.name} and ${member.name}`,
    change: swap("members swapped", one.members[i]!, member, source),
  }));
}

function workgroupSizes(one: Declaration): Placed[] {
  const size = attribute(one, "workgroup_size")?.args[0];
  if (size?.kind !== "literal") return [];
  const value = Number.parseInt(size.text);
  return [value / 2, value * 2].map((other) => ({
    place: one.name,
    change: {
      kind: "workgroup size",
      edits: [{ start: size.start, end: size.end, text: String(other) }],
      shown: `workgroup size ${size.text} -> ${other}`,
    },
  }));
}

function attribute(one: Declaration, name: string): Attribute | undefined {
  return one.attributes.find((attribute) => attribute.name === name);
}
