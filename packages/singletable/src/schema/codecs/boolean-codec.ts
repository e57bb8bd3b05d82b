import { addWrongType } from '../input-issues.ts'
import type { Codec } from '../model.ts'
import { refuseStored } from '../stored-value-problem.ts'

export const booleanCodec: Codec = {
  tag: 'BOOL',
  encode: (value, issues) =>
    typeof value === 'boolean' ? { BOOL: value } : addWrongType(issues, value, 'a boolean'),
  decode: (value) => value.BOOL ?? refuseStored(value, 'BOOL'),
}
