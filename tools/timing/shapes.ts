/**
 * What is timed where nothing else is asked for.
 *
 * @module
 */
import { type Case, caseAt } from "../../cases/mod.ts";

/**
 * Eight matrices of the smallest and the largest model, by address: a token's, and one for five
 * tokens at once, where a tile of columns can pay.
 */
const PRODUCTION = [
  "q1_0_matmul/layer:model=1.7B,matrix=attn_q,cols=1,seed=1",
  "q1_0_matmul/layer:model=1.7B,matrix=ffn_gate,cols=1,seed=1",
  "q1_0_matmul/layer:model=1.7B,matrix=ffn_gate,cols=5,seed=2",
  "q1_0_matmul/layer:model=1.7B,matrix=ffn_down,cols=1,seed=1",
  "q1_0_matmul/layer:model=1.7B,matrix=output,cols=1,seed=1",
  "q1_0_matmul/layer:model=8B,matrix=attn_q,cols=1,seed=1",
  "q1_0_matmul/layer:model=8B,matrix=ffn_gate,cols=1,seed=1",
  "q1_0_matmul/layer:model=8B,matrix=ffn_down,cols=1,seed=1",
];

export function productionCases(): Case[] {
  return PRODUCTION.map(caseAt);
}
