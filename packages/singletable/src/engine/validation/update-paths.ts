import type { Path, Update } from '../../expression/tree.ts'
import type { Table } from '../catalog/table.ts'
import { keyNotScalar, keyUpdated } from '../messages/key-messages.ts'
import { validationError } from '../messages/request-messages.ts'

/** An update may not touch the primary key, nor reach into a key attribute as if it were a document. */
export function validateUpdatePaths(table: Table, update: Update): void {
  for (const { path } of update.set) validatePath(table, path)
  for (const path of update.remove) validatePath(table, path)
  for (const { path } of update.add) validatePath(table, path)
  for (const { path } of update.delete) validatePath(table, path)
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
