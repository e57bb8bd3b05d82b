import type { InputIssue } from '../../errors/input-error.ts'
import type { AttributeValue } from '../../values/attribute-value.ts'
import { addWrongType, encodePart, ISSUES_MAX } from '../input-issues.ts'
import type { Codec, WriteMode } from '../model.ts'
import { refuseStored, within } from '../stored-value-problem.ts'

/** Arrays of one kind of element. */
export function listCodec(element: Codec): Codec {
  return {
    tag: 'L',
    encode: (value, issues, writes) =>
      Array.isArray(value)
        ? encodeList(value, element.encode, issues, writes)
        : addWrongType(issues, value, 'an array'),
    decode(value, partial, whole) {
      const list: unknown[] = []
      try {
        for (const part of value.L ?? refuseStored(value, 'L'))
          list.push(element.decode(part, partial, whole))
      } catch (error) {
        throw value.L ? within(list.length, error) : error
      }
      return list
    },
    element,
    hasReadonly: element.hasReadonly,
  }
}

/** A hole is an undefined element, and that is refused. */
export function encodeList(
  list: readonly unknown[],
  encode: Codec['encode'],
  issues: InputIssue[],
  writes?: WriteMode,
): AttributeValue {
  const L: AttributeValue[] = []
  for (let index = 0; index < list.length && issues.length < ISSUES_MAX; index++) {
    L.push(encodePart(encode, list[index], index, issues, writes))
  }
  return { L }
}
