/** Limits of TransactWriteItems, TransactGetItems and ExecuteTransaction. */

export const TRANSACTION_ACTIONS_MAX = 100
/** For what a transaction writes, and for what it reads. */
export const TRANSACTION_MAX_BYTES: number = 4 * 1024 * 1024
export const TOKEN_LENGTH_MAX = 36
