/** Messages of the transaction operations. */

export const TRANSACT_ITEM_KINDS =
  'TransactItems can only contain one of Check, Put, Update or Delete'
export const TRANSACT_ITEM_EMPTY =
  'Invalid Request: TransactWriteRequest should contain Delete or Put or Update request'
