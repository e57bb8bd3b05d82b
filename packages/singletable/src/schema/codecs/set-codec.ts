import type { InputIssue } from '../../errors/input-error.ts'
import { type AttributeValue, typeOf } from '../../values/attribute-value.ts'
import { addIssue, addWrongType } from '../input-issues.ts'
import type { Codec, WriteMode } from '../model.ts'
import { refuseStored } from '../stored-value-problem.ts'
import { encodeList } from './list-codec.ts'

/** Sets of text, numbers or bytes. */
export function setCodec(element: Codec): Codec {
  // Its elements have one of these types: whoever makes the codec has looked at that.
  const tag = `${element.tag as 'S' | 'N' | 'B'}S` as const
  return {
    tag,
    encode: (value, issues, writes) =>
      value instanceof Set
        ? encodeSet(value, element.encode, issues, writes)
        : addWrongType(issues, value, 'a Set'),
    decode: (value) =>
      new Set(
        (value[tag] ?? refuseStored(value, tag)).map((text) =>
          element.decode({ [tag[0]!]: text } as unknown as AttributeValue),
        ),
      ),
    element,
  }
}

/**
 * Elements that differ in JavaScript can be one element in DynamoDB: arrays of the same bytes, say.
 */
export function encodeSet(
  set: ReadonlySet<unknown>,
  encode: Codec['encode'],
  issues: InputIssue[],
  writes?: WriteMode,
): AttributeValue {
  if (set.size === 0) {
    return addIssue(
      issues,
      'is an empty Set, which DynamoDB does not have; leave it out or remove()',
    )
  }
  const before = issues.length
  const elements = encodeList([...set], encode, issues, writes).L!
  const [first] = elements
  if (first === undefined || issues.length > before) return { L: [] }
  const tag = typeOf(first)
  if (!['S', 'N', 'B'].includes(tag) || elements.some((element) => typeOf(element) !== tag)) {
    return addIssue(issues, 'is not a Set of only strings, only numbers or only bytes')
  }
  const strings = new Set(elements.map((element) => element[tag]))
  // All of them have the tag of the first, and with it text.
  return { [`${tag}S`]: [...strings] } as unknown as AttributeValue
}
