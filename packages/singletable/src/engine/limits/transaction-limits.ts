/** Limits of TransactWriteItems, TransactGetItems and ExecuteTransaction. */

/** For what a transaction writes, and for what it reads. */
export const TRANSACTION_MAX_BYTES: number = 4 * 1024 * 1024
export const TOKEN_LENGTH_MAX = 36
