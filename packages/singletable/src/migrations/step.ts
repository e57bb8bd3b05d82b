/** The decoded attributes of an item, by the names of its model. */
export type Values = Readonly<Record<string, unknown>>

interface OfModel {
  readonly model: string
}

/** Gives items that lack an attribute a value. What has one keeps it. */
export interface AddAttribute extends OfModel {
  readonly kind: 'addAttribute'
  readonly attribute: string
  /** What new items get from the schema, unless given. */
  readonly value?: unknown | ((values: Values) => unknown)
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
  /** Reports an item, and leaves it, if `back` does not give its value again. */
  readonly isLossless?: boolean | undefined
}

/** Reports the items whose value the newer schema refuses. */
export interface CheckAttribute extends OfModel {
  readonly kind: 'checkAttribute'
  readonly attribute: string
}

/** Computes an attribute of each item from its others. */
export interface DeriveAttribute extends OfModel {
  readonly kind: 'deriveAttribute'
  readonly attribute: string
  /** What the schema says, unless given. */
  readonly value?: ((values: Values) => unknown) | undefined
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
  /** The way back, for `migrate down`: how an item that was split off becomes a part again. */
  readonly back?: Pick<MergeModel, 'key' | 'merge'> | undefined
}

/** Puts the values of each item into an item of another model, and deletes it. */
export interface MergeModel extends OfModel {
  readonly kind: 'mergeModel'
  /** The model of the items that get the values. */
  readonly into: string
  /** The key of the item that gets the values. */
  readonly key: (part: Values) => Values
  /** What that item has afterwards: its values, and those of the part. */
  readonly merge: (values: Values, part: Values) => Values
  /** Attributes that only hold what was merged, and that `migrate down` removes. */
  readonly adds: readonly string[]
  /** The way back, for `migrate down`: the items that are made of a merged one. */
  readonly back?: SplitModel['make'] | undefined
}

/** Gives back what a step took away, from the undo log. `migrate down` makes it. */
export interface Restore extends OfModel {
  readonly kind: 'restore'
  /** The step that is undone. */
  readonly step: ItemStep
  /** The steps that were taken before it, in the same pass over the table. */
  readonly earlier: readonly ItemStep[]
  /** Which part of the log it needs: how many steps on indexes came before. */
  readonly stage: number
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
  /**
   * What becomes of an item: its new values, `null` to delete it, or `undefined` to leave it as it
   * is.
   */
  readonly change: (values: Values) => Values | null | undefined
  readonly back?: ((values: Values) => Values | null | undefined) | undefined
}

/** A step that changes items. */
export type ItemStep =
  | AddAttribute
  | RenameAttribute
  | RetypeAttribute
  | CheckAttribute
  | DeriveAttribute
  | RemoveAttribute
  | Rekey
  | IndexKeys
  | RenameModel
  | SplitModel
  | MergeModel
  | DeleteModel
  | DerivedItems
  | CountItems
  | CustomStep
  | Restore

/** A step that changes the table. */
export type IndexStep = CreateIndex | DropIndex

export type Step = ItemStep | IndexStep

export interface Migration {
  readonly steps: readonly Step[]
}
