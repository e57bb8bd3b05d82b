import { type Model, type Pattern, planPattern, unitsToRead, unitsToWrite } from 'singletable/tools'
import type { CostDesign } from './cost-design.ts'
import { type CostedWrite, partOf } from './costed-write.ts'
import { type Figure, printNumber, worstBasis } from './figure.ts'
import { followingWrites } from './following-writes.ts'
import { type IndexWrite, indexWrites } from './index-writes.ts'
import { itemBytes } from './item-bytes.ts'

/** One item that is written, and its entries in indexes. */
export interface WrittenItem {
  /** `Order`, `copy OrderSummary`, `unique "email" of User`, `count User.orderCount`, `check
   * User`. */
  readonly what: string
  readonly itemBytes: Figure
  /** Times that it is paid for: twice in a transaction. Indexes are paid for once. */
  readonly factor: 1 | 2
  readonly tableUnits: number
  readonly indexes: readonly IndexWrite[]
}

/** What one call of a pattern writes. */
export interface WriteUnits {
  /** Write units in all: of the table and its indexes. */
  readonly units: Figure
  readonly items: readonly WrittenItem[]
  /** Read units of an item that has to be read before it is written; 0 if none has. */
  readonly readUnits: Figure
  readonly requests: number
}

/** What one call of a pattern writes; undefined if it only reads. */
export function writeUnits(design: CostDesign, pattern: Pattern): WriteUnits | undefined {
  const { definition, models, steps } = pattern
  const [model] = models
  if (definition.op === 'transact') {
    const all = [...steps.values()]
    const puts = all.filter((step) => /^(create|put)$/.test(step.definition.op))
    const made = new Set(puts.flatMap((step) => step.models))
    const writes = all.flatMap((step) => [
      ownWrite(design, step),
      // What counts an item that is put in the same transaction is part of that put.
      ...followingWrites(design, step).filter(
        ({ what, model: of }) => !(/^count /.test(what) && made.has(of)),
      ),
    ])
    return total(writes, true, none('nothing is read before'))
  }
  if (model === undefined || !/^(create|put|update|delete)$/.test(definition.op)) return undefined
  const following = followingWrites(design, pattern)
  const read = readBefore(design, pattern, model)
  return total([ownWrite(design, pattern), ...following], following.length > 0, read)
}

function ownWrite(design: CostDesign, { definition, models }: Pattern): CostedWrite {
  const model = models[0]!
  const { name } = model
  const isCheck = definition.op === 'check'
  const declared = definition.expect?.itemBytes
  const bytes: Figure =
    declared === undefined
      ? itemBytes(design, model)
      : { value: declared, basis: 'declared', formula: `${name}: ${declared} B` }
  // How many elements a call gives is not known.
  const one = (definition as { readonly each?: boolean }).each ? ' (one element)' : ''
  return {
    what: `${isCheck ? 'check ' : ''}${name}${one}`,
    model,
    itemBytes: bytes,
    indexes: isCheck ? [] : indexWrites(design, model, partOf(definition, model)),
  }
}

/** What has to be known of an item before it is written is read consistently. */
function readBefore(design: CostDesign, pattern: Pattern, model: Model): Figure {
  if (planPattern(pattern).requests < 2) return none('nothing is read before')
  const { value, basis } = itemBytes(design, model)
  const units = unitsToRead(value, 'strong')
  return {
    value: units,
    basis,
    formula: `${model.name} read before: ${value} B, strong → ${units}`,
  }
}

function none(formula: string): Figure {
  return { value: 0, basis: 'declared', formula }
}

function total(
  writes: readonly CostedWrite[],
  isTransaction: boolean,
  readUnits: Figure,
): WriteUnits {
  const factor = isTransaction ? 2 : 1
  const items = writes.map(({ what, itemBytes, indexes }): WrittenItem => {
    const tableUnits = factor * unitsToWrite(itemBytes.value)
    return { what, itemBytes, factor, tableUnits, indexes }
  })
  const units = items.reduce(
    (sum, { tableUnits, indexes }) =>
      sum + indexes.reduce((part, each) => part + each.units, tableUnits),
    0,
  )
  const parts = items.flatMap(({ what, itemBytes, tableUnits, indexes }) => [
    `${what} ${printNumber(itemBytes.value)} B${isTransaction ? ' × 2' : ''} → ${tableUnits}`,
    ...indexes
      .filter(({ writes }) => writes > 0)
      .map(({ index, writes, units }) => `${index}${writes > 1 ? ' × 2' : ''} → ${units}`),
  ])
  const basis = worstBasis(
    items.flatMap(({ itemBytes, indexes }) => [
      itemBytes,
      ...indexes.filter(({ writes }) => writes > 0).map(({ entryBytes }) => entryBytes),
    ]),
  )
  return {
    units: { value: units, basis, formula: parts.join(' + ') },
    items,
    readUnits,
    requests: readUnits.value > 0 ? 2 : 1,
  }
}
