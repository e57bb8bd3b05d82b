import type { InputIssue } from '../errors/input-error.ts'
import type { TableContext } from '../execute/table-context.ts'
import { anyCodec } from '../schema/codecs/any-codec.ts'
import { encodePart, refuseInput } from '../schema/input-issues.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'

/** A row of which nothing more is known. */
export interface Row {
  [name: string]: unknown
}

const ANY = anyCodec(1)

/** The parameters as attribute values. */
export function encodeParameters(
  parameters: readonly unknown[],
  place: string,
): readonly AttributeValue[] {
  const issues: InputIssue[] = []
  if (!Array.isArray(parameters)) issues.push({ path: ['parameters'], message: 'is not a list' })
  const encoded = (issues.length > 0 ? [] : parameters).map((value, position) =>
    encodePart(ANY.encode, value instanceof Date ? value.toISOString() : value, position, issues),
  )
  if (issues.length > 0) refuseInput(issues, place, 'give values that DynamoDB can hold')
  return encoded
}

/** Makes rows of items: by the model their type names where entities are asked for, else with all
 * that is stored. */
export function rowDecoder(
  { schema }: TableContext,
  entities: boolean | undefined,
): (item: Item) => Row {
  const plain = (item: Item): Row => ANY.decode({ M: item }) as Row
  if (!entities) return plain
  const { typeField } = schema.params
  return (item) => {
    const model = schema.types.get(getOwn(item, typeField)?.S ?? '')
    // A statement may have asked for some attributes only.
    return model ? model.decode(item, true) : plain(item)
  }
}
