import type { Attribute, Model } from 'singletable/tools'
import { type Anchor, fixedFor, variant } from './anchor.ts'
import type { ItemMaker } from './item-maker.ts'
import type { ProofTable } from './proof-table.ts'
import { type Query, useOf } from './question.ts'

const ITEMS = 4
/** So many items of it are more than DynamoDB gives in one page, which is a megabyte. */
const TEXT_LENGTH = 360_000

/** Writes matching items that don't fit into one page of DynamoDB; false if the model has no place for so much text, or so many items. */
export async function fillLarge(
  query: Query,
  anchor: Anchor,
  table: ProofTable,
  maker: ItemMaker,
): Promise<boolean> {
  const [model, ...others] = query.models
  const large = model && largeAttribute(query, model)
  if (large === undefined || model === undefined || others.length > 0) return false
  const fixed = fixedFor(query, model, anchor)
  let written = 0
  for (let number = 0; number < ITEMS; number++) {
    const values = maker.make(model, variant(query, model, anchor, fixed, number))
    values.set(large.name, 'x'.repeat(TEXT_LENGTH))
    if (await table.write(model, values)) written++
  }
  return written === ITEMS
}

/** A text that can be of any length, and that the index holds. */
export function largeAttribute(query: Query, model: Model): Attribute | undefined {
  const { index } = useOf(query, model)
  const source = model.source ?? model
  const inKeys = new Set(
    [source, ...(source.companions?.copies.map((copy) => copy.model) ?? [])].flatMap(
      ({ indexes }) => indexes.flatMap(({ names }) => names),
    ),
  )
  const { filter, target } = query.pattern
  const used = [...filter.map(({ attribute }) => attribute), ...(target?.primary.names ?? [])]
  return [...model.attributes.values()].find(({ name, stored, codec, definition }) => {
    const { type, enum: members, validate, maxBytes, unique } = definition
    const isHeld = index.project === 'all' || index.project.includes(stored)
    const isBound = members ?? validate ?? maxBytes ?? unique
    return (
      type === String &&
      isHeld &&
      !isBound &&
      !codec.opaque &&
      !inKeys.has(name) &&
      !used.includes(name) &&
      !source.companions?.unique.some(({ attributes }) =>
        attributes.some((each) => each.name === name),
      )
    )
  })
}
