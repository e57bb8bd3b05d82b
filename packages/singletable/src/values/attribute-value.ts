/** The ten type tags of DynamoDB's wire form. */
export type TypeTag = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'SS' | 'NS' | 'BS' | 'L' | 'M'

/** The three types a key attribute may have. */
export type KeyType = 'S' | 'N' | 'B'

interface TypeContents {
  S: string
  /** A decimal number as text: JavaScript's `number` can't hold 38 digits. */
  N: string
  /** Base64 text, as on the wire. */
  B: string
  BOOL: boolean
  NULL: boolean
  SS: readonly string[]
  NS: readonly string[]
  BS: readonly string[]
  L: readonly AttributeValue[]
  M: Item
}

/** A value with just one type tag; the other tags are declared absent so that `value.S` can be
 * asked for. */
type Tagged<TTag extends TypeTag> = { readonly [Tag in TTag]: TypeContents[Tag] } & {
  readonly [Other in Exclude<TypeTag, TTag>]?: undefined
}

/** The tagged wire form of a value: `{ S: 'x' }`, `{ N: '1' }`, `{ L: [...] }`. */
export type AttributeValue = { [Tag in TypeTag]: Tagged<Tag> }[TypeTag]

/** Attributes by name: what DynamoDB stores, a key, or the contents of an `M`. */
export interface Item {
  readonly [name: string]: AttributeValue
}

/** The type tag of a well-formed attribute value. */
export function typeOf(value: AttributeValue): TypeTag {
  for (const tag in value) return tag as TypeTag
  throw new TypeError('an attribute value without a type tag')
}
