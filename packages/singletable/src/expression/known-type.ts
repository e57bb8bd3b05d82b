import { type TypeTag, typeOf } from '../values/attribute-value.ts'
import type { UpdateValue } from './tree.ts'

/** The type that a value to be set has whatever the item holds; undefined where only the item can tell. */
export function knownType(value: UpdateValue): TypeTag | undefined {
  switch (value.kind) {
    case 'value':
      return typeOf(value.value)
    case 'list_append':
      return 'L'
    case 'arithmetic':
      return 'N'
    case 'path':
    case 'if_not_exists':
      return undefined
  }
}
