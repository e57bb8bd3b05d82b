/** Texts of the transaction operations. */

export const TRANSACT_ITEM_KINDS =
  'TransactItems can only contain one of Check, Put, Update or Delete'
