/**
 * Every kernel against every twin, both ways. A difference is a finding, never an exception.
 *
 * @module
 */
import type { EngineTexts, Unreadable } from "./extract.ts";
import { digest, type OwnText } from "./own.ts";
import { isShader } from "./shader_mark.ts";
import type { Other, Place, Twins } from "./twins.ts";
import type { Constant, KnownText } from "./value.ts";

export type Finding =
  | { readonly kind: "same"; readonly own: OwnText; readonly twin: Constant }
  | {
    readonly kind: "differs";
    readonly own: OwnText;
    readonly twin: Constant;
    readonly value: KnownText;
  }
  /** The twin is there, but is no text that can be compared. */
  | {
    readonly kind: "unknown";
    readonly own: OwnText;
    readonly twin: Constant;
    readonly reason: string;
  }
  | { readonly kind: "gone"; readonly own: OwnText; readonly place: Place }
  /** kernels/twins.json names no twin of it. */
  | { readonly kind: "own"; readonly own: OwnText }
  /** Not at its place, but a constant of its name or of its text is elsewhere. */
  | {
    readonly kind: "moved";
    readonly own: OwnText;
    readonly place: Place;
    readonly to: readonly Constant[];
  }
  /** A shader of the engine that no kernel claims; `copyOf` is the kernel whose text it has. */
  | { readonly kind: "unclaimed"; readonly shader: Constant; readonly copyOf: string | undefined }
  /** An entry of `others` whose shader is no longer there. */
  | { readonly kind: "stale"; readonly other: Other }
  | ({ readonly kind: "unreadable" } & Unreadable)
  | RecordFinding;

export type RecordFinding =
  /** A kernel without an entry in kernels/twins.json. */
  | { readonly kind: "unlisted"; readonly own: OwnText }
  /** An entry without a kernel. */
  | { readonly kind: "orphan"; readonly name: string }
  /** The text is not the one that was last agreed on. */
  | {
    readonly kind: "edited";
    readonly own: OwnText;
    readonly sha256: string;
    readonly recorded: string;
    readonly commit: string | null;
  };

/** Each text against its recorded hash: all that can be said without an engine. */
export function compareWithRecord(own: readonly OwnText[], twins: Twins): RecordFinding[] {
  const names = new Set(own.map(({ name }) => name));
  const orphans = Object.keys(twins.kernels).filter((name) => !names.has(name));
  return [
    ...own.flatMap((text) => compareOneWithRecord(text, twins)),
    ...orphans.map((name): RecordFinding => ({ kind: "orphan", name })),
  ];
}

function compareOneWithRecord(own: OwnText, { kernels }: Twins): RecordFinding[] {
  const agreement = kernels[own.name]?.agreement;
  if (!agreement) return [{ kind: "unlisted", own }];
  const sha256 = digest(own.text);
  if (sha256 === agreement.sha256) return [];
  const { sha256: recorded, commit } = agreement;
  return [{ kind: "edited", own, sha256, recorded, commit }];
}

/** The names that twins.json gives to constants: these are found even where they are no shaders. */
export function twinNames({ kernels, others }: Twins): string[] {
  const places = [...Object.values(kernels).flatMap(({ places }) => places), ...others];
  return places.flatMap(({ name }) => name === undefined ? [] : [name]);
}

export function compareWithEngine(
  own: readonly OwnText[],
  twins: Twins,
  engine: EngineTexts,
): Finding[] {
  const comparison = new Comparison(own, twins, engine);
  return [
    ...own.flatMap((text) => comparison.ofKernel(text)),
    ...comparison.others(), // after the kernels have claimed theirs
    ...engine.unreadable.map((problem): Finding => ({ kind: "unreadable", ...problem })),
    ...compareWithRecord(own, twins),
  ];
}

class Comparison {
  readonly #claimed = new Set<Constant>();
  readonly #listed: ReadonlySet<string>;

  constructor(
    private readonly own: readonly OwnText[],
    private readonly twins: Twins,
    private readonly engine: EngineTexts,
  ) {
    const places = Object.values(twins.kernels).flatMap(({ places }) => places);
    this.#listed = new Set(places.map(key));
  }

  ofKernel(own: OwnText): Finding[] {
    const twin = this.twins.kernels[own.name];
    if (!twin) return []; // said by compareWithRecord
    if (twin.places.length === 0) return [{ kind: "own", own }];
    return twin.places.flatMap((place) => this.#ofPlace(own, place));
  }

  others(): Finding[] {
    const { others } = this.twins;
    const excused = new Set(others.map(key));
    const shaders = this.engine.constants.filter(({ value }) => isShader(value.text));
    const found = new Set(shaders.map(key));
    const included = this.#includedFiles();
    return [
      ...shaders
        .filter((shader) => !this.#claimed.has(shader) && !excused.has(key(shader)))
        .filter(({ name, file }) => name !== undefined || !included.has(file))
        .map((shader): Finding => ({ kind: "unclaimed", shader, copyOf: this.#copyOf(shader) })),
      ...others.filter((other) => !found.has(key(other)))
        .map((other): Finding => ({ kind: "stale", other })),
    ];
  }

  #ofPlace(own: OwnText, place: Place): Finding[] {
    // Two constants may have one name: in two modules, or behind two `cfg`s. All must agree.
    const twins = this.engine.constants.filter((constant) => key(constant) === key(place));
    if (twins.length === 0) return [this.#absent(own, place)];
    return twins.map((twin) => {
      this.#claimed.add(twin);
      const { value } = twin;
      if (value.kind === "open") return { kind: "unknown", own, twin, reason: value.reason };
      if (value.text === own.text) return { kind: "same", own, twin };
      return { kind: "differs", own, twin, value };
    });
  }

  #absent(own: OwnText, place: Place): Finding {
    const to = this.engine.constants.filter((constant) =>
      !this.#listed.has(key(constant)) &&
      ((place.name !== undefined && constant.name === place.name) || hasText(constant, own.text))
    );
    if (to.length === 0) return { kind: "gone", own, place };
    for (const constant of to) this.#claimed.add(constant);
    return { kind: "moved", own, place, to };
  }

  /** A .wgsl file that a constant includes is that constant's text, not another shader. */
  #includedFiles(): Set<string> {
    return new Set(
      this.engine.constants.flatMap(({ value, file }) =>
        value.kind === "open" ? [] : value.lines.map((line) => line.file).filter((f) => f !== file)
      ),
    );
  }

  #copyOf(shader: Constant): string | undefined {
    return this.own.find(({ text }) => hasText(shader, text))?.name;
  }
}

function key(
  { file, name }: { readonly file: string; readonly name?: string | undefined },
): string {
  return JSON.stringify([file, name ?? null]);
}

function hasText({ value }: Constant, text: string): boolean {
  return value.kind === "text" && value.text === text;
}
