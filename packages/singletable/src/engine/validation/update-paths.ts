import type { Path, Update, UpdateValue } from '../../expression/tree.ts'
import type { Table } from '../catalog/table.ts'
import { keyNotScalar, keyUpdated } from '../messages/key-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import { validateKeyPaths } from './key-paths.ts'

/** An update may not touch the primary key, nor reach into a key attribute as if it were a document. */
export function validateUpdatePaths(table: Table, update: Update): void {
  for (const { path, value } of update.set) {
    validatePath(table, path)
    validateValuePaths(table, value)
  }
  for (const path of update.remove) validatePath(table, path)
  for (const { path } of update.add) validatePath(table, path)
  for (const { path } of update.delete) validatePath(table, path)
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

function validatePath(table: Table, path: Path): void {
  const [name] = path
  if (table.keyNames.includes(name)) {
    throw validationError(path.length > 1 ? keyNotScalar(name, 'Key') : keyUpdated(name))
  }
  if (path.length === 1) return
  for (const index of table.secondary) {
    for (const attributes of [index.partition, index.sort]) {
      if (attributes.some((attribute) => attribute.name === name)) {
        throw validationError(keyNotScalar(name, 'IndexKey'))
      }
    }
  }
}
