/** A pattern that can't be run on made-up items; the message says why, and what helps. */
export class UnprovableError extends Error {}
