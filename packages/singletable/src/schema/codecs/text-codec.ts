import { addIssue, addWrongType } from '../input-issues.ts'
import type { Codec } from '../model.ts'
import { refuseStored } from '../stored-value-problem.ts'

/** Strings, brought into a Unicode form if one is declared. */
export function textCodec(form?: string): Codec {
  return {
    tag: 'S',
    encode(value, issues) {
      if (typeof value !== 'string') return addWrongType(issues, value, 'a string')
      // JSON has no way to write half a pair, so it would reach DynamoDB as another character.
      if (!value.isWellFormed()) return addIssue(issues, 'has half of a surrogate pair')
      return { S: form === undefined ? value : value.normalize(form) }
    },
    decode: (value) => value.S ?? refuseStored(value, 'S'),
  }
}
