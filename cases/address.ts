/**
 * The address: the one string that names a case everywhere, `family/group:name=value,name=value`.
 *
 * It selects a case on a command line, names its golden, stands in reports and in the line that
 * reproduces a failure. There is exactly one spelling of an address: what {@linkcode parseAddress}
 * accepts, {@linkcode formatAddress} writes back unchanged.
 *
 * @module
 */

/** An address in its parts. Parameter values are kept as text; the family reads them. */
export interface Address {
  /** The function that is computed. */
  readonly family: string;
  /** Why the case is there, such as `edge`. */
  readonly group: string;
  /** What determines the input, in the order written. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** An address that does not name a case. */
export class AddressError extends Error {
  /** Tells it from other errors. */
  override name = "AddressError";
}

const SHAPE =
  /^([a-z0-9_]+)\/([a-z0-9_]+):([a-z0-9_]+=[A-Za-z0-9_.]+(?:,[a-z0-9_]+=[A-Za-z0-9_.]+)*)$/;

/**
 * Reads an address.
 *
 * @param text for instance `q1_0_matmul/tile:rows=33,n=256,cols=5,seed=7`
 * @throws {AddressError} when the text is not of the form, or names a parameter twice
 */
export function parseAddress(text: string): Address {
  const match = SHAPE.exec(text);
  if (!match) {
    throw new AddressError(
      `Cannot read address "${text}": it is not of the form family/group:name=value,name=value. ` +
        "List the addresses there are with: deno task list cases",
    );
  }
  const [, family, group, list] = match as unknown as [string, string, string, string];
  const parameters = new Map<string, string>();
  for (const pair of list.split(",")) {
    const [name, value] = pair.split("=") as [string, string];
    if (parameters.has(name)) {
      throw new AddressError(
        `Cannot read address "${text}": parameter "${name}" stands twice. Keep one of them.`,
      );
    }
    parameters.set(name, value);
  }
  return { family, group, parameters };
}

/** Writes an address: the inverse of {@linkcode parseAddress}. */
export function formatAddress(address: Address): string {
  const list = [...address.parameters].map(([name, value]) => `${name}=${value}`);
  return `${address.family}/${address.group}:${list.join(",")}`;
}

/** The address of the case with these parameters, in the order given. */
export function addressOf(
  family: string,
  group: string,
  parameters: Record<string, string | number>,
): string {
  const list = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  return `${family}/${group}:${list.join(",")}`;
}

/** A whole number of at least `least` from an address. */
export function wholeParameter(address: Address, name: string, least = 1): number {
  const text = address.parameters.get(name);
  const value = Number(text);
  if (text === undefined || !/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least) {
    throw new AddressError(
      `Cannot make case "${formatAddress(address)}": parameter "${name}" is ${
        text === undefined ? "missing" : `"${text}"`
      }, and must be a whole number of at least ${least}.`,
    );
  }
  return value;
}

/** The entry of a table that a parameter names. */
export function choiceParameter<T>(
  address: Address,
  name: string,
  table: Readonly<Record<string, T>>,
): T {
  const value = address.parameters.get(name) ?? "";
  if (!Object.hasOwn(table, value)) {
    throw new AddressError(
      `Cannot make case "${formatAddress(address)}": ${name}=${value} is not known. ` +
        `Use one of ${Object.keys(table).join(", ")}.`,
    );
  }
  return table[value]!;
}

/**
 * The group of an address in a family's table of groups.
 *
 * @param family its name
 * @throws {AddressError} where there is no such group, or it has other parameters or another order
 */
export function groupOf<Group extends { readonly parameters: readonly string[] }>(
  address: Address,
  family: string,
  groups: Readonly<Record<string, Group>>,
): Group {
  const group = Object.hasOwn(groups, address.group) ? groups[address.group]! : undefined;
  if (address.family !== family || !group) {
    throw new AddressError(
      `Cannot make case "${formatAddress(address)}": ${family} has the groups ` +
        `${Object.keys(groups).join(", ")}.`,
    );
  }
  const given = [...address.parameters.keys()];
  if (given.join() !== group.parameters.join()) {
    throw new AddressError(
      `Cannot make case "${formatAddress(address)}": group ${address.group} has the parameters ` +
        `${group.parameters.join(", ")}, in this order; the address has ${given.join(", ")}.`,
    );
  }
  return group;
}
