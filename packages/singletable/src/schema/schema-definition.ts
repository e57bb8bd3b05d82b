import type { AttributeValue, Item } from '../values/attribute-value.ts'
import type { PatternDefinition } from './pattern-definition.ts'

/** The shape of a schema as it is written: plain data, `as const` or through `defineSchema`. */

/**
 * What `type` may say: a constructor stands for its values, `'decimal'` for exact numbers as text,
 * `'record'` for objects with any names and values of one kind, `'tuple'` for lists of a fixed
 * length, `'union'` for objects of several shapes, `'any'` for whatever DynamoDB can hold.
 */
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
  | 'record'
  | 'tuple'
  | 'union'
  | 'any'

/** Ids that are made when none is given. */
export type Generator = 'ulid' | 'uuid' | 'uuid7' | 'ksuid' | (() => unknown)

/**
 * The part of the Standard Schema interface that is used: zod, valibot and arktype schemas have it.
 */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => unknown
    /** Only for the compiler. */
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined
  }
}

/**
 * A Standard Schema, a pattern the text must match, or a function that gives `true`, or says what
 * is wrong.
 */
export type Validator = StandardSchema | RegExp | ((value: never) => boolean | string | undefined)

/** Where a value is that a codec encodes or decodes. */
export interface CodecPlace {
  /** The model's name; of a copy that of the model it is of. */
  readonly model: string
  /** The name it is stored under. */
  readonly attribute: string
  /** The primary key of its item. */
  readonly key: Item
}

/**
 * Turns what is stored of an attribute into another form and back. Both ways at once: what takes
 * time has to be ready before.
 */
export interface AttributeCodec {
  /** What is stored belongs to its item and is of no use in a copy of it. */
  readonly bound?: boolean
  encode(value: AttributeValue, place: CodecPlace): AttributeValue
  /** Throws if it can't be: the text completes "can't be decoded: …". */
  decode(value: AttributeValue, place: CodecPlace): AttributeValue
}

export interface AttributeDefinition {
  /** What its values are: a constructor such as `String`, or a name such as `'decimal'`. */
  readonly type: AttributeType
  /** Makes this a key attribute with that template. */
  readonly value?: string
  /** Every item has it, so that it has to be given. */
  readonly required?: boolean
  /** The value, or a function that makes it, for an attribute that is not given. */
  readonly default?: unknown
  /** Makes an id when none is given. */
  readonly generate?: Generator
  /**
   * Makes the value of each update that gives no other, and of a new item for which nothing else
   * does.
   */
  readonly onUpdate?: () => unknown
  /** All values that are allowed; they become the type. */
  readonly enum?: readonly (string | number)[]
  /**
   * The only value it has, of a String, Number or Boolean: stored with every item, and need not be
   * given.
   */
  readonly const?: string | number | boolean
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
  /**
   * Lets any text, or any number, be in a key: by an escape that keeps the order; or with `'raw'`
   * as it is, for keys that other programs have written, where values with separators can give the
   * same key.
   */
  readonly encode?: boolean | 'raw'
  /** The Unicode form that text is brought into before it is stored or compared. */
  readonly normalize?: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'
  /**
   * Refuses values that are of the type and wrong. What a Standard Schema makes of a value is
   * stored; an attribute of type `'any'` has its input type in what is written, and its output type
   * in what is read and compared.
   */
  readonly validate?: Validator
  /** A larger value is refused. */
  readonly maxBytes?: number
  /**
   * Values that it can have, as `singletable seed` and `check --run` use them; nothing else reads
   * them.
   */
  readonly examples?: readonly unknown[]
  /**
   * The attributes it is computed from, by `compute`. It is stored, follows every change of them,
   * and is never given.
   */
  readonly from?: readonly string[]
  /**
   * With `false`, what is computed is in key templates and in what reading gives, and not in the
   * item: filters and conditions can't ask for it.
   */
  readonly stored?: boolean
  /**
   * Makes the value from those of `from`, by name. Called where all of them have one; otherwise
   * there is no value.
   */
  // biome-ignore lint/suspicious/noExplicitAny: the types of the other attributes are not known here.
  readonly compute?: (values: { readonly [name: string]: any }) => unknown
  /** What is stored of a value that is given, and compared with for equality. Of the same type. */
  // biome-ignore lint/suspicious/noExplicitAny: the attribute's own type is checked by its codec.
  readonly set?: (value: any) => unknown
  /** What reading gives of a stored value: the way back of `set`. */
  // biome-ignore lint/suspicious/noExplicitAny: it gets what the codec has decoded.
  readonly get?: (stored: any) => unknown
  /**
   * Stores the whole value in another form, such as compressed or encrypted: nothing can ask for
   * it, and no key can have it.
   */
  readonly codec?: AttributeCodec
  /**
   * No two items of the model have the same value; `'ignore-case'` ignores upper and lower case.
   */
  readonly unique?: boolean | 'ignore-case'
  /**
   * The attribute of another model that this one repeats: `'User.name'`. Kept up to date by
   * propagation, not by each write.
   */
  readonly copyOf?: string | CopyOfDefinition
  /** Counts the items of a model that name this item: kept by the transactions that write them. */
  readonly counts?: string | CountsDefinition
  /**
   * Adds up an attribute, such as `'Line.amount'`, of the items that name this item: kept by the
   * transactions that write them.
   */
  readonly sums?: string | SumsDefinition
  /**
   * The earliest time that occurs, as ISO text: a range without a beginning starts here where keys
   * have time buckets.
   */
  readonly start?: string
  /** The elements of an Array or a Set. */
  readonly items?: ElementDefinition
  /** The members of an Object. */
  readonly schema?: { readonly [name: string]: MemberDefinition }
  /** The values of a record. */
  readonly values?: ElementDefinition
  /** The names a record can have; any unless given. */
  readonly keys?: readonly string[]
  /** The elements of a tuple: a definition for each position. */
  readonly elements?: readonly ElementDefinition[]
  /** The member of a union whose value says which variant an object is of. */
  readonly discriminator?: string
  /** By value of the discriminator: the other members of a union. */
  readonly variants?: { readonly [value: string]: { readonly [name: string]: MemberDefinition } }
}

/** A member of an object: a value with a name of its own. */
export interface MemberDefinition
  extends ElementDefinition,
    Pick<AttributeDefinition, 'default' | 'generate' | 'map' | 'hidden' | 'readonly'> {}

/**
 * A value inside another: what an attribute can say about its type and content, without keys and
 * roles.
 */
export interface ElementDefinition extends Omit<AttributeDefinition, ElementExcluded> {}

type ElementExcluded =
  | 'value'
  | 'default'
  | 'generate'
  | 'onUpdate'
  | 'ttl'
  | 'version'
  | 'hidden'
  | 'readonly'
  | 'map'
  | 'pad'
  | 'encode'
  | 'unique'
  | 'copyOf'
  | 'counts'
  | 'sums'
  | 'start'
  | 'codec'
  | 'from'
  | 'compute'
  | 'stored'
  | 'set'
  | 'get'

/** The template of a key attribute, in short or in full. */
export type KeyDefinition =
  | string
  | {
      /** The type of what is stored, which is `String`. */
      readonly type: AttributeType
      /** The template, such as `USER#${username}`. */
      readonly value: string
    }

/** Attribute values an item must have to be in an index; a list means any of them. */
export interface WhenDefinition {
  readonly [attribute: string]: string | number | boolean | readonly (string | number | boolean)[]
}

/** Which items an attribute counts. */
export interface CountsDefinition {
  /** The model whose items are counted. */
  readonly model: string
  /**
   * By key attribute of the counting model: the attribute of the counted one that has its value;
   * the one of the same name unless said.
   */
  readonly by?: { readonly [keyAttribute: string]: string }
  /** Counts only items that have these values. */
  readonly when?: WhenDefinition
}

/** What an attribute adds up, and of which items. */
export interface SumsDefinition extends Pick<CountsDefinition, 'by' | 'when'> {
  /** Model and attribute: `'Line.amount'`. */
  readonly of: string
}

/** Which attribute is repeated, and of which item. */
export interface CopyOfDefinition {
  /** Model and attribute: `'User.name'`. */
  readonly from: string
  /**
   * By key attribute of that model: the attribute here that has its value; the one of the same name
   * unless said.
   */
  readonly by?: { readonly [keyAttribute: string]: string }
}

/**
 * The same fact under another key, with all attributes or some; written in the same transaction.
 */
export interface CopyDefinition {
  /**
   * The name of a list or set: there is a copy for each of its elements, added and removed with it.
   */
  readonly each?: string
  /**
   * What templates call the element; unless given, the one placeholder that is not an attribute of
   * the model.
   */
  readonly as?: string
  /** The key of the copy: a template for each attribute of the primary key. */
  readonly key: { readonly [keyAttribute: string]: KeyDefinition }
  /** Templates for the keys of the indexes that the copy is in. */
  readonly index?: { readonly [keyAttribute: string]: KeyDefinition }
  /**
   * What the copy has; all attributes unless said. Those that make its keys and the item's are
   * always there.
   */
  readonly attributes?: readonly string[]
  /** The copy exists only while these hold. */
  readonly when?: WhenDefinition
}

/** Attributes that no two items have the same values of. */
export type UniqueDefinition =
  | readonly string[]
  | {
      /** The attributes whose values are unique together. */
      readonly attributes: readonly string[]
      /** Whether values that differ in case alone are the same. */
      readonly ignoreCase?: boolean
    }

/**
 * Spreads a partition over several: `${shard}` in a template is a number made from the item itself.
 */
export interface ShardDefinition {
  /** How many shards there are. It can grow later, not shrink. */
  readonly count: number
  /** The attributes the number is made of; those of the primary key unless said. */
  readonly by?: readonly string[]
  /** The placeholder's name; `shard` unless said. */
  readonly name?: string
}

/** What is known about the items of a model; tools compute size and cost from it. */
export interface StatsDefinition {
  /** How many items of the model there are. */
  readonly count?: number
  /** The size of an average item. */
  readonly itemBytes?: number
  /** How many items share a partition key. */
  readonly perPartition?: {
    /** In an average partition. */
    readonly average?: number
    /** In the largest partition. */
    readonly max?: number
  }
  /** Whether a partition keeps growing. */
  readonly growth?: 'bounded' | 'unbounded'
}

export interface ModelDefinition {
  /**
   * The primary key: a template for each of its attributes, such as
   * `{ pk: 'USER#${username}', sk: 'POST#${postId}' }`.
   */
  readonly key: { readonly [keyAttribute: string]: KeyDefinition }
  /**
   * Templates for the keys of the indexes that the model is in. An item that lacks a value for one
   * of them is not in that index.
   */
  readonly index?: { readonly [keyAttribute: string]: KeyDefinition }
  /** What an item has, by name. */
  readonly attributes: { readonly [name: string]: AttributeDefinition }
  /** What is stored as the type of its items; the model's name unless said. */
  readonly type?: string
  /**
   * Models whose items can have the same primary keys, and are distinguished by their type: a key
   * belongs to one item of any of them.
   */
  readonly sharesKeyWith?: readonly string[]
  /** By index: the item is in it only while these hold. */
  readonly when?: { readonly [index: string]: WhenDefinition }
  /**
   * Indexes that have items although values of their keys are missing: such a key ends before the
   * first placeholder that has no value, as ElectroDB writes it.
   */
  readonly shortKeys?: readonly string[]
  /** By name: each can be read as an entity of its own. */
  readonly copies?: { readonly [name: string]: CopyDefinition }
  /** By name: several attributes that are unique together. */
  readonly unique?: { readonly [name: string]: UniqueDefinition }
  /** Spreads a busy partition key over several. */
  readonly shard?: ShardDefinition
  /** What is known of the number and size of its items; tools compute cost from it. */
  readonly stats?: StatsDefinition
}

export interface IndexDefinition {
  /** The attribute that is the partition key; of a global index up to four. */
  readonly hash: string | readonly string[]
  /** The attribute that is the sort key; of a global index up to four. */
  readonly sort?: string | readonly string[]
  /** `global` unless given. A local index has the partition key of the table. */
  readonly type?: 'global' | 'local'
  /**
   * What items have in the index: everything unless given, keys alone, or keys and these
   * attributes.
   */
  readonly project?: 'all' | 'keys' | readonly string[]
}

/** What can be read and written each second. */
export interface CapacityDefinition {
  /** Strongly consistent reads of up to 4 KB. */
  readonly readCapacityUnits: number
  /** Writes of up to 1 KB. */
  readonly writeCapacityUnits: number
}

/** What `table.create()` makes besides keys and indexes. */
export interface TableDefinition {
  /** On demand unless given, or provisioned with these capacities. */
  readonly billing?:
    | 'on-demand'
    | (CapacityDefinition & {
        /** By name of a global index: its own capacity. Others have as much as the table. */
        readonly indexes?: { readonly [index: string]: CapacityDefinition }
      })
  /** What the stream of the table shows of a changed item. There is no stream unless given. */
  readonly stream?: 'keys' | 'new' | 'old' | 'new-and-old'
  /** Whether DynamoDB refuses to delete the table. */
  readonly deletionProtection?: boolean
  /**
   * Of a table on demand: what is served each second at most, so that costs have a bound. There is
   * none unless given.
   */
  readonly onDemandThroughput?: {
    /** Strongly consistent reads of up to 4 KB. */
    readonly maxReadRequestUnits?: number
    /** Writes of up to 1 KB. */
    readonly maxWriteRequestUnits?: number
    /** By name of a global index: its own. The units above are those of the table alone. */
    readonly indexes?: {
      readonly [index: string]: {
        /** Reads of up to 4 KB, counted as strongly consistent ones. */
        readonly maxReadRequestUnits?: number
        /** Writes of up to 1 KB. */
        readonly maxWriteRequestUnits?: number
      }
    }
  }
  /**
   * What the table can serve each second at once, without growing to it first. It can be raised
   * later, not lowered.
   */
  readonly warmThroughput?: {
    /** Strongly consistent reads of up to 4 KB. */
    readonly readUnitsPerSecond?: number
    /** Writes of up to 1 KB. */
    readonly writeUnitsPerSecond?: number
    /** By name of a global index: its own. The units above are those of the table alone. */
    readonly indexes?: {
      readonly [index: string]: {
        /** Reads of up to 4 KB, counted as strongly consistent ones. */
        readonly readUnitsPerSecond?: number
        /** Writes of up to 1 KB. */
        readonly writeUnitsPerSecond?: number
      }
    }
  }
  /**
   * Whether the table can be restored to any second of the last 35 days, or of as many as are
   * given: 1 to 35.
   */
  readonly pointInTimeRecovery?:
    | boolean
    | {
        /** From 1 to 35. */
        readonly recoveryPeriodInDays: number
      }
  /**
   * The key that encrypts what is stored: one of DynamoDB's own unless given, that of your account
   * for DynamoDB, or yours, by its id, ARN or alias.
   */
  readonly encryption?:
    | 'aws-owned'
    | 'aws-managed'
    | {
        /** Its id, ARN or alias. */
        readonly kmsKey: string
      }
  /**
   * Other regions that have the same items, by their names: a global table. They need the stream
   * `new-and-old`, unless they are strongly consistent.
   */
  readonly replicas?: readonly string[]
  /**
   * Whether the regions have the same items some time after a write (`eventual`, unless given), or
   * as soon as it is answered: `strong`, which takes three regions, does not work with
   * transactions, and can only be chosen while the table is empty.
   */
  readonly multiRegionConsistency?: 'eventual' | 'strong'
  /** Of strong consistency with one replica: the third region, which has no items of its own. */
  readonly witness?: string
  /** `standard` unless given; the other class costs less for storage and more for requests. */
  readonly tableClass?: 'standard' | 'infrequent-access'
  /** Tags of the table, by name. */
  readonly tags?: { readonly [name: string]: string }
}

export interface ParamsDefinition {
  /** Keep `createdAt` and `updatedAt`. */
  readonly timestamps?: boolean
  /** Dates are stored as ISO strings (`true`, the default) or as epoch milliseconds (`false`). */
  readonly isoDates?: boolean
  /** The attribute that holds the model's name; `_type` unless said. */
  readonly typeField?: string
  /** Where migrations keep the version of an item; `_v` unless said. */
  readonly itemVersionField?: string
  /** What separates the parts of a key; `#` unless said. */
  readonly separator?: string
  /** Leaves key attributes and the type out of outputs; `true` unless said. */
  readonly cleanInternalKeys?: boolean
}

/** Why findings of a rule of `singletable check` are suppressed here. */
export interface LintDefinition {
  /** The reason. */
  readonly off: string
  /** The last day the reason holds, as `2027-06-01`; then the rule counts again. */
  readonly until?: string
  /**
   * The models, patterns, indexes or attributes (`Post.title`) it is about; everything unless said.
   */
  readonly at?: string | readonly string[]
}

export interface SchemaDefinition {
  /** The format of the schema, as other tools name it. */
  readonly format?: string
  /** The version of the schema, as you count it. */
  readonly version?: string
  /** The primary key of the table as `primary`, and its indexes by name. */
  readonly indexes: {
    /** The table's own key. */
    readonly primary: {
      /** The attribute that is the partition key. */
      readonly hash: string
      /** The attribute that is the sort key. */
      readonly sort?: string
    }
    readonly [index: string]: IndexDefinition
  }
  /** The kinds of items in the table, by name. */
  readonly models: { readonly [model: string]: ModelDefinition }
  /** Settings for all models. */
  readonly params?: ParamsDefinition
  /** Settings of the table in DynamoDB, for `table.create()` and for tools. */
  readonly table?: TableDefinition
  /** The questions the design answers, by name: callable as `table.patterns.<name>()`. */
  readonly patterns?: { readonly [name: string]: PatternDefinition }
  /**
   * By code of a rule, such as `H01`: findings that `singletable check` suppresses. Nothing else
   * reads it.
   */
  readonly lint?: { readonly [code: string]: LintDefinition }
}
