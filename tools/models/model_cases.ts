/**
 * Cases made of rows of a model's weights.
 *
 * @module
 */
import { addressOf } from "../../cases/address.ts";
import { caseAt, FAMILIES, type RowRange } from "../../cases/mod.ts";
import { EXIT, Failure } from "../exit_codes.ts";
import { sha256 } from "../goldens/bits.ts";
import type { Wanted } from "../goldens/pool.ts";
import { type Model, readRows, type Tensor } from "./model.ts";

/** Digits of the file's SHA-256 in an address; the whole of it stands in the manifest. */
const FILE_DIGITS = 12;

/** The family whose cases the tensor's rows can be. @throws {Failure} where there is none */
export function familyOf({ name, type, layout }: Tensor): string {
  const family = FAMILIES.find(({ tensorType }) => tensorType === type);
  if (family) return family.name;
  throw new Failure(
    EXIT.usage,
    layout
      ? `Cannot make cases of tensor "${name}": there is no family for ${type} weights yet. Use a ` +
        `tensor of ${FAMILIES.flatMap(({ tensorType = [] }) => tensorType).join(" or ")}.`
      : `Cannot make cases of tensor "${name}": it is ${type}. Use one of those that deno task ` +
        "cases --model lists.",
  );
}

/**
 * One case, with the bytes of its rows.
 *
 * @param modelSha256 of the whole file
 * @throws {Failure} where the tensor cannot be a case
 */
export function modelCase(
  model: Model,
  tensor: Tensor,
  range: RowRange,
  { cols, seed, modelSha256 }: { cols: number; seed: number; modelSha256: string },
): Wanted {
  const family = familyOf(tensor);
  if (!/^[A-Za-z0-9_.]+$/.test(tensor.name)) {
    throw new Failure(
      EXIT.usage,
      `Cannot make cases of tensor "${tensor.name}": an address holds letters, digits, _ and . ` +
        "only. Rename the tensor in a copy of the file.",
    );
  }
  const bytes = readRows(model.path, tensor, range);
  const address = addressOf(family, "model", {
    file: modelSha256.slice(0, FILE_DIGITS),
    tensor: tensor.name,
    first: range.first,
    rows: range.count,
    n: tensor.n,
    cols,
    seed,
  });
  return {
    subject: caseAt(address),
    stored: {
      bytes,
      model: {
        file: model.file,
        ...model.about,
        sha256: modelSha256,
        tensor: tensor.name,
        type: tensor.type,
        tensorRows: tensor.rows,
        bytes: bytes.length,
        stored: sha256(bytes),
      },
    },
  };
}
