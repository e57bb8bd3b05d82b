import { updatedPaths } from '../../expression/evaluate/updated-attributes.ts'
import type { Path, Update, UpdateValue } from '../../expression/tree.ts'
import { knownType } from '../../expression/update-value.ts'
import { type TypeTag, typeOf } from '../../values/attribute-value.ts'
import type { KeyAttribute, Table } from '../catalog/table.ts'
import { indexKeyTypeMismatch, keyUpdated } from '../messages/key-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import { validateKeyPaths } from './key-paths.ts'

/**
 * Refuses an update that no item could take: one that touches the primary key, gives an index key a type it can't have, or reaches into
 * a key attribute as if it were a document. What depends on the item is checked when the update is applied.
 */
export function validateUpdate(table: Table, update: Update): void {
  const targets = updatedPaths(update)
  for (const key of table.keyNames) {
    if (targets.some(([name]) => name === key)) throw validationError(keyUpdated(key))
  }
  validateIndexKeyTypes(table, update)
  validateKeyPaths(table, targets)
  for (const { value } of update.set) validateValuePaths(table, value)
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

/** The type an attribute gets by SET or ADD, if that can be told; DELETE only takes away. */
function typeGiven({ name }: KeyAttribute, update: Update): TypeTag | undefined {
  const isTarget = ({ path }: { readonly path: Path }) => path.length === 1 && path[0] === name
  const set = update.set.find(isTarget)
  if (set !== undefined) return knownType(set.value)
  const add = update.add.find(isTarget)
  return add === undefined ? undefined : typeOf(add.value)
}

/** Iterative, since values may be nested as deep as the expression is long. */
function validateValuePaths(table: Table, value: UpdateValue): void {
  if (value.kind === 'value') return
  const paths: Path[] = []
  const open: UpdateValue[] = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind === 'path') paths.push(next.path)
    else if (next.kind === 'if_not_exists') {
      paths.push(next.path)
      open.push(next.otherwise)
    } else if (next.kind !== 'value') open.push(next.right, next.left)
  }
  validateKeyPaths(table, paths)
}
