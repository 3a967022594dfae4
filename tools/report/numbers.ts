/**
 * Numbers for people.
 *
 * @module
 */

/** A whole number with its thousands apart. */
export function thousands(value: number): string {
  return value.toLocaleString("en-US");
}

/** `1 word`, `2 words`. */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${thousands(value)} ${value === 1 ? noun : plural}`;
}

/** A word's eight hex digits. */
export function hex(word: number): string {
  return word.toString(16).padStart(8, "0");
}

const scratch = new DataView(new ArrayBuffer(4));

/** The f32 that a word encodes, with enough digits to tell it from its neighbours. */
export function f32Text(word: number): string {
  scratch.setUint32(0, word);
  const value = scratch.getFloat32(0);
  if (Object.is(value, -0)) return "-0";
  return Number.isFinite(value) ? String(Number(value.toPrecision(9))) : String(value);
}

/** What a word stands for: an integer, or an f32. */
export function wordValue(word: number, integers = false): string {
  return integers ? String(word) : f32Text(word);
}

/** How far off a word is: in units in the last place, of integers in steps of one. */
export function distanceText(distance: number, integers = false): string {
  return integers ? thousands(distance) : `${thousands(distance)} ulp`;
}

/** A word as a shell reads it back. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
