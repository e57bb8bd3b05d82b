import type {
  ImplicitTimestamps,
  KeyNames,
  ModelName,
  ShardName,
  TemplateNames,
  TemplateText,
} from './infer.ts'
import type {
  AttributeDefinition,
  CopyDefinition,
  KeyDefinition,
  ModelDefinition,
  SchemaDefinition,
  WhenDefinition,
} from './schema-definition.ts'

/**
 * What is wrong with the models of a schema, as types that read as sentences: `defineSchema` asks
 * each part of a model to be assignable to its problem, or, if there is none, to what such a part
 * is. A whole model is compared at once with one that has nothing to look at, which makes no types;
 * only the names in its templates are read. What is left is asked for by attribute, and where
 * something is wrong, by place.
 */
export type CheckedModels<TSchema extends SchemaDefinition> = string extends keyof TSchema['models']
  ? unknown
  : {
      readonly models: EachModel<
        TSchema,
        TSchema['models'],
        KeyedModel<PrimaryKeys<TSchema>, IndexName<TSchema>>,
        PlainModel<ModelName<TSchema>>,
        PlainAttribute<ModelName<TSchema>>
      >
    }

// Parameters of a type are worked out once for all of its members.
type EachModel<
  TSchema extends SchemaDefinition,
  TModels extends SchemaDefinition['models'],
  TKeyed,
  TPlain,
  TPlainAttribute,
> = {
  readonly [TName in keyof TModels]: ModelProblem<
    TSchema,
    TModels[TName],
    TKeyed,
    TPlain,
    TPlainAttribute
  >
}

interface Sorted {
  readonly sort: string
}

/** The names of the attributes of the primary key. */
type PrimaryKeys<TSchema extends SchemaDefinition> = TSchema['indexes']['primary'] extends Sorted
  ? TSchema['indexes']['primary']['hash'] | TSchema['indexes']['primary']['sort']
  : TSchema['indexes']['primary']['hash']

/** The indexes that a model can be in besides the primary one. */
type IndexName<TSchema extends SchemaDefinition> = Exclude<keyof TSchema['indexes'], 'primary'>

interface KeyedModel<TKey extends string, TIndexName> {
  readonly key: { readonly [TName in TKey]: unknown }
  readonly shortKeys?: readonly TIndexName[]
}

/** A model of which nothing but the names in its templates can be wrong. */
interface PlainModel<TModelName extends string> {
  readonly when?: undefined
  readonly copies?: undefined
  readonly attributes: { readonly [name: string]: PlainAttribute<TModelName> }
}

/** An attribute of which nothing can be wrong that takes more than a comparison. */
type PlainAttribute<TModelName extends string> = PlainRoles<TModelName> & PlainDefault

interface PlainRoles<TModelName extends string> {
  readonly value?: undefined
  readonly counts?: TModelName | { readonly model: TModelName; readonly when?: undefined }
}

type PlainDefault =
  | { readonly type: unknown; readonly default?: (() => unknown) | undefined }
  | { readonly nulls: true; readonly default: null }
  | { readonly type: StringConstructor; readonly default: string; readonly enum?: undefined }
  | { readonly type: NumberConstructor; readonly default: number; readonly enum?: undefined }
  | { readonly type: BooleanConstructor; readonly default: boolean }
  | { readonly type: DateConstructor; readonly default: Date }
  | { readonly type: UncheckedType }

/** Types whose defaults only the codec knows. */
type UncheckedType = Exclude<
  AttributeDefinition['type'],
  StringConstructor | NumberConstructor | BooleanConstructor | DateConstructor
>

type ModelProblem<
  TSchema extends SchemaDefinition,
  TModel extends ModelDefinition,
  TKeyed,
  TPlain,
  TPlainAttribute,
> = TModel extends TKeyed
  ? [
      | KeyNames<TModel>
      | IndexNames<TModel>
      | (TModel extends TPlain ? never : OtherNames<TSchema, TModel, TPlainAttribute>),
    ] extends [NameIn<TSchema, TModel>]
    ? ModelDefinition
    : PlacedProblem<TSchema, TModel, TPlainAttribute>
  : PlacedProblem<TSchema, TModel, TPlainAttribute>

/** What can be named in a model: its attributes and timestamps. */
type NameIn<TSchema, TModel extends ModelDefinition> =
  | keyof TModel['attributes']
  | ImplicitTimestamps<TSchema, TModel['attributes']>

interface Indexed {
  readonly index: object
}

/** The names in the templates of a model's index keys. */
type IndexNames<TModel> = TModel extends Indexed
  ? Exclude<TemplateNames<TemplateText<TModel['index'][keyof TModel['index']]>>, ShardName<TModel>>
  : never

interface WithWhen {
  readonly when: object
}
interface WithCopies {
  readonly copies: object
}
interface WithTemplate {
  readonly value: string
}

/** All other names, and what can't be right whatever is named. */
type OtherNames<
  TSchema extends SchemaDefinition,
  TModel extends ModelDefinition,
  TPlainAttribute,
> = TModel extends Unusual
  ?
      | UnusualNames<TModel, TSchema>
      // Its attributes may all be plain: asked once, which costs less than asking for each.
      | (TModel['attributes'][keyof TModel['attributes']] extends TPlainAttribute
          ? never
          : AttributeNames<
              TSchema,
              TModel['attributes'][keyof TModel['attributes']],
              TPlainAttribute
            >)
  : AttributeNames<TSchema, TModel['attributes'][keyof TModel['attributes']], TPlainAttribute>

type Unusual = WithWhen | WithCopies

type UnusualNames<TModel extends ModelDefinition, TSchema extends SchemaDefinition> =
  | (TModel extends WithWhen
      ? keyof TModel['when'] extends IndexName<TSchema>
        ? AllKeys<TModel['when'][keyof TModel['when']]>
        : typeof NO_INDEX
      : never)
  | (TModel extends WithCopies
      ? CopyNames<TModel['copies'][keyof TModel['copies']], ShardName<TModel>>
      : never)

/** In place of a name, so that the model has a problem even if an attribute has the index's name. */
declare const NO_INDEX: unique symbol

type AllKeys<TUnion> = TUnion extends unknown ? keyof TUnion : never

/**
 * A copy for each element of a list has the element's name as well, which is not looked at here.
 */
type CopyNames<TCopy, TShard> = TCopy extends { readonly each: unknown }
  ? never
  :
      | (TCopy extends WithWhen ? keyof TCopy['when'] : never)
      | (TCopy extends CopyDefinition
          ? Exclude<TemplateNames<TemplateText<TCopy['key'][keyof TCopy['key']]>>, TShard>
          : never)

interface ChosenDefault {
  readonly enum: readonly unknown[]
  readonly default: string | number
}

/** The names in an attribute's options; itself, if it can't be right. */
type AttributeNames<
  TSchema extends SchemaDefinition,
  TAttribute,
  TPlainAttribute,
> = TAttribute extends TPlainAttribute
  ? never
  : TAttribute extends ChosenDefault
    ? TAttribute['default'] extends TAttribute['enum'][number]
      ? never
      : TAttribute
    : TAttribute extends WithTemplate
      ? TemplateNames<TAttribute['value']>
      : TAttribute extends CountsSome<ModelName<TSchema>>
        ? [keyof TAttribute['counts']['when']] extends [
            NameIn<TSchema, TSchema['models'][TAttribute['counts']['model']]>,
          ]
          ? never
          : TAttribute
        : TAttribute

interface CountsSome<TModelName extends string> {
  readonly default?: undefined
  readonly counts: { readonly model: TModelName; readonly when: object }
}

/** The model as it should be, with a sentence at each place where it is not. */
type PlacedProblem<
  TSchema extends SchemaDefinition,
  TModel extends ModelDefinition,
  TPlainAttribute,
> = ModelDefinition & {
  readonly key: [PrimaryKeys<TSchema>] extends [keyof TModel['key']]
    ? PlacedKeys<TSchema, TModel, TModel['key']>
    : `the key needs '${Exclude<PrimaryKeys<TSchema>, keyof TModel['key']> & string}', an attribute of the primary index`
  readonly attributes: {
    readonly [TName in keyof TModel['attributes']]: PlacedAttribute<
      TSchema,
      TModel,
      TModel['attributes'][TName],
      TPlainAttribute
    >
  }
} & (TModel extends Indexed
    ? { readonly index: PlacedKeys<TSchema, TModel, TModel['index']> }
    : unknown) &
  (TModel extends WithWhen
    ? {
        readonly when: {
          readonly [TIndex in keyof TModel['when']]: TIndex extends IndexName<TSchema>
            ? PlacedWhen<TModel['when'][TIndex], NameIn<TSchema, TModel>>
            : NoIndex<TIndex>
        }
      }
    : unknown) &
  (TModel extends { readonly shortKeys: infer TNames extends readonly unknown[] }
    ? {
        readonly shortKeys: {
          readonly [TAt in keyof TNames]: TNames[TAt] extends IndexName<TSchema>
            ? string
            : NoIndex<TNames[TAt]>
        }
      }
    : unknown) &
  (TModel extends WithCopies
    ? {
        readonly copies: {
          readonly [TCopy in keyof TModel['copies']]: PlacedCopy<
            TSchema,
            TModel,
            TModel['copies'][TCopy]
          >
        }
      }
    : unknown)

type NoIndex<TName> = `there is no secondary index '${TName & string}'`

type PlacedKeys<TSchema extends SchemaDefinition, TModel extends ModelDefinition, TKeys> = {
  readonly [TKey in keyof TKeys]: PlacedTemplate<
    KeyDefinition,
    Exclude<TemplateNames<TemplateText<TKeys[TKey]>>, ShardName<TModel> | NameIn<TSchema, TModel>>
  >
}

type PlacedTemplate<TDefinition, TStrange> = [Literal<TStrange>] extends [never]
  ? TDefinition
  : `\${${TStrange & string}} is not an attribute of the model`

/** Without names that are not known yet, as in a template that is put together. */
type Literal<TName> = TName extends unknown
  ? Record<never, never> extends { readonly [TEach in TName & string]: unknown }
    ? never
    : TName
  : never

type PlacedWhen<TWhen, TNames> = {
  readonly [TName in keyof TWhen]: TName extends TNames
    ? WhenDefinition[string]
    : `'${TName & string}' is not an attribute of the model`
}

type PlacedCopy<
  TSchema extends SchemaDefinition,
  TModel extends ModelDefinition,
  TCopy,
> = TCopy extends { readonly each: unknown }
  ? CopyDefinition
  : CopyDefinition &
      (TCopy extends CopyDefinition
        ? { readonly key: PlacedKeys<TSchema, TModel, TCopy['key']> }
        : unknown) &
      (TCopy extends WithWhen
        ? { readonly when: PlacedWhen<TCopy['when'], NameIn<TSchema, TModel>> }
        : unknown)

type PlacedAttribute<
  TSchema extends SchemaDefinition,
  TModel extends ModelDefinition,
  TAttribute,
  TPlainAttribute,
> = TAttribute extends TPlainAttribute
  ? AttributeDefinition
  : AttributeDefinition &
      (TAttribute extends PlainDefault
        ? unknown
        : TAttribute extends ChosenDefault
          ? TAttribute['default'] extends TAttribute['enum'][number]
            ? unknown
            : { readonly default: 'the default is not one of the values in enum' }
          : { readonly default: 'the default is not of the type of the attribute' }) &
      (TAttribute extends WithTemplate
        ? {
            readonly value: PlacedTemplate<
              string,
              Exclude<
                TemplateNames<TAttribute['value']>,
                ShardName<TModel> | NameIn<TSchema, TModel>
              >
            >
          }
        : unknown) &
      (TAttribute extends { readonly counts: infer TCounts }
        ? { readonly counts: PlacedCounts<TSchema, TCounts> }
        : unknown)

type PlacedCounts<TSchema extends SchemaDefinition, TCounts> = TCounts extends string
  ? PlacedModel<TSchema, TCounts>
  : TCounts extends { readonly model: infer TModel }
    ? { readonly model: PlacedModel<TSchema, TModel> } & (TCounts extends WithWhen
        ? TModel extends ModelName<TSchema>
          ? {
              readonly when: PlacedWhen<TCounts['when'], NameIn<TSchema, TSchema['models'][TModel]>>
            }
          : unknown
        : unknown)
    : unknown

type PlacedModel<TSchema extends SchemaDefinition, TModel> =
  TModel extends ModelName<TSchema> ? string : `there is no model '${TModel & string}'`
