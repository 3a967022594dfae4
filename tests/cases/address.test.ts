/** Addresses: one spelling each, and clear errors for all others. */
import { expect } from "expect";
import { AddressError, formatAddress, parseAddress } from "../../cases/address.ts";
import { allCases, caseAt } from "../../cases/mod.ts";

Deno.test("every listed address reads and writes back unchanged, and stands once", () => {
  const addresses = allCases().map(({ address }) => address);
  expect(addresses.length).toBeGreaterThan(250);
  expect(new Set(addresses).size).toBe(addresses.length);
  for (const address of addresses) {
    expect(formatAddress(parseAddress(address))).toBe(address);
    expect(caseAt(address).address).toBe(address);
  }
});

const WRONG: readonly [address: string, says: RegExp][] = [
  ["", /not of the form/],
  ["q1_0_matmul", /not of the form/],
  ["q1_0_matmul/tile:rows", /not of the form/],
  ["q1_0_matmul/tile:rows=1, n=128", /not of the form/],
  ["q1_0_matmul/tile:rows=1,rows=2", /"rows" stands twice/],
  ["nosuch/tile:rows=1", /no family "nosuch".*q1_0_matmul/],
  ["q1_0_matmul/nosuch:rows=1", /groups random, tile/],
  ["q1_0_matmul/tile:rows=1,n=128,cols=1", /has the parameters rows, n, cols, seed/],
  ["q1_0_matmul/tile:n=128,rows=1,cols=1,seed=1", /in this order/],
  ["q1_0_matmul/tile:rows=0,n=128,cols=1,seed=1", /"rows" is "0".*at least 1/],
  ["q1_0_matmul/tile:rows=1,n=100,cols=1,seed=1", /n is 100.*multiple of 128/],
  ["q1_0_matmul/trap:rows=1,n=128,cols=1,seed=1", /multiple of 256/],
  ["q1_0_matmul/layer:model=2B,matrix=attn_q,cols=1,seed=1", /model=2B is not known.*1\.7B/],
  ["q1_0_matmul/layer:model=8B,matrix=constructor,cols=1,seed=1", /matrix=constructor is not/],
];

for (const [address, says] of WRONG) {
  Deno.test(`refused: "${address}"`, () => {
    expect(() => {
      const { family, parsed } = caseAt(address);
      family.input(parsed);
    }).toThrow(AddressError);
    expect(() => {
      const { family, parsed } = caseAt(address);
      family.input(parsed);
    }).toThrow(says);
  });
}
