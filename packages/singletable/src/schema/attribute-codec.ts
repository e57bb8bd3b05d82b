import { SingletableError } from '../errors/singletable-error.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { addIssue } from './input-issues.ts'
import type { Attribute, Codec, ModelParts } from './model.ts'
import { StoredValueProblem } from './stored-value-problem.ts'

/**
 * What is known of an attribute with a codec of its own before it is stored: only whole values go
 * through, and none is compared.
 */
export function opaqueCodec(plain: Codec): Codec {
  return {
    tag: 'B',
    opaque: true,
    encode: (value, issues, writes) =>
      writes
        ? plain.encode(value, issues, writes)
        : addIssue(issues, "is stored by a codec, and can't be compared or counted"),
    decode: plain.decode,
  }
}

/**
 * The value as the attribute's codec stores it in the item with that key, or as it was before that.
 * What is null stays so.
 */
export function recode(
  way: 'encode' | 'decode',
  { stored, definition: { codec } }: Attribute,
  value: AttributeValue,
  { name, source, schema: { primary } }: ModelParts,
  item: Item,
): AttributeValue {
  if (!codec || value.NULL) return value
  const key: { [name: string]: AttributeValue } = {}
  for (const part of [...primary.hash, ...primary.sort]) {
    const value = getOwn(item, part)
    if (value) key[part] = value
  }
  try {
    return codec[way](value, { model: source?.name ?? name, attribute: stored, key })
  } catch (error) {
    if (way === 'encode' || SingletableError.is(error)) throw error
    throw new StoredValueProblem(
      `can't be decoded: ${error instanceof Error ? error.message : error}`,
    )
  }
}
