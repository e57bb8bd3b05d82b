import type { InputIssue } from '../errors/input-error.ts'
import type { KeyTemplate } from '../template/key-template.ts'
import type { AttributeValue, Item, KeyType, TypeTag } from '../values/attribute-value.ts'
import type { Environment } from '../values/environment.ts'
import type { AskedPattern, FilterOperator } from './pattern-definition.ts'
import type { AttributeDefinition, SchemaDefinition } from './schema-definition.ts'

/**
 * A schema made ready for use: what the literals say, resolved and checked once, with encoders and
 * decoders prepared. Everything after the definition works on these.
 */

/** Encodes and decodes the values of one type. */
export interface Codec {
  /** The tag of what is stored; `undefined` where it can be any. */
  readonly tag: TypeTag | undefined
  /**
   * Gives the attribute value. What is wrong is added to the issues, with paths from this value on;
   * the result is then of no use. With `writes` the value will be stored, so that also validators,
   * sizes, and defaults and requirements of members count.
   */
  encode(value: unknown, issues: InputIssue[], writes?: WriteMode): AttributeValue
  /**
   * Gives the JavaScript value, or throws a `StoredValueProblem`. Of a partial value, required
   * members may be missing. With `whole`, hidden members are there as well.
   */
  decode(value: AttributeValue, partial?: boolean, whole?: boolean): unknown
  /**
   * Of the elements of a list or a set, of the values of a record, and of the members of a map that
   * declares none.
   */
  readonly element?: Codec | undefined
  /** Of the elements of a tuple, by position. */
  readonly elements?: readonly Codec[] | undefined
  /** The declared members of a map, by the name callers use. */
  readonly members?: ReadonlyMap<string, Member> | undefined
  /** Its members depend on each other, so that an update sets it as a whole. */
  readonly union?: true
  /** Somewhere inside is a member that no update changes. */
  readonly hasReadonly?: boolean | undefined
  /**
   * The attribute's own `set` changes values before they are stored, so that only equality can be
   * asked of them.
   */
  readonly transformed?: true
  /** What is stored is not the value but what the attribute's own codec makes of it. */
  readonly opaque?: true
  /**
   * The value is computed when items are read and keys are made, so that DynamoDB can't look at it.
   */
  readonly unstored?: true
}

/**
 * Whether a value will be stored; with the environment, members that are not given can be
 * generated.
 */
export type WriteMode = boolean | Environment

/** A declared member of a map. */
export interface Member {
  /** The name it is stored under. */
  readonly stored: string
  readonly codec: Codec
  readonly required: boolean
  /** Stored, and left out of what reading gives. */
  readonly hidden: boolean
  /** Given when the map is made, and not changed by updates. */
  readonly readonly: boolean
  /** Makes the value of one that is not given. */
  readonly supply: Supply | undefined
}

/** Makes the value of what is not given: a default, or an id. */
export type Supply = (environment: Environment) => unknown

/** An attribute as callers know it. */
export interface Attribute {
  readonly name: string
  /** The name it has in DynamoDB. */
  readonly stored: string
  readonly codec: Codec
  readonly definition: AttributeDefinition
  /** Makes the value of one that is not given: its default, or an id. */
  readonly supply?: Supply | undefined
  /** The names of the attributes it is computed from. */
  readonly from?: readonly string[] | undefined
}

/** The primary index, a GSI or an LSI of the table. */
export interface Index {
  readonly name: string
  readonly type: 'primary' | 'global' | 'local'
  /** The key attributes: one each, except in a GSI with several. */
  readonly hash: readonly string[]
  readonly sort: readonly string[]
  /**
   * The key attributes of the table and of the index: what it always has, and what a cursor is made
   * of.
   */
  readonly keyNames: readonly string[]
  readonly project: 'all' | 'keys' | readonly string[]
}

/**
 * A key attribute as one model fills it: rendered from a template, or an attribute of the model as
 * it is.
 */
export type KeyPart =
  | { readonly name: string; readonly template: KeyTemplate; readonly attribute?: undefined }
  | { readonly name: string; readonly template?: undefined; readonly attribute: Attribute }

/** An index as one model uses it. */
export interface ModelIndex {
  readonly index: Index
  readonly hash: readonly KeyPart[]
  readonly sort: readonly KeyPart[]
  /** The attributes that decide the item's keys in this index, and whether it is in it. */
  readonly names: readonly string[]
  /** The item is in the index only while each of these attributes has one of its values. */
  readonly when: ReadonlyMap<string, readonly unknown[]> | undefined
  /**
   * Its keys end before the first placeholder that has no value. An item that has any of the
   * attributes is in the index.
   */
  readonly isShort?: boolean
}

/**
 * A key attribute outside the primary key that is rendered from a template, and the indexes it is
 * for.
 */
export interface DerivedKey {
  readonly name: string
  readonly template: KeyTemplate
  readonly uses: readonly ModelIndex[]
}

/** A new item, as it is stored and as reading it would give it. */
export interface EncodedItem {
  readonly item: Item
  readonly output: Record<string, unknown>
  /** The version the caller gave; the item has the next one. */
  readonly version: number | undefined
  /** The stored names of values that were made at random for this item. */
  readonly fresh: readonly string[]
}

export interface Model {
  readonly name: string
  /** What is stored as the type of its items. */
  readonly type: string
  /** Items of other models can have its keys, so that each write makes sure of the type. */
  readonly isShared: boolean
  readonly schema: Schema
  /** By the name callers use; without key attributes that are rendered. */
  readonly attributes: ReadonlyMap<string, Attribute>
  /** Those that reading leaves out. */
  readonly hidden: readonly Attribute[]
  /** Those that are, or have in them, objects with declared members. */
  readonly structured: readonly Attribute[]
  /** The names of all that its items can have, as they are stored. */
  readonly storedNames: ReadonlySet<string>
  readonly primary: ModelIndex
  /** All indexes the model is in, the primary one first. */
  readonly indexes: readonly ModelIndex[]
  readonly derived: readonly DerivedKey[]
  readonly createdAt: Attribute | undefined
  readonly updatedAt: Attribute | undefined
  readonly version: Attribute | undefined
  readonly ttl: Attribute | undefined
  /**
   * The model whose items these repeat: they are written together with those, and by themselves
   * only read.
   */
  readonly source: Model | undefined
  /** What else is written together with an item of the model; undefined if nothing is. */
  readonly derivedItems: DerivedItems | undefined

  /**
   * The primary key from the attributes that make it, or from the key attributes as they are
   * stored. `where` is shown in the error's message. With `warn`, a string that has the literal
   * before its placeholder is accepted without the literal, and reported once.
   */
  encodeKey(values: object, where: string, warn?: (message: string) => void): Item
  /**
   * A whole new item: defaults, generated ids, timestamps, version 1, keys of all indexes it is in,
   * type. `wasRead` says that the input may be an item that was read: counters, sums and computed
   * attributes of a whole item are left out, where otherwise they are refused.
   */
  encodeNew(input: object, environment: Environment, where: string, wasRead?: boolean): EncodedItem
  /**
   * Gives the output of a stored item. Of a partial one, attributes that a projection left out are
   * simply not there, and those that `partial` names are left out. Of an item without its key,
   * `keyed` has it.
   */
  decode(item: Item, partial: boolean | readonly string[], keyed?: Item): Record<string, unknown>
}

/** What a model consists of, before its functions are made. */
export type ModelParts = Omit<Model, 'encodeKey' | 'encodeNew' | 'decode'>

/** By attribute, the values that are allowed. */
export type When = ReadonlyMap<string, readonly unknown[]>

/**
 * What derived items of one kind depend on: names of attributes of the model that they follow from.
 */
export interface DerivedRule {
  /** What determines which of them there are, and under which keys. */
  readonly determinedBy: readonly string[]
  /** What else is in them. */
  readonly contains: readonly string[]
}

/** The same fact under another key, or under one for each element of a list or set. */
export interface Copy extends DerivedRule {
  readonly model: Model
  /** The copy exists only while these hold. */
  readonly when: When | undefined
  /** There is a copy for each element of the item's `list`, which has it as `element`. */
  readonly each: { readonly list: Attribute; readonly element: Attribute } | undefined
}

/** Attributes that no two items of a model have the same values of. */
export interface UniqueRule extends DerivedRule {
  readonly name: string
  readonly attributes: readonly Attribute[]
  readonly ignoreCase: boolean
  /** What the keys of its guards begin with. */
  readonly prefix: string
}

/**
 * An attribute of a parent that counts the items which name it, or adds up one of their attributes.
 */
export interface Counter extends DerivedRule {
  readonly parent: Model
  readonly attribute: Attribute
  /** What is added up; the items are counted if undefined. */
  readonly sums: Attribute | undefined
  /** By attribute of the parent's key: the attribute of the counted item that has its value. */
  readonly links: ReadonlyMap<string, string>
  readonly when: When | undefined
}

/**
 * Further items that follow from an item and are written in the same transaction. Sets have stored
 * names.
 */
export interface DerivedItems {
  readonly copies: readonly Copy[]
  readonly unique: readonly UniqueRule[]
  /** Where the item is counted. */
  readonly counters: readonly Counter[]
  /** The item's own attributes that count others. */
  readonly counted: readonly Attribute[]
  /** What determines which of them there are, and under which keys. */
  readonly determinedBy: ReadonlySet<string>
  /** All that they depend on. */
  readonly dependsOn: ReadonlySet<string>
  /**
   * What those depend on that a change of these attributes affects; no others need be known for it.
   */
  affectedBy(changed: ReadonlySet<string>): ReadonlySet<string>
  /**
   * The primary key alone decides what follows from an item, so that it need not be read before.
   */
  readonly fixed: boolean
}

export interface SchemaParams {
  readonly timestamps: boolean
  readonly isoDates: boolean
  readonly typeField: string
  readonly itemVersionField: string
  readonly separator: string
  readonly cleanInternalKeys: boolean
}

export interface Schema {
  /** As it was written, without models and indexes that can't be used. */
  readonly definition: SchemaDefinition
  /** By name, `primary` first. */
  readonly indexes: ReadonlyMap<string, Index>
  readonly primary: Index
  readonly models: ReadonlyMap<string, Model>
  /** The models by the type that is stored. */
  readonly types: ReadonlyMap<string, Model>
  readonly params: SchemaParams
  /** The DynamoDB type of every key attribute. */
  readonly keyTypes: ReadonlyMap<string, KeyType>
  /** The stored name of the time-to-live attribute. */
  readonly ttl: string | undefined
  /** The access patterns by name. */
  readonly patterns: ReadonlyMap<string, Pattern>
}

/**
 * An access pattern made ready for use: its names resolved and its keys checked once, when the
 * schema is.
 */
export interface Pattern {
  /** `placeOrder`, or for a step of a transaction `placeOrder.order`. */
  readonly name: string
  readonly definition: AskedPattern
  /** The models of its entities, in their order; none if it has no entity. */
  readonly models: readonly Model[]
  /** The index as the first of them uses it. */
  readonly use: ModelIndex | undefined
  /**
   * The members of its input, and whether each must be there; `undefined` where the model itself
   * says so.
   */
  readonly input: ReadonlyMap<string, boolean> | undefined
  /** Conditions: on what is found, or of a write on the item that is there. */
  readonly filter: readonly FilterTest[]
  /** What is fetched by key after a query. */
  readonly target: Model | undefined
  readonly steps: ReadonlyMap<string, Pattern>
}

/** One comparison of a filter; all of them must hold. */
export interface FilterTest {
  readonly attribute: string
  readonly operator: FilterOperator
  /** What the attribute is compared with: as many as the operator takes. */
  readonly operands: readonly FilterOperand[]
  /** The one operand is the whole list of `in`. */
  readonly whole: boolean
}

/** A value of the definition, or the name of a member of the input. */
export type FilterOperand =
  | { readonly value: unknown; readonly input?: undefined; readonly optional?: undefined }
  | {
      readonly value: undefined
      readonly input: string
      /** Where it is not given, the comparison is left out. */
      readonly optional: boolean
    }
