import { base64Bytes, base64Text } from '../../values/base64.ts'
import { addWrongType } from '../input-issues.ts'
import type { Codec } from '../model.ts'
import { refuseStored } from '../stored-value-problem.ts'

export const binaryCodec: Codec = {
  tag: 'B',
  encode: (value, issues) =>
    value instanceof Uint8Array
      ? { B: base64Text(value) }
      : addWrongType(issues, value, 'a Uint8Array'),
  decode: (value) => base64Bytes(value.B ?? refuseStored(value, 'B')),
}
