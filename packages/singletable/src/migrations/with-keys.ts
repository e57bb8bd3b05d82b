import type { InputIssue } from '../errors/input-error.ts'
import { hasKeyOf } from '../execute/decode-found.ts'
import { valueIn } from '../schema/computed.ts'
import { isInIndex, matchPart, renderPart } from '../schema/index-keys.ts'
import { describeIssues } from '../schema/input-issues.ts'
import { checkKey } from '../schema/key-text.ts'
import type { Model } from '../schema/model.ts'
import { StoredValueProblem } from '../schema/stored-value-problem.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { getOwn, setOwn } from '../values/own.ts'
import { RewriteProblem } from './rewrite-problem.ts'
import type { SealedValues } from './sealed-values.ts'

/**
 * The item with the keys and the type that a model gives it. `from` is the model it was written by.
 */
export function withKeys(
  model: Model,
  item: Item,
  from: Model | undefined,
  sealed: SealedValues,
): Item {
  const { schema, primary, derived, indexes } = model
  const names = new Set(indexes.flatMap(({ names, when }) => [...names, ...(when?.keys() ?? [])]))
  const values = keyValues(model, item, [...names], from)
  const issues: InputIssue[] = []
  const result: { [name: string]: AttributeValue } = {}
  for (const part of [...primary.hash, ...primary.sort]) {
    const value = renderPart(part, values)
    if (value === undefined) {
      const missing = primary.names.filter((name) => getOwn(values, name) === undefined)
      throw new RewriteProblem(
        `"${part.name}" of its key needs ${missing.join(', ')}, which the item lacks`,
      )
    }
    checkKey(schema, part.name, value, issues)
    result[part.name] = value
  }
  for (const [name, value] of Object.entries(item)) {
    const isKey = schema.keyTypes.has(name) || from?.schema.keyTypes.has(name)
    const isRendered = isKey && !isAttribute(model, name)
    if (!isRendered && !Object.hasOwn(result, name)) setOwn(result, name, value)
  }
  for (const { name, template, uses } of derived) {
    if (!uses.some((use) => isInIndex(use, values))) continue
    result[name] = { S: template.render(values)! }
    checkKey(schema, name, result[name], issues)
  }
  if (issues.length > 0) throw new RewriteProblem(describeIssues(issues))
  const { typeField } = schema.params
  // Items of tables that were made by other means have no type: their keys identify them.
  if (getOwn(item, typeField) || model.isShared) setOwn(result, typeField, { S: model.type })
  sealed.seal(model, result)
  return result
}

function isAttribute(model: Model, stored: string): boolean {
  for (const attribute of model.attributes.values()) if (attribute.stored === stored) return true
  return false
}

/** The values that keys are made of; what an item only has in its old key is read from there. */
function keyValues(
  model: Model,
  item: Item,
  names: readonly string[],
  from: Model | undefined,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  let inKey: Record<string, unknown> | undefined
  for (const name of names) {
    const attribute = model.attributes.get(name)!
    try {
      const value = valueIn(model, attribute, item)
      if (value !== undefined) {
        setOwn(values, name, attribute.codec.decode(value))
        continue
      }
    } catch (error) {
      if (!(error instanceof StoredValueProblem)) throw error
      throw new RewriteProblem(`"${name}" ${error.message}`)
    }
    if (inKey === undefined) {
      // An item that has moved already has a key of the newer schema.
      const { primary } = from && hasKeyOf(from, item) ? from : model
      inKey = {}
      for (const part of [...primary.hash, ...primary.sort]) {
        Object.assign(inKey, matchPart(part, getOwn(item, part.name)))
      }
    }
    const found = getOwn(inKey, name)
    if (found !== undefined) setOwn(values, name, found)
  }
  return values
}
