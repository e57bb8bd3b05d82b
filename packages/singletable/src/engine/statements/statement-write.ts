import type { Condition } from '../../expression/tree.ts'
import type { Item } from '../../values/attribute-value.ts'
import { getOwn } from '../../values/own.ts'
import type { Table } from '../catalog/table.ts'
import { primaryKey } from '../indexes/entry-key.ts'
import { validateItemKeys } from '../items/item-keys.ts'
import { validateUpdate } from '../items/validate-update.ts'
import { keyAttributeMissing, keyAttributeType } from '../messages/partiql-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import { StoredItem } from '../storage/stored-item.ts'
import type { ItemWrite } from '../write/write.ts'
import { writeTo } from '../write/write-to.ts'
import type { BoundWrite } from './bind-statement.ts'
import { requireStatementKey } from './statement-key.ts'

/** The write that an INSERT, UPDATE, DELETE or EXISTS stands for, checked against its table. */
export function statementWrite(table: Table, statement: BoundWrite): ItemWrite {
  if (statement.kind === 'insert') {
    const { item, sizeBytes, returnOldOnFailure } = statement
    const action = { kind: 'put', stored: new StoredItem(item, sizeBytes) } as const
    const draft = { keyed: item, action, mustBeNew: true, returnOldOnFailure }
    return writeTo(table, draft, validateInsertedKeys)
  }
  const { key, rest } = requireStatementKey(table, statement.condition)
  if (statement.kind === 'update') validateUpdate(table, statement.update)
  return {
    table,
    keyed: key,
    storageKey: primaryKey(table, key),
    action:
      statement.kind === 'update'
        ? { kind: 'update', update: statement.update }
        : { kind: statement.kind === 'delete' ? 'delete' : 'check' },
    condition: itemCondition(table, statement.kind, rest),
    returnOldOnFailure: statement.returnOldOnFailure,
  }
}

/** An UPDATE or EXISTS needs an item; a DELETE is content without one, whatever else its WHERE
 * clause asks. */
function itemCondition(
  table: Table,
  kind: 'update' | 'delete' | 'exists',
  rest: Condition | undefined,
): Condition | undefined {
  const { name } = table.primary.partition[0]!
  const there: Condition = { kind: 'exists', path: [name], negated: kind === 'delete' }
  if (rest === undefined) return kind === 'delete' ? undefined : there
  return { kind: kind === 'delete' ? 'or' : 'and', left: rest, right: there }
}

/** PartiQL has its own messages for key attributes that are missing or of the wrong type. */
function validateInsertedKeys(table: Table, item: Item): void {
  for (const { name, type } of table.primary.keyAttributes) {
    const value = getOwn(item, name)
    if (value === undefined) throw validationError(keyAttributeMissing(name))
    if (value[type] === undefined) throw validationError(keyAttributeType(name))
  }
  validateItemKeys(table, item)
}
