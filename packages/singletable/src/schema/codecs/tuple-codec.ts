import { addIssue, addWrongType, encodePart } from '../input-issues.ts'
import type { Codec } from '../model.ts'
import { refuseStored, StoredValueProblem, within } from '../stored-value-problem.ts'

/** Arrays of a fixed length with a kind of element for each position. */
export function tupleCodec(elements: readonly Codec[]): Codec {
  const count = `${elements.length} element${elements.length === 1 ? '' : 's'}`
  return {
    tag: 'L',
    encode(value, issues, writes) {
      if (!Array.isArray(value)) return addWrongType(issues, value, 'an array')
      if (value.length !== elements.length) {
        return addIssue(issues, `has ${value.length} elements and needs ${count}`)
      }
      return {
        L: elements.map(({ encode }, index) =>
          encodePart(encode, value[index], index, issues, writes),
        ),
      }
    },
    decode(value, partial, whole) {
      const { L = refuseStored(value, 'L') } = value
      // A projection of some elements gives a shorter list, and positions are then not known.
      if (L.length !== elements.length) {
        throw new StoredValueProblem(`is stored with ${L.length} elements, not with ${count}`)
      }
      return L.map((part, index) => {
        try {
          return elements[index]!.decode(part, partial, whole)
        } catch (error) {
          throw within(index, error)
        }
      })
    },
    elements,
    hasReadonly: elements.some(({ hasReadonly }) => hasReadonly),
  }
}
