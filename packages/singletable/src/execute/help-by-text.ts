import type { ErrorCode } from '../errors/codes.ts'

/** Failures whose name says too little, by their text: the code of our error and what helps. */
const BY_TEXT: readonly (readonly [RegExp, ErrorCode, string])[] = [
  [
    /^The table does not have the specified index/,
    'INDEX_NOT_FOUND',
    'create the index as the schema has it, and wait until it is active; or check that this is the right table',
  ],
  [
    /size cannot exceed|length less than or equal/,
    'REQUEST_REFUSED',
    'send fewer operations, or smaller items, in one call',
  ],
  [
    /incorrect data type|^Type mismatch for attribute/,
    'REQUEST_REFUSED',
    'the stored value is of another type than the schema says: correct the item or the schema',
  ],
  [
    /key element does not match the schema|Type mismatch for (Index )?[Kk]ey/,
    'REQUEST_REFUSED',
    'the table has other keys than the schema: see npx singletable infra diff',
  ],
  [
    /^Region is missing/,
    'OPTION_INVALID',
    "give the client the region of the table, as in new DynamoDBClient({ region: 'eu-west-1' }), or set AWS_REGION",
  ],
  [
    /ECONNREFUSED/,
    'SERVICE_FAILED',
    "nothing listens at this address: start the server there, for example with npx singletable serve, or correct the client's endpoint",
  ],
  [
    /ENOTFOUND|EAI_AGAIN/,
    'SERVICE_FAILED',
    "this host name can't be resolved: correct the client's endpoint or region, or check the network",
  ],
]

/** The entry for a failure whose text alone says what it is. */
export function helpByText(text: string): (typeof BY_TEXT)[number] | undefined {
  return BY_TEXT.find(([pattern]) => pattern.test(text))
}
