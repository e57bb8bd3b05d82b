import type { ImplicitTimestamps } from './infer.ts'
import type { ModelDefinition, SchemaDefinition } from './schema-definition.ts'

/**
 * What is wrong with the models of a schema, as types that read as sentences: `defineSchema` asks each model to be assignable to its problem, and
 * `unknown`, which everything is assignable to, means none. All models are asked at once, which costs next to nothing; only if that finds
 * something is each asked by itself. What would have to be asked of each model or attribute is left to the `DefinitionError`.
 */
export type CheckedModels<TSchema extends SchemaDefinition> =
  TSchema['models'][keyof TSchema['models']] extends WithKeys<PrimaryKeys<TSchema>> & WithoutWhen
    ? unknown
    : string extends keyof TSchema['models']
      ? unknown
      : {
          readonly models: {
            readonly [TName in keyof TSchema['models']]: ModelProblem<
              TSchema['models'][TName],
              PrimaryKeys<TSchema>,
              | keyof TSchema['models'][TName]['attributes']
              | ImplicitTimestamps<TSchema, TSchema['models'][TName]['attributes']>
            >
          }
        }

interface Sorted {
  readonly sort: string
}

/** The names of the attributes of the primary key. */
type PrimaryKeys<TSchema extends SchemaDefinition> = TSchema['indexes']['primary'] extends Sorted
  ? TSchema['indexes']['primary']['hash'] | TSchema['indexes']['primary']['sort']
  : TSchema['indexes']['primary']['hash']

interface WithKeys<TName extends string> {
  readonly key: { readonly [TKey in TName]: unknown }
}

interface WithoutWhen {
  readonly when?: undefined
}

interface WithWhen {
  readonly when: object
}

type ModelProblem<TModel extends ModelDefinition, TKeys, TNames> = [TKeys] extends [
  keyof TModel['key'],
]
  ? TModel extends WithWhen
    ? WhenProblem<AllKeys<TModel['when'][keyof TModel['when']]>, TNames>
    : ModelDefinition
  : `the key needs '${Exclude<TKeys, keyof TModel['key']> & string}', an attribute of the primary index`

type WhenProblem<TAsked, TNames> = [TAsked] extends [TNames]
  ? ModelDefinition
  : `when asks for '${Exclude<TAsked, TNames> & string}', which is not an attribute`

type AllKeys<TUnion> = TUnion extends TUnion ? keyof TUnion : never
