import type { AttributeValue } from '../../values/attribute-value.ts'
import { addDecimals } from '../../values/decimal.ts'
import { UpdateError } from './update-error.ts'

/**
 * What `ADD` makes of the present value: a sum, a union, or the operand itself if there is none
 * yet. Lists are joined; an expression with a list is refused before it comes here, but the older
 * AttributeUpdates parameter allows it.
 */
export function addedValue(
  present: AttributeValue | undefined,
  operand: AttributeValue,
): AttributeValue {
  if (operand.N !== undefined) {
    if (present === undefined) return operand
    if (present.N === undefined) throw new UpdateError('operand-type')
    const sum = addDecimals(present.N, operand.N)
    if (sum === undefined) throw new UpdateError('number-out-of-range')
    return { N: sum }
  }
  if (operand.SS !== undefined) return present ? { SS: union(present.SS, operand.SS) } : operand
  if (operand.NS !== undefined) return present ? { NS: union(present.NS, operand.NS) } : operand
  if (operand.BS !== undefined) return present ? { BS: union(present.BS, operand.BS) } : operand
  if (operand.L !== undefined) {
    if (present === undefined) return operand
    if (present.L !== undefined) return { L: [...present.L, ...operand.L] }
  }
  throw new UpdateError('operand-type')
}

/** What `DELETE` leaves of the present set; `undefined` if nothing is left, since no set can be
 * empty. */
export function remainingValue(
  present: AttributeValue,
  operand: AttributeValue,
): AttributeValue | undefined {
  if (operand.SS !== undefined) {
    const SS = difference(present.SS, operand.SS)
    return SS.length === 0 ? undefined : { SS }
  }
  if (operand.NS !== undefined) {
    const NS = difference(present.NS, operand.NS)
    return NS.length === 0 ? undefined : { NS }
  }
  if (operand.BS !== undefined) {
    const BS = difference(present.BS, operand.BS)
    return BS.length === 0 ? undefined : { BS }
  }
  throw new UpdateError('operand-type')
}

function union(present: readonly string[] | undefined, added: readonly string[]): string[] {
  if (present === undefined) throw new UpdateError('operand-type')
  return [...new Set([...present, ...added])]
}

function difference(present: readonly string[] | undefined, removed: readonly string[]): string[] {
  if (present === undefined) throw new UpdateError('operand-type')
  const gone = new Set(removed)
  return present.filter((element) => !gone.has(element))
}
