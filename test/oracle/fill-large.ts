import type { Attribute, Index, Model } from 'singletable/tools'
import type { ItemMaker } from '../../packages/kit/src/check/exercise/item-maker.ts'
import type { ExerciseTable } from './exercise-table.ts'
import { type Query, useOf } from './question.ts'
import { fixedFor, type ReferenceItem, variant } from './reference-item.ts'

const ITEMS = 4
/** DynamoDB ends a page with the item that makes it longer than a megabyte, which is the third of
 * these. */
const TEXT_LENGTH = 360_000

/** Writes matching items that don't fit into one page of DynamoDB; false if the model has no place
 * for so much text, or this many items. */
export async function fillLarge(
  query: Query,
  reference: ReferenceItem,
  table: ExerciseTable,
  maker: ItemMaker,
): Promise<boolean> {
  const [model, ...others] = query.models
  if (model === undefined || others.length > 0) return false
  const { filter, target } = query.pattern
  const used = [...filter.map(({ attribute }) => attribute), ...(target?.primary.names ?? [])]
  const { index } = useOf(query, model)
  const fixed = fixedFor(query, model, reference)
  return writeLarge({ model, index, used, table }, (number) =>
    maker.make(model, variant(query, model, reference, fixed, number)),
  )
}

/** Where large items are written, and the attributes that can't be large. */
export interface LargeItems {
  readonly model: Model
  readonly index: Index
  readonly used: readonly string[]
  readonly table: ExerciseTable
}

/** Writes such items, each made by its number. */
export async function writeLarge(
  { model, index, used, table }: LargeItems,
  make: (number: number) => Map<string, unknown>,
): Promise<boolean> {
  const large = largeAttribute(model, index, used)
  if (large === undefined) return false
  let written = 0
  for (let number = 0; number < ITEMS; number++) {
    const values = make(number)
    values.set(large.name, 'x'.repeat(TEXT_LENGTH))
    if (await table.write(model, values)) written++
  }
  return written === ITEMS
}

/** A text that can be of any length, and that the index holds. */
function largeAttribute(
  model: Model,
  index: Index,
  used: readonly string[],
): Attribute | undefined {
  const source = model.source ?? model
  const inKeys = new Set(
    [source, ...(source.derivedItems?.copies.map((copy) => copy.model) ?? [])].flatMap(
      ({ indexes }) => indexes.flatMap(({ names }) => names),
    ),
  )
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
      !source.derivedItems?.unique.some(({ attributes }) =>
        attributes.some((each) => each.name === name),
      )
    )
  })
}
