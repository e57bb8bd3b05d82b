import type { Condition, Operand } from '../../expression/tree.ts'
import type { AttributeValue } from '../../values/attribute-value.ts'
import { type KeyTest, MIRRORED } from '../read/key-condition.ts'

/** The parts joined by AND again, leaning to the left as evaluation likes it; undefined for none. */
export function joinParts(parts: readonly Condition[]): Condition | undefined {
  let joined: Condition | undefined
  for (const part of parts) {
    joined = joined === undefined ? part : { kind: 'and', left: joined, right: part }
  }
  return joined
}

/** What a part asks of one top-level attribute in a way that a range of keys can answer; undefined for anything else. */
export function keyTestOf(part: Condition): { name: string; test: KeyTest } | undefined {
  if (part.kind === 'compare' && part.operator !== '<>') {
    const { operator, left, right } = part
    const name = nameOf(left)
    const value = constantOf(right)
    if (name !== undefined && value !== undefined) {
      return { name, test: { kind: 'compare', operator, value } }
    }
    const mirrored = { name: nameOf(right), value: constantOf(left) }
    if (mirrored.name === undefined || mirrored.value === undefined) return undefined
    const test: KeyTest = {
      kind: 'compare',
      operator: MIRRORED[operator],
      value: mirrored.value,
    }
    return { name: mirrored.name, test }
  }
  if (part.kind === 'between') {
    const name = nameOf(part.operand)
    const low = constantOf(part.low)
    const high = constantOf(part.high)
    if (name === undefined || low === undefined || high === undefined) return undefined
    return { name, test: { kind: 'between', low, high } }
  }
  if (part.kind === 'begins_with') {
    const name = nameOf(part.operand)
    const prefix = constantOf(part.prefix)
    return name === undefined || prefix === undefined
      ? undefined
      : { name, test: { kind: 'begins_with', prefix } }
  }
  return undefined
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
  if (part.kind !== 'in') return undefined
  const name = nameOf(part.operand)
  if (name === undefined) return undefined
  const values: AttributeValue[] = []
  for (const operand of part.list) {
    const value = constantOf(operand)
    if (value === undefined) return undefined
    values.push(value)
  }
  return { name, values }
}

function nameOf(operand: Operand): string | undefined {
  return operand.kind === 'path' && operand.path.length === 1 ? operand.path[0] : undefined
}

function constantOf(operand: Operand): AttributeValue | undefined {
  return operand.kind === 'value' ? operand.value : undefined
}
