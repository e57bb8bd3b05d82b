import type { Where } from '../plan/where.ts'
import type { TypeTag } from '../values/attribute-value.ts'
import type { AttributeReference, Operand } from './attribute-references.ts'

/** A condition as the operators of `op` make it. */
export type Condition = Where

/** A value of the same type, or another attribute that has such values. */
type Comparable<TValue> = NoInfer<TValue> | Operand<NoInfer<TValue>>

/** What a set, a list or a text can contain. */
export type ElementOf<TValue> =
  TValue extends ReadonlySet<infer TElement>
    ? TElement
    : TValue extends readonly (infer TElement)[]
      ? TElement
      : TValue

/**
 * The size of an attribute: the length of text and binary values, the number of elements of others.
 */
export interface Size extends Operand<number> {
  eq(value: Comparable<number>): Condition
  ne(value: Comparable<number>): Condition
  lt(value: Comparable<number>): Condition
  lte(value: Comparable<number>): Condition
  gt(value: Comparable<number>): Condition
  gte(value: Comparable<number>): Condition
  between(low: Comparable<number>, high: Comparable<number>): Condition
  in(values: readonly Comparable<number>[]): Condition
}

/**
 * The `op` of callbacks: makes conditions of attributes and values.
 *
 * @example
 * const schema = defineSchema({
 *   indexes: { primary: { hash: 'pk', sort: 'sk' } },
 *   models: {
 *     Post: {
 *       key: { pk: 'USER#${username}', sk: 'POST#${postId}' },
 *       attributes: {
 *         username: { type: String, required: true },
 *         postId: { type: String, generate: 'ulid' },
 *         likes: { type: Number, default: 0 },
 *         tags: { type: Set, items: { type: String } },
 *       },
 *     },
 *   },
 * })
 * const table = new Table({ name: 'blog', schema, client: createEngine() })
 * await table.create()
 * await table.entities.Post.put({ username: 'alice', postId: '1', likes: 7 })
 * const posts = await table.entities.Post.query({ username: 'alice' })
 *   .where((attr, op) => op.and(op.gte(attr.likes, 5), op.not(op.contains(attr.tags, 'draft'))))
 * posts // => [{ username: 'alice', postId: '1', likes: 7 }]
 */
export interface ConditionOperators {
  eq<TValue>(attribute: Operand<TValue>, value: Comparable<TValue>): Condition
  ne<TValue>(attribute: Operand<TValue>, value: Comparable<TValue>): Condition
  lt<TValue>(attribute: Operand<TValue>, value: Comparable<TValue>): Condition
  lte<TValue>(attribute: Operand<TValue>, value: Comparable<TValue>): Condition
  gt<TValue>(attribute: Operand<TValue>, value: Comparable<TValue>): Condition
  gte<TValue>(attribute: Operand<TValue>, value: Comparable<TValue>): Condition
  /** Both ends belong to the range. */
  between<TValue>(
    attribute: Operand<TValue>,
    low: Comparable<TValue>,
    high: Comparable<TValue>,
  ): Condition
  /** Any of the values. */
  in<TValue>(attribute: Operand<TValue>, values: readonly Comparable<TValue>[]): Condition
  /**
   * The text is the same but for case. Only a key with `${name:lower}` answers it, never a filter
   * or the condition of a write.
   */
  ignoreCase(attribute: AttributeReference<string | null>, text: string): Condition
  beginsWith(attribute: AttributeReference<string | null>, prefix: string): Condition
  /** A list has these first elements. */
  beginsWith<TElement>(
    attribute: AttributeReference<readonly TElement[] | null>,
    elements: readonly NoInfer<TElement>[],
  ): Condition
  /** A set or list has the element, or a text the part. */
  contains<TValue>(
    attribute: AttributeReference<TValue>,
    value: NoInfer<ElementOf<NonNullable<TValue>>>,
  ): Condition
  exists(attribute: AttributeReference<unknown>): Condition
  notExists(attribute: AttributeReference<unknown>): Condition
  /** DynamoDB's type of the stored value, as in `'S'` or `'NULL'`. */
  attributeType(attribute: AttributeReference<unknown>, type: TypeTag): Condition
  size(attribute: AttributeReference<unknown>): Size
  and(...conditions: readonly [Condition, ...Condition[]]): Condition
  or(...conditions: readonly [Condition, ...Condition[]]): Condition
  not(condition: Condition): Condition
}
