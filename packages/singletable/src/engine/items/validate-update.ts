import { updatedPaths } from '../../expression/evaluate/updated-attributes.ts'
import type { Path, Update } from '../../expression/tree.ts'
import { knownType, valuePaths } from '../../expression/update-value.ts'
import { type TypeTag, typeOf } from '../../values/attribute-value.ts'
import type { KeyAttribute, Table } from '../catalog/table.ts'
import { indexKeyTypeMismatch, keyUpdated } from '../messages/key-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import { validateKeyPaths } from './key-paths.ts'

/**
 * Refuses an update that no item could take: one that touches the primary key, gives an index key a
 * type it can't have, or reaches into a key attribute as if it were a document. What depends on the
 * item is checked when the update is applied.
 */
export function validateUpdate(table: Table, update: Update): void {
  const targets = updatedPaths(update)
  for (const key of table.keyNames) {
    if (targets.some(([name]) => name === key)) throw validationError(keyUpdated(key))
  }
  validateIndexKeyTypes(table, update)
  validateKeyPaths(table, targets)
  for (const { value } of update.set) {
    if (value.kind !== 'value') validateKeyPaths(table, valuePaths(value))
  }
}

function validateIndexKeyTypes(table: Table, update: Update): void {
  for (const index of table.secondary) {
    for (const attribute of index.keyAttributes) {
      const actual = typeGiven(attribute, update)
      if (actual === undefined || actual === attribute.type) continue
      const { name, type: expected } = attribute
      throw validationError(
        indexKeyTypeMismatch({ name, expected, actual, index: index.name ?? '' }),
      )
    }
  }
}

/** The type an attribute gets by SET or ADD, if that is known; DELETE only removes. */
function typeGiven({ name }: KeyAttribute, update: Update): TypeTag | undefined {
  const isTarget = ({ path }: { readonly path: Path }) => path.length === 1 && path[0] === name
  const set = update.set.find(isTarget)
  if (set !== undefined) return knownType(set.value)
  const add = update.add.find(isTarget)
  return add === undefined ? undefined : typeOf(add.value)
}
