/**
 * Who computed a golden's bits. `version` goes up when any output bit of this room may change, so
 * that a golden made by an older reference is told apart from one made by this one.
 */
export const REFERENCE = { name: "samebits", version: 1 } as const;
