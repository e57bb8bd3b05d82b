/** The shape of a schema as it is written: plain data, `as const` or through `defineSchema`. */

/** What `type` may say: a constructor stands for its values, `'decimal'` for exact numbers as text, `'any'` for whatever DynamoDB can hold. */
export type AttributeType =
  | StringConstructor
  | NumberConstructor
  | BooleanConstructor
  | DateConstructor
  | ArrayConstructor
  | ObjectConstructor
  | SetConstructor
  | Uint8ArrayConstructor
  | BigIntConstructor
  | 'decimal'
  | 'any'

/** Ids that are made when none is given. */
export type Generator = 'ulid' | 'uuid' | 'uuid7' | 'ksuid' | (() => unknown)

/** The part of the Standard Schema interface that is used: zod, valibot and arktype schemas have it. */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => unknown
  }
}

/** A Standard Schema, a pattern the text must match, or a function that gives `true`, or says what is wrong. */
export type Validator = StandardSchema | RegExp | ((value: never) => boolean | string | undefined)

export interface AttributeDefinition {
  readonly type: AttributeType
  /** Makes this a key attribute with that template. */
  readonly value?: string
  readonly required?: boolean
  /** The value, or a function that makes it, for an attribute that is not given. */
  readonly default?: unknown
  readonly generate?: Generator
  readonly enum?: readonly (string | number)[]
  /** Whether `null` may be stored. */
  readonly nulls?: boolean
  /** Can be given when the item is made, and not changed by `update`. */
  readonly readonly?: boolean
  /** Stored, and left out of every output. */
  readonly hidden?: boolean
  /** The name it is stored under. */
  readonly map?: string
  /** The table's time-to-live attribute: a Date, or a Number of epoch seconds. */
  readonly ttl?: boolean
  /** The item's version: counted up by every write and compared before it. */
  readonly version?: boolean
  /** Digits of a number in key templates. */
  readonly pad?: number
  /** Lets any text, or any number, stand in a key: by an escape that keeps the order. */
  readonly encode?: boolean
  /** The Unicode form that text is brought into before it is stored or compared. */
  readonly normalize?: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'
  readonly validate?: Validator
  readonly maxBytes?: number
  /** The elements of an Array or a Set. */
  readonly items?: ElementDefinition
  /** The members of an Object. */
  readonly schema?: { readonly [name: string]: ElementDefinition }
}

/** A value inside another: what an attribute can say about its type and content, without keys and roles. */
export type ElementDefinition = Omit<
  AttributeDefinition,
  'value' | 'generate' | 'ttl' | 'version' | 'hidden' | 'readonly' | 'map' | 'pad' | 'encode'
>

/** The template of a key attribute, in short or in full. */
export type KeyDefinition = string | { readonly type: StringConstructor; readonly value: string }

/** Attribute values an item must have to be in an index; a list means any of them. */
export interface WhenDefinition {
  readonly [attribute: string]: string | number | boolean | readonly (string | number | boolean)[]
}

export interface ModelDefinition {
  readonly key: { readonly [keyAttribute: string]: KeyDefinition }
  readonly index?: { readonly [keyAttribute: string]: KeyDefinition }
  readonly attributes: { readonly [name: string]: AttributeDefinition }
  /** By index: the item is in it only while these hold. */
  readonly when?: { readonly [index: string]: WhenDefinition }
}

export interface IndexDefinition {
  readonly hash: string | readonly string[]
  readonly sort?: string | readonly string[]
  readonly type?: 'global' | 'local'
  readonly project?: 'all' | 'keys' | readonly string[]
}

/** What `table.create()` makes besides keys and indexes. */
export interface TableDefinition {
  readonly billing?:
    | 'on-demand'
    | { readonly readCapacityUnits: number; readonly writeCapacityUnits: number }
  readonly stream?: 'keys' | 'new' | 'old' | 'new-and-old'
  readonly deletionProtection?: boolean
  readonly pointInTimeRecovery?: boolean
  readonly tableClass?: 'standard' | 'infrequent-access'
  readonly tags?: { readonly [name: string]: string }
}

export interface ParamsDefinition {
  /** Keep `createdAt` and `updatedAt`. */
  readonly timestamps?: boolean
  /** Dates are stored as ISO texts (`true`, the default) or as epoch milliseconds (`false`). */
  readonly isoDates?: boolean
  /** The attribute that holds the model's name; `_type` unless said. */
  readonly typeField?: string
  /** What separates the parts of a key; `#` unless said. */
  readonly separator?: string
  /** Leaves key attributes and the type out of outputs; `true` unless said. */
  readonly cleanInternalKeys?: boolean
}

export interface SchemaDefinition {
  readonly format?: string
  readonly version?: string
  readonly indexes: {
    readonly primary: { readonly hash: string; readonly sort?: string }
    readonly [index: string]: IndexDefinition
  }
  readonly models: { readonly [model: string]: ModelDefinition }
  readonly params?: ParamsDefinition
  readonly table?: TableDefinition
}
