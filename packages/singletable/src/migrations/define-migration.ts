import type {
  AddAttribute,
  CheckAttribute,
  CountItems,
  CreateIndex,
  CustomStep,
  DeleteModel,
  DeriveAttribute,
  DerivedItems,
  DropIndex,
  IndexKeys,
  MergeModel,
  Migration,
  Rekey,
  RemoveAttribute,
  RenameAttribute,
  RenameModel,
  RetypeAttribute,
  SplitModel,
  Values,
} from './step.ts'

/**
 * A migration: the steps that take the items of one version of a schema to the next. Each step may
 * run several times on an item, and the second time changes nothing, so that a run can be
 * interrupted anywhere.
 */
export function defineMigration(migration: Migration): Migration {
  return Object.freeze({ steps: Object.freeze([...migration.steps]) })
}

/** What an attribute can hold; without functions, so that editors know what a function is given. */
export type PlainValue = string | number | bigint | boolean | null | object

/**
 * Gives items that lack an attribute a value: the same for all, computed from the others, or without
 * one what the schema gives new items, such as an id.
 */
export function addAttribute(
  model: string,
  attribute: string,
  value?: PlainValue | ((values: Values) => unknown),
): AddAttribute {
  return { kind: 'addAttribute', model, attribute, value }
}

/** Stores an attribute under another name. */
export function renameAttribute(model: string, from: string, to: string): RenameAttribute {
  return { kind: 'renameAttribute', model, from, to }
}

/**
 * Stores an attribute as another type. With `back` the step can be undone; with `isLossless` also,
 * values that `back` does not give again are reported and stay as they are.
 */
export function retypeAttribute(
  model: string,
  attribute: string,
  convert: RetypeAttribute['convert'],
  options: Pick<RetypeAttribute, 'back' | 'isConverted' | 'isLossless'> = {},
): RetypeAttribute {
  return { kind: 'retypeAttribute', model, attribute, convert, ...options }
}

/** Reports the items whose value of an attribute the newer schema refuses, and changes nothing. */
export function checkAttribute(model: string, attribute: string): CheckAttribute {
  return { kind: 'checkAttribute', model, attribute }
}

/**
 * Computes an attribute of every item from its others: by the function, or without one as the
 * schema says.
 */
export function deriveAttribute(
  model: string,
  attribute: string,
  value?: (values: Values) => unknown,
): DeriveAttribute {
  return { kind: 'deriveAttribute', model, attribute, value }
}

export function removeAttribute(model: string, attribute: string): RemoveAttribute {
  return { kind: 'removeAttribute', model, attribute }
}

/** Moves every item of a model to the primary key that its new templates give it. */
export function rekey(model: string): Rekey {
  return { kind: 'rekey', model }
}

/** Writes the index keys that the new schema gives the items of a model. */
export function indexKeys(model: string): IndexKeys {
  return { kind: 'indexKeys', model }
}

/**
 * Turns the items of one model into items of another. With the same name twice, they get the type
 * that their model has now.
 */
export function renameModel(model: string, to: string): RenameModel {
  return { kind: 'renameModel', model, to }
}

/**
 * Makes items of other models from parts of an item, which loses the attributes in `remove`. An
 * item that has none of those has been split already.
 */
export function splitModel(
  model: string,
  options: Pick<SplitModel, 'into' | 'make' | 'remove' | 'back'>,
): SplitModel {
  return { kind: 'splitModel', model, ...options }
}

/**
 * Puts the values of every item of a model into an item of another model, and deletes the item.
 * Both happen in one transaction, so that nothing is merged twice.
 *
 * @example
 * mergeModel('Address', {
 *   into: 'User',
 *   key: ({ userId }) => ({ userId }),
 *   merge: (user, { street, city }) => ({ ...user, street, city }),
 *   adds: ['street', 'city'],
 * })
 */
export function mergeModel(
  model: string,
  options: Pick<MergeModel, 'into' | 'key' | 'merge' | 'adds' | 'back'>,
): MergeModel {
  return { kind: 'mergeModel', model, ...options }
}

/** Deletes all items of a model. */
export function deleteModel(model: string): DeleteModel {
  return { kind: 'deleteModel', model }
}

/** Writes the copies and the guards of unique values that the items of a model lack. */
export function derivedItems(model: string): DerivedItems {
  return { kind: 'derivedItems', model }
}

/** Counts, for every item of a model, the items that one of its attributes counts. */
export function countItems(model: string, attribute: string): CountItems {
  return { kind: 'countItems', model, attribute }
}

/** Makes a global index, and waits until it has all items. */
export function createIndex(index: string): CreateIndex {
  return { kind: 'createIndex', index }
}

export function dropIndex(index: string): DropIndex {
  return { kind: 'dropIndex', index }
}

/**
 * What no other step does. The function gives what becomes of an item: its new values, `null` to
 * delete it, `undefined` to leave it. It must give the same for what it gave before.
 */
export function custom(
  model: string,
  change: CustomStep['change'],
  options: Pick<CustomStep, 'back'> = {},
): CustomStep {
  return { kind: 'custom', model, change, ...options }
}
