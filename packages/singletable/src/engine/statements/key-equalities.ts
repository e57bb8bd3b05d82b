import type { Condition } from '../../expression/tree.ts'
import type { AttributeValue } from '../../values/attribute-value.ts'
import { type KeyTest, keyTest } from '../read/key-condition.ts'

/** What a part asks of one top-level attribute in a way that a range of keys can answer; undefined
 * for anything else. */
export function keyTestOf(
  part: Condition,
): { readonly name: string; readonly test: KeyTest } | undefined {
  const found = keyTest(part)
  return typeof found === 'string' ? undefined : found
}

/** The attribute and the value of a part `attribute = value`. */
export function equalityOf(
  part: Condition,
): { readonly name: string; readonly value: AttributeValue } | undefined {
  const found = keyTestOf(part)
  if (found?.test.kind !== 'compare' || found.test.operator !== '=') return undefined
  return { name: found.name, value: found.test.value }
}

/** The attribute and the values of a part `attribute IN [values]`. */
export function alternativesOf(
  part: Condition,
): { readonly name: string; readonly values: readonly AttributeValue[] } | undefined {
  if (part.kind !== 'in' || part.operand.kind !== 'path' || part.operand.path.length > 1) {
    return undefined
  }
  const values = part.list.flatMap((operand) => (operand.kind === 'value' ? [operand.value] : []))
  return values.length < part.list.length ? undefined : { name: part.operand.path[0], values }
}
