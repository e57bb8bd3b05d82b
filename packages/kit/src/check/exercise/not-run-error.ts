/** A pattern can't be run; the message says why, and what helps. */
export class NotRunError extends Error {}
