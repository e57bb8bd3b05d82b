import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import type { ExecuteStatementRequest } from '../../wire/item-operations.ts'
import { ServiceError } from '../../wire/service-error.ts'
import { checkAttributeValueTypes } from '../attributes/attribute-value-types.ts'
import { normaliseItem } from '../attributes/normalise-value.ts'
import { checksum } from '../context/checksum.ts'
import { NEXT_TOKEN_INVALID, NEXT_TOKEN_MISMATCH } from '../messages/partiql-messages.ts'
import { validationError } from '../messages/request-messages.ts'

const VERSION = '1'

/**
 * A token carries all that is needed to continue, the engine keeps nothing: the key where the page
 * ended, bound to the statement and the parameters it was made for.
 */
export function encodeNextToken(request: ExecuteStatementRequest, key: Item): string {
  const contents = encodeURIComponent(JSON.stringify(key))
  return btoa([VERSION, requestHash(request), checksum(contents), contents].join('|'))
}

/** The key where the page before ended; refuses a token of another request, and what no engine has
 * written. */
export function decodeNextToken(request: ExecuteStatementRequest): Item | undefined {
  const { NextToken: token } = request
  if (token === undefined) return undefined
  const [version, hash, sum, contents] = decodeBase64(token).split('|')
  if (version !== VERSION || contents === undefined || sum !== checksum(contents)) {
    throw validationError(NEXT_TOKEN_INVALID)
  }
  if (hash !== requestHash(request)) throw validationError(NEXT_TOKEN_MISMATCH)
  return readKey(contents)
}

function readKey(contents: string): Item {
  try {
    const key: unknown = JSON.parse(decodeURIComponent(contents))
    if (typeof key !== 'object' || key === null) throw validationError(NEXT_TOKEN_INVALID)
    for (const value of Object.values(key)) checkAttributeValueTypes(value, 1)
    return normaliseItem(key as Record<string, AttributeValue>)
  } catch (error) {
    if (
      error instanceof SyntaxError ||
      error instanceof URIError ||
      error instanceof ServiceError
    ) {
      throw validationError(NEXT_TOKEN_INVALID)
    }
    throw error
  }
}

function requestHash({
  Statement: statement,
  Parameters: parameters,
}: ExecuteStatementRequest): string {
  return checksum(JSON.stringify([statement, parameters ?? []]))
}

function decodeBase64(text: string): string {
  try {
    return atob(text)
  } catch {
    return ''
  }
}
