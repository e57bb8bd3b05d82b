import type { InputIssue } from '../../errors/input-error.ts'
import { valueIn } from '../../schema/computed.ts'
import { isInIndex, renderPart } from '../../schema/index-keys.ts'
import { refuseInput } from '../../schema/input-issues.ts'
import { checkKey } from '../../schema/key-text.ts'
import type { Copy, Model } from '../../schema/model.ts'
import { inCall } from '../../template/key-component-error.ts'
import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import { getOwn } from '../../values/own.ts'
import { type Values, valuesOf } from './item-values.ts'

/**
 * The copies of an item: one, or one for each element of a list or set; none where a value of their
 * keys is missing.
 */
export function copiesOf(copy: Copy, source: Model, item: Item, place: string): readonly Item[] {
  const { model, when, each } = copy
  const names = [...model.indexes.flatMap((index) => index.names), ...(when?.keys() ?? [])]
  const values = valuesOf(source, item, names)
  const where = `${place}, copy "${model.name}"`
  if (!each) return copyOf(copy, source, item, values, where)
  const { stored, name } = each.element
  const elements = elementsOf(getOwn(item, each.list.stored))
  return elements.flatMap((value, position) => {
    const element = valuesOf(model, { [stored]: value }, [name])
    try {
      const copies = copyOf(copy, source, item, { ...values, ...element }, where)
      return copies.map((made) => ({ ...made, [stored]: value }))
    } catch (error) {
      throw inCall(error, `${place}, "${each.list.name}", element ${position}`)
    }
  })
}

function copyOf(
  { model, when, contains }: Copy,
  source: Model,
  item: Item,
  values: Values,
  where: string,
): readonly Item[] {
  const { primary, derived, schema } = model
  if (!isInIndex({ names: primary.names, when }, values)) return []
  const issues: InputIssue[] = []
  const result: { [name: string]: AttributeValue } = {}
  for (const part of [...primary.hash, ...primary.sort]) {
    const { name } = part
    result[name] = renderPart(part, values)!
    checkKey(schema, name, result[name], issues)
  }
  result[schema.params.typeField] = { S: model.type }
  for (const name of contains) {
    const attribute = source.attributes.get(name)!
    const value = valueIn(source, attribute, item)
    if (value !== undefined) result[attribute.stored] = value
  }
  for (const { name, template, uses } of derived) {
    if (!uses.some((use) => isInIndex(use, values))) continue
    result[name] = { S: template.render(values)! }
    checkKey(schema, name, result[name], issues)
  }
  if (issues.length > 0) refuseInput(issues, where)
  return [result]
}

/**
 * The elements of a list in its order, or of a set in one that does not depend on how it was read.
 * DynamoDB returns the members of a set in any order, and of two that make the same key only the
 * first has a copy.
 */
function elementsOf(
  { L, SS, NS, BS }: AttributeValue = {} as AttributeValue,
): readonly AttributeValue[] {
  if (L) return L
  const tag = SS ? 'S' : NS ? 'N' : 'B'
  return [...(SS ?? NS ?? BS ?? [])].sort().map((member) => ({ [tag]: member }) as never)
}
