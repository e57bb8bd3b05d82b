import { conditionPaths } from '../../expression/condition-paths.ts'
import type { Condition, Path } from '../../expression/tree.ts'
import type { Table } from '../catalog/table.ts'
import { keyNotScalar } from '../messages/key-messages.ts'
import { validationError } from '../messages/request-messages.ts'

/** A path may not reach into a key attribute of the table or of an index as if it were a
 * document. */
export function validateKeyPaths(table: Table, paths: readonly Path[]): void {
  for (const path of paths) if (path.length > 1) validatePath(table, path[0])
}

/** The same for the paths of a condition. */
export function validateConditionPaths(table: Table, condition: Condition | undefined): void {
  if (condition !== undefined) validateKeyPaths(table, conditionPaths(condition))
}

function validatePath(table: Table, name: string): void {
  if (table.keyNames.includes(name)) throw validationError(keyNotScalar(name, 'Key'))
  for (const index of table.secondary) {
    if (index.keyAttributes.some((attribute) => attribute.name === name)) {
      throw validationError(keyNotScalar(name, 'IndexKey'))
    }
  }
}
