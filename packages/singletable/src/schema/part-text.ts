import type { TemplateText, TimestampName } from './infer.ts'
import type { ModelDefinition } from './schema-definition.ts'

/**
 * The template of a key, or of several key attributes one after the other; empty, if there is none.
 */
export type PartText<TModel extends ModelDefinition, TPart> = TPart extends string
  ? KeyText<TModel, TPart>
  : TPart extends readonly [infer TFirst, ...infer TRest]
    ? `${KeyText<TModel, TFirst> & string}${PartText<TModel, TRest> & string}`
    : ''

/**
 * The template that makes a key attribute; an attribute that is a key as it is stands for its own
 * placeholder. `never`, if there is neither.
 */
type KeyText<TModel extends ModelDefinition, TKey> = TKey extends keyof TModel['key']
  ? TemplateText<TModel['key'][TKey]>
  : TKey extends keyof TModel['index']
    ? TemplateText<TModel['index'][TKey]>
    : OtherKeyText<TModel['attributes'], TKey>

type OtherKeyText<TAttributes, TKey> = TKey extends keyof TAttributes
  ? TAttributes[TKey] extends { readonly value: infer TTemplate }
    ? TTemplate
    : `\${${TKey & string}}`
  : TKey extends TimestampName
    ? `\${${TKey}}`
    : MappedText<TAttributes, TKey>

/** An attribute that is stored under the name of the key attribute. */
type MappedText<TAttributes, TKey, TName = keyof TAttributes> = TName extends keyof TAttributes
  ? TAttributes[TName] extends { readonly map: TKey }
    ? `\${${TName & string}}`
    : never
  : never
