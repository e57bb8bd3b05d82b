import type { NativeItem } from '../builder/db-params.ts'
import type { CopySchema, IfCopies, Item, Key, ModelName } from '../schema/infer.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'

/** What the stream's records hold, as `table.stream` of the schema says; both images unless it says
 * otherwise. */
export type View<TSchema> = TSchema extends { readonly table: { readonly stream: infer TView } }
  ? TView
  : 'new-and-old'

/** An image, where the stream has it. */
type Image<TView, TWith, TOutput> = TView extends TWith ? TOutput : undefined

type WithOld = 'new-and-old' | 'old'
type WithNew = 'new-and-old' | 'new'

/** What every change has. */
export interface ChangeDetails {
  /** Grows with every record of a shard. */
  readonly sequenceNumber: string
  /** The same whenever the record is delivered again. */
  readonly eventId: string
  /** About when the change was made: DynamoDB reports whole seconds. */
  readonly at: Date
  /** Whether DynamoDB removed the item because its time to live ran out. */
  readonly expired: boolean
}

interface EntityDetails<TSchema extends SchemaDefinition, TName extends ModelName<TSchema>, TView>
  extends ChangeDetails {
  readonly entity: TName
  /** The attributes that make the item's key. From a stream without images those that can be read
   * from its keys. */
  readonly keys: TView extends 'new-and-old' ? Key<TSchema, TName> : Partial<Key<TSchema, TName>>
  /** The attributes whose values differ; those of a new item that it has, and those of a removed
   * one that it had. */
  readonly changed: readonly (keyof Item<TSchema, TName> & string)[]
}

export interface InsertChange<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
  TView = View<TSchema>,
> extends EntityDetails<TSchema, TName, TView> {
  readonly type: 'insert'
  readonly before: undefined
  readonly after: Image<TView, WithNew, Item<TSchema, TName>>
}

export interface ModifyChange<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
  TView = View<TSchema>,
> extends EntityDetails<TSchema, TName, TView> {
  readonly type: 'modify'
  readonly before: Image<TView, WithOld, Item<TSchema, TName>>
  readonly after: Image<TView, WithNew, Item<TSchema, TName>>
}

export interface RemoveChange<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
  TView = View<TSchema>,
> extends EntityDetails<TSchema, TName, TView> {
  readonly type: 'remove'
  readonly before: Image<TView, WithOld, Item<TSchema, TName>>
  readonly after: undefined
}

/** A change of an item of one model. */
export type EntityChange<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema> = ModelName<TSchema>,
  TView = View<TSchema>,
> = TName extends TName
  ?
      | InsertChange<TSchema, TName, TView>
      | ModifyChange<TSchema, TName, TView>
      | RemoveChange<TSchema, TName, TView>
  : never

/** A change of one of the copies that the schema declares, if it does. */
type CopyChange<TSchema extends SchemaDefinition> =
  unknown extends IfCopies<TSchema, true>
    ? never
    : EntityChange<CopySchema<TSchema>, ModelName<CopySchema<TSchema>>, View<TSchema>>

/** A change of an item that is of no model: as DynamoDB has it, with plain values. */
export interface UnknownChange extends ChangeDetails {
  readonly entity: undefined
  /** What keeps values unique and counts sequences is the library's own; everything else is unknown
   * to the schema. */
  readonly kind: 'unknown' | 'unique' | 'sequence'
  readonly type: 'insert' | 'modify' | 'remove'
  readonly keys: NativeItem
  readonly before: NativeItem | undefined
  readonly after: NativeItem | undefined
  readonly changed: readonly string[]
}

/** A change of any item of a table. `entity` says which model's it is, `type` what happened. */
export type Change<TSchema extends SchemaDefinition> =
  | EntityChange<TSchema>
  | CopyChange<TSchema>
  | UnknownChange

/** A change before the schema's types are put on it. */
export type AnyChange = ChangeDetails & {
  readonly entity: string | undefined
  readonly kind?: UnknownChange['kind']
  readonly type: 'insert' | 'modify' | 'remove'
  readonly keys: NativeItem
  readonly before: NativeItem | undefined
  readonly after: NativeItem | undefined
  readonly changed: readonly string[]
}
