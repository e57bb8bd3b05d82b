import type { CostDesign } from './cost-design.ts'
import { type Figure, printNumber, worstBasis } from './figure.ts'
import { guardBytes, projectedBytes } from './item-bytes.ts'
import { itemCount, shareInIndex } from './item-count.ts'

/** What the items of one model, or their entries in one index, take. */
export interface StoredPart {
  readonly model: string
  readonly index: string
  /** The unique rule whose guards these are, which are items of their own. */
  readonly guards?: string
  /** Bytes, with what DynamoDB adds to each; undefined if nobody knows how many there are. */
  readonly bytes: Figure | undefined
  /** A month. */
  readonly dollars: number | undefined
}

export const GIGABYTE: number = 1024 ** 3
/** What DynamoDB adds to each item and each entry of an index. */
const OVERHEAD_BYTES = 100

/** What is stored, by model and index. */
export function storageBill(design: CostDesign, gigabytePrice: number): readonly StoredPart[] {
  return [...(design.schema?.models.values() ?? [])].flatMap((model) => {
    const count = itemCount(design, model)
    const guards = (model.derivedItems?.unique ?? []).map((rule): StoredPart => {
      const part = { model: model.name, index: 'primary', guards: rule.name }
      if (count === undefined) return { ...part, bytes: undefined, dollars: undefined }
      const size = guardBytes(model)
      const value = count.value * (size + OVERHEAD_BYTES)
      const formula = `${printNumber(count.value)} × (${size} + ${OVERHEAD_BYTES}) B`
      const dollars = (value / GIGABYTE) * gigabytePrice
      return { ...part, bytes: { value, basis: 'default', formula }, dollars }
    })
    const own = model.indexes.map((use): StoredPart => {
      const part = { model: model.name, index: use.index.name }
      const size = projectedBytes(design, model, use.index)
      if (count === undefined || size === undefined) {
        return { ...part, bytes: undefined, dollars: undefined }
      }
      const share = shareInIndex(design, model, use)
      const value = count.value * share.value * (size.value + OVERHEAD_BYTES)
      const of = share.value === 1 ? '' : ` × ${printNumber(share.value)}`
      const formula = `${printNumber(count.value)}${of} × (${printNumber(size.value)} + ${OVERHEAD_BYTES}) B`
      const bytes: Figure = { value, basis: worstBasis([count, share, size]), formula }
      return { ...part, bytes, dollars: (value / GIGABYTE) * gigabytePrice }
    })
    return [...own, ...guards]
  })
}
