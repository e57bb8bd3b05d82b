import type { NamedValue } from '../schema/infer.ts'
import type { ModelDefinition } from '../schema/schema-definition.ts'
import type { TypeMessage } from './type-message.ts'

interface UniqueAttribute {
  readonly unique: true | 'ignore-case'
}

/** The names of the attributes that are unique by themselves. */
type UniqueName<TAttributes> = {
  [TName in keyof TAttributes]: TAttributes[TName] extends UniqueAttribute ? TName : never
}[keyof TAttributes]

/** The names that a rule has: a list, or an object with one. */
type RuleNames<TRule> = TRule extends readonly (infer TName)[]
  ? TName
  : TRule extends { readonly attributes: readonly (infer TName)[] }
    ? TName
    : never

/** By attribute that is unique, and by rule of several: the values that one item can have. */
type EachRule<TModel extends ModelDefinition> =
  | {
      [TName in UniqueName<TModel['attributes']>]: {
        readonly [TOne in TName]: NamedValue<TModel['attributes'], TOne>
      }
    }[UniqueName<TModel['attributes']>]
  | (TModel extends { readonly unique: infer TRules }
      ? {
          [TRule in keyof TRules]: {
            readonly [TName in RuleNames<TRules[TRule]> & string]: NamedValue<
              TModel['attributes'],
              TName
            >
          }
        }[keyof TRules]
      : never)

/** What `getByUnique` takes: the attributes of one rule, as in `{ email }`. */
export type UniqueValues<TModel extends ModelDefinition> = [EachRule<TModel>] extends [never]
  ? TypeMessage<'the model has no unique attributes'>
  : EachRule<TModel>
