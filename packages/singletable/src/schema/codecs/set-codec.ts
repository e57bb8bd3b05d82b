import type { InputIssue } from '../../errors/input-error.ts'
import type { AttributeValue } from '../../values/attribute-value.ts'
import { addIssue, addWrongType, placeIssues } from '../input-issues.ts'
import type { Codec } from '../model.ts'
import { refuseStored } from '../stored-value-problem.ts'

/** Sets of text, numbers or bytes. */
export function setCodec(element: Codec): Codec {
  const tag = element.tag === 'S' ? 'SS' : element.tag === 'N' ? 'NS' : 'BS'
  const encodeWith =
    (encode: Codec['encode']): Codec['encode'] =>
    (value, issues) =>
      value instanceof Set ? encodeSet(value, encode, issues) : addWrongType(issues, value, 'a Set')
  return {
    tag,
    encode: encodeWith(element.encode),
    write: element.write && encodeWith(element.write),
    decode(value) {
      const result = new Set<unknown>()
      for (const text of value[tag] ?? refuseStored(value, tag)) {
        result.add(element.decode(elementValue(element.tag, text)))
      }
      return result
    },
    element,
  }
}

/** Elements that differ in JavaScript can be one element in DynamoDB: arrays of the same bytes, say. */
export function encodeSet(
  set: ReadonlySet<unknown>,
  encode: Codec['encode'],
  issues: InputIssue[],
): AttributeValue {
  if (set.size === 0) {
    return addIssue(
      issues,
      'is an empty Set, which DynamoDB does not have; leave it out or remove()',
    )
  }
  const before = issues.length
  const texts = new Set<string>()
  let tag: 'S' | 'N' | 'B' | undefined
  let position = 0
  for (const member of set) {
    const from = issues.length
    const { S, N, B } = encode(member, issues)
    if (issues.length > from) placeIssues(issues, from, position)
    const found = S !== undefined ? 'S' : N !== undefined ? 'N' : 'B'
    texts.add(S ?? N ?? B ?? '')
    if (issues.length === before && tag !== undefined && tag !== found) {
      addIssue(issues, 'mixes text, numbers and bytes, which a set can not')
    }
    tag = found
    position++
  }
  const list = [...texts]
  return tag === 'S' ? { SS: list } : tag === 'N' ? { NS: list } : { BS: list }
}

function elementValue(tag: Codec['tag'], text: string): AttributeValue {
  return tag === 'S' ? { S: text } : tag === 'N' ? { N: text } : { B: text }
}
