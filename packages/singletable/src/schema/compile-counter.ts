import { checkOptions } from './check-options.ts'
import { compileWhen } from './compile-model.ts'
import { linkKeys, requireAttribute, requireModel, requireSameType } from './link-keys.ts'
import type { Attribute, Counter, Model, Schema } from './model.ts'
import type { Place } from './place.ts'
import type { CountsDefinition } from './schema-definition.ts'

/** The counter or sum, and the model of the items that it is about. */
export function compileCounter(
  schema: Schema,
  parent: Model,
  attribute: Attribute,
  at: Place,
): [Model, Counter] {
  const { counts, sums, type, required, version, ttl, generate, ...others } = attribute.definition
  const place = at.at(sums === undefined ? 'counts' : 'sums')
  if (counts !== undefined && sums !== undefined) {
    place.refuse('it has counts as well', 'use an attribute for each')
  }
  const { model, of, by, when } = readDefinition(counts, sums, place)
  const child = requireModel(schema, model, place)
  const summed = of === undefined ? undefined : requireAttribute(child, of, place)
  if (summed && (summed.codec.tag !== 'N' || summed.definition.type === Date)) {
    place.refuse(`"${of}" is not a number`, "add up a Number, BigInt or 'decimal' attribute")
  }
  if (summed?.definition.hidden) {
    place.refuse(`"${of}" is hidden, and the sum would show it`, 'add up another attribute')
  }
  if (summed) requireSameType(summed, attribute, place)
  const isNumber = summed || type === Number
  if (!isNumber || others.default !== undefined || required || version || ttl || generate) {
    const word = summed ? 'sum' : 'counter'
    place.refuse(
      `a ${word} is a ${summed ? 'number' : 'Number'} that starts at 0`,
      `write { type${summed ? '' : ': Number'}, ${summed ? 'sums' : 'counts'} }`,
    )
  }
  const isKey = parent.indexes.some(
    ({ hash, sort, when }) =>
      when?.has(attribute.name) ||
      [...hash, ...sort].some(({ template }) => template?.names.includes(attribute.name)),
  )
  if (isKey) {
    place.refuse(
      'a counter changes without its item, so no template or condition can have it',
      'name it as the sort attribute of an index, as it is',
    )
  }
  const links = linkKeys(parent, child, by, place)
  const conditions = when === undefined ? undefined : compileWhen(when, child.attributes, place)
  const names = [...links.values(), ...(conditions?.keys() ?? [])]
  return [
    child,
    {
      parent,
      attribute,
      sums: summed,
      links,
      when: conditions,
      determinedBy: summed ? [...names, summed.name] : names,
      contains: [],
    },
  ]
}

/** What is counted or added up, written in short or in full. */
function readDefinition(
  counts: unknown,
  sums: unknown,
  place: Place,
): CountsDefinition & { readonly of?: string } {
  if (sums === undefined) {
    const definition = typeof counts === 'string' ? { model: counts } : counts
    checkOptions(definition, 'model by when', place)
    return definition as CountsDefinition
  }
  const definition = typeof sums === 'string' ? { of: sums } : sums
  checkOptions(definition, 'of by when', place)
  const { of: path, ...rest } = definition as { readonly of: unknown }
  const [, model = '', of = ''] =
    /^([^.]*)\.(.*)$/s.exec(String(path)) ??
    place.refuse(`"${path}" names no model and attribute`, "write 'Model.attribute'")
  return { ...rest, model, of }
}
