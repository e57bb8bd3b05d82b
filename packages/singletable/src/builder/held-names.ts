import type { HeldItem, Projecting } from '../schema/held-item.ts'
import type { ModelName } from '../schema/infer.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { AttributeReferences } from './attribute-references.ts'
import type { TypeMessage } from './type-message.ts'

/**
 * What a read gives: what its index holds, attributes that were selected by name, or something that
 * no longer depends on the index, because whole items are fetched or places were selected.
 */
export type Gives = 'held' | 'selected' | 'settled'

/** What a read gives once attributes are selected by name. */
export type Selecting<TGives extends Gives> = TGives extends 'settled' ? 'settled' : 'selected'

/** Refuses to select by name what a named index does not hold. */
export type HeldNames<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
  TIndex extends string,
  TGives extends Gives,
  TSelected,
> = TGives extends 'settled'
  ? unknown
  : TSchema['indexes'][TIndex] extends Projecting
    ? Exclude<TSelected, keyof HeldItem<TSchema, TName, TIndex>> extends infer TLacking
      ? [TLacking] extends [never]
        ? unknown
        : TypeMessage<`index ${TIndex} does not hold ${TLacking & string}: call hydrate() first`>
      : never
    : unknown

/** Refuses an index that does not hold what was selected by name. */
export type HeldBy<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
  TIndex extends string,
  TGives extends Gives,
  TSelected,
> = TGives extends 'selected' ? HeldNames<TSchema, TName, TIndex, TGives, TSelected> : unknown

/** The attributes that can be selected by reference: of a named index, those that it holds. */
export type SelectReferences<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
  TIndex extends string,
  TGives extends Gives,
> = TGives extends 'settled'
  ? AttributeReferences<TSchema, TName>
  : TSchema['indexes'][TIndex] extends Projecting
    ? Pick<
        AttributeReferences<TSchema, TName>,
        keyof HeldItem<TSchema, TName, TIndex> & keyof AttributeReferences<TSchema, TName>
      >
    : AttributeReferences<TSchema, TName>
