/**
 * The exit codes of every command.
 *
 * @module
 */

/** What a run's exit code says; 0 is given only for checks that ran and passed. */
export const EXIT = {
  /** Everything asked for was done, and all of it is right. */
  passed: 0,
  /** Something differs, or a check could not be brought to an end. */
  differs: 1,
  /** The command line cannot be understood. */
  usage: 2,
  /** No adapter, or not the one required. */
  adapter: 3,
  /** Goldens are missing, damaged or orphaned. */
  goldens: 4,
  /** Nothing was there to run. */
  nothing: 5,
} as const;

export type ExitCode = typeof EXIT[keyof typeof EXIT];

/**
 * A command that cannot go on, for a reason its user can mend: the message says what could not be
 * done, the state met, and the remedy. It is printed without a stack.
 */
export class Failure extends Error {
  override name = "Failure";

  constructor(readonly exitCode: ExitCode, message: string) {
    super(message);
  }
}
