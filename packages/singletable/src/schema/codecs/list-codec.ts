import type { AttributeValue } from '../../values/attribute-value.ts'
import { addWrongType, placeIssues } from '../input-issues.ts'
import type { Codec } from '../model.ts'
import { problemAt, refuseStored } from '../stored-value-problem.ts'

/** Arrays of one kind of element. A hole is an undefined element, and that is refused. */
export function listCodec(element: Codec): Codec {
  const encodeWith =
    (encode: Codec['encode']): Codec['encode'] =>
    (value, issues) => {
      if (!Array.isArray(value)) return addWrongType(issues, value, 'an array')
      const L: AttributeValue[] = []
      for (let index = 0; index < value.length; index++) {
        const from = issues.length
        L.push(encode(value[index], issues))
        if (issues.length > from) placeIssues(issues, from, index)
      }
      return { L }
    }
  return {
    tag: 'L',
    encode: encodeWith(element.encode),
    write: element.write && encodeWith(element.write),
    decode(value) {
      const list = value.L ?? refuseStored(value, 'L')
      const result: unknown[] = []
      for (let index = 0; index < list.length; index++) {
        try {
          result.push(element.decode(list[index]!))
        } catch (error) {
          throw problemAt(error, index)
        }
      }
      return result
    },
    element,
  }
}
