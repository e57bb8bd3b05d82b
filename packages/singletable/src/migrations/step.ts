/** The decoded attributes of an item, by the names of its model. */
export type Values = Readonly<Record<string, unknown>>

interface OfModel {
  readonly model: string
}

/** Gives items that lack an attribute a value. What has one keeps it. */
export interface AddAttribute extends OfModel {
  readonly kind: 'addAttribute'
  readonly attribute: string
  readonly value: unknown | ((values: Values) => unknown)
}

/** Stores an attribute under another name. Where an item has both, the new one counts. */
export interface RenameAttribute extends OfModel {
  readonly kind: 'renameAttribute'
  readonly from: string
  readonly to: string
}

/** Stores an attribute as another type. */
export interface RetypeAttribute extends OfModel {
  readonly kind: 'retypeAttribute'
  readonly attribute: string
  readonly convert: (value: unknown, values: Values) => unknown
  /** The way back, for `migrate down`. */
  readonly back?: ((value: unknown, values: Values) => unknown) | undefined
  /** Whether a value is converted already. Needed only where both types are stored alike. */
  readonly isConverted?: ((value: unknown) => boolean) | undefined
}

/** Computes an attribute of each item from its others. */
export interface DeriveAttribute extends OfModel {
  readonly kind: 'deriveAttribute'
  readonly attribute: string
  readonly value: (values: Values) => unknown
}

export interface RemoveAttribute extends OfModel {
  readonly kind: 'removeAttribute'
  readonly attribute: string
}

/** Moves each item to the key that the new template gives it. */
export interface Rekey extends OfModel {
  readonly kind: 'rekey'
}

/** Writes the keys of indexes, or removes those of an index that is given up. */
export interface IndexKeys extends OfModel {
  readonly kind: 'indexKeys'
}

/** Turns the items of one model into items of another, with its keys and its type. */
export interface RenameModel {
  readonly kind: 'renameModel'
  readonly model: string
  readonly to: string
}

/** Makes items of other models from parts of an item, which may lose these parts. */
export interface SplitModel extends OfModel {
  readonly kind: 'splitModel'
  /** The names of the models that items are made of. */
  readonly into: readonly string[]
  readonly make: (values: Values) => readonly { readonly model: string; readonly values: Values }[]
  /** Attributes that the item loses. */
  readonly remove: readonly string[]
}

/** Deletes all items of a model. */
export interface DeleteModel extends OfModel {
  readonly kind: 'deleteModel'
}

/** Writes the copies and the guards of unique values that items lack. */
export interface DerivedItems extends OfModel {
  readonly kind: 'derivedItems'
}

/** Counts the items that a parent's attribute counts. */
export interface CountItems extends OfModel {
  readonly kind: 'countItems'
  readonly attribute: string
}

export interface CreateIndex {
  readonly kind: 'createIndex'
  readonly index: string
}

export interface DropIndex {
  readonly kind: 'dropIndex'
  readonly index: string
}

/** Code of the user's own. It yields what is to be written, and the runner writes it. */
export interface CustomStep extends OfModel {
  readonly kind: 'custom'
  /** What becomes of an item: its new values, `null` to delete it, or `undefined` to leave it as it is. */
  readonly change: (values: Values) => Values | null | undefined
  readonly back?: ((values: Values) => Values | null | undefined) | undefined
}

/** A step that changes items. */
export type ItemStep =
  | AddAttribute
  | RenameAttribute
  | RetypeAttribute
  | DeriveAttribute
  | RemoveAttribute
  | Rekey
  | IndexKeys
  | RenameModel
  | SplitModel
  | DeleteModel
  | DerivedItems
  | CountItems
  | CustomStep

/** A step that changes the table. */
export type IndexStep = CreateIndex | DropIndex

export type Step = ItemStep | IndexStep

export interface Migration {
  readonly steps: readonly Step[]
}
