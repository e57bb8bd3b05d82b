import { setOwn } from '../../values/own.ts'
import { addIssue, addWrongType } from '../input-issues.ts'
import type { Codec } from '../model.ts'
import { refuseStored, within } from '../stored-value-problem.ts'
import { encodeMap, isPlainObject } from './map-codec.ts'

/** Objects with names of the caller's own and values of one kind. */
export function recordCodec(element: Codec): Codec {
  const unnamed: Codec['encode'] = (_, issues) => addIssue(issues, 'is a member without a name')
  return {
    tag: 'M',
    encode: (value, issues, writes) =>
      isPlainObject(value)
        ? {
            M: encodeMap(value, (name) => (name === '' ? unnamed : element.encode), issues, writes),
          }
        : addWrongType(issues, value, 'a plain object'),
    decode(value, partial, whole) {
      const result: { [name: string]: unknown } = {}
      for (const [name, part] of Object.entries(value.M ?? refuseStored(value, 'M'))) {
        try {
          setOwn(result, name, element.decode(part, partial, whole))
        } catch (error) {
          throw within(name, error)
        }
      }
      return result
    },
    element,
    hasReadonly: element.hasReadonly,
  }
}
