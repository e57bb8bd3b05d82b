import type {
  ModelName,
  NamedValue,
  ShardName,
  TemplateNames,
  TemplateText,
} from '../schema/infer.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'

/** The names of the attributes that make a model's partition key. */
export type PartitionNames<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
> = Exclude<
  TemplateNames<
    TemplateText<TSchema['models'][TName]['key'][TSchema['indexes']['primary']['hash']]>
  >,
  ShardName<TSchema['models'][TName]>
>

/** The attributes that make a model's partition key, with their values. */
export type PartitionValues<TSchema extends SchemaDefinition, TName extends ModelName<TSchema>> = {
  readonly [TAttribute in PartitionNames<TSchema, TName>]: NamedValue<
    TSchema['models'][TName]['attributes'],
    TAttribute
  >
}
