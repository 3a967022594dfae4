/**
 * The record of a run: all that any report is made from.
 *
 * @module
 */
import type { AdapterDescription } from "../runner/adapter.ts";
import type { Result } from "../runner/verdict.ts";

/** Grows when a reader of older records would misread a new one. */
export const RECORD_FORMAT = 1;

export interface RunRecord {
  readonly format: typeof RECORD_FORMAT;
  readonly samebits: string;
  readonly deno: string;
  /** ISO 8601. */
  readonly started: string;
  /** From the first check to the last verdict. */
  readonly seconds: number;
  readonly adapter: AdapterDescription;
  readonly backend: string;
  /** The Vulkan driver's file, where one was named. */
  readonly driverFile?: string;
  /** Options that a reproduction of a check needs beside kernel, size and address. */
  readonly options: readonly string[];
  /** Checks planned; fewer results mean that the run ended early. */
  readonly planned: number;
  readonly repeats: number;
  readonly results: readonly Result[];
  readonly exitCode: number;
}
