import type { Model } from '../../schema/model.ts'
import type { Item } from '../../values/attribute-value.ts'
import type { WritePlan } from '../plan.ts'
import type { WriteSite } from '../plan-context.ts'
import type { WriteDescription, WriteOptions } from './plan-write.ts'
import type { UpdateDraft } from './update-draft.ts'
import type { Expectations } from './write-condition.ts'

/**
 * A write that depends on the item it finds; `complete` plans it when that is known. `read-first`:
 * index keys or derived items depend on attributes that the call does not give. `move`: the primary
 * key changes, so the item is put under its new key and deleted under the old one in one
 * transaction.
 */
export interface StagedPlan {
  readonly kind: 'read-first' | 'move'
  readonly verb: WritePlan['verb']
  readonly model: Model
  readonly tableName: string
  readonly key: Item
  readonly expects: Expectations
  /** The attributes that make it necessary. */
  readonly attributes: readonly string[]
  /** The stored names of what is read; the whole item if undefined. */
  readonly reads: readonly string[] | undefined
  /**
   * There is most likely no item, so nothing is read: what the write finds comes with its answer.
   */
  readonly optimistic?: boolean
  /** No condition but that of what was read, so that it can be part of a batch. */
  readonly unconditional?: boolean
  /**
   * The item as far as the call gives it, if that suffices where nothing can be read before: in a
   * transaction.
   */
  readonly assumed?: { readonly item: Item | undefined } | undefined
  /** What is to be done then. */
  readonly draft: UpdateDraft | WriteDraft
}

/** A put or a delete of an item that others follow from. */
export interface WriteDraft {
  readonly options: WriteOptions
  readonly site: WriteSite
  readonly write: WriteDescription
}

export type UpdatePlan = WritePlan | StagedPlan
