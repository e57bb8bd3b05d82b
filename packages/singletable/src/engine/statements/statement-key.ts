import { allOf, partsOf } from '../../expression/build.ts'
import type { Condition } from '../../expression/tree.ts'
import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import { equalValues } from '../../values/compare.ts'
import { getOwn, setOwn } from '../../values/own.ts'
import type { Table } from '../catalog/table.ts'
import { validateKey } from '../items/item-keys.ts'
import {
  KEY_EQUALITY_MISSING,
  keyAttributeType,
  keyConditionRepeated,
} from '../messages/partiql-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import { equalityOf } from './key-equalities.ts'

/** The one item that a WHERE clause names, and what it asks of that item beyond its key. */
export interface StatementKey {
  readonly key: Item
  readonly rest: Condition | undefined
}

/** Finds the whole primary key among the equalities of a WHERE clause; refuses a clause that
 * doesn't fix it. */
export function requireStatementKey(table: Table, condition: Condition | undefined): StatementKey {
  const key: Record<string, AttributeValue> = {}
  const rest: Condition[] = []
  for (const part of partsOf('and', condition)) {
    const equality = equalityOf(part)
    if (equality === undefined || !table.keyNames.includes(equality.name)) {
      rest.push(part)
      continue
    }
    const known = getOwn(key, equality.name)
    if (known !== undefined && !equalValues(known, equality.value)) {
      throw validationError(keyConditionRepeated(equality.name))
    }
    setOwn(key, equality.name, equality.value)
  }
  for (const { name } of table.primary.keyAttributes) {
    if (getOwn(key, name) === undefined) throw validationError(KEY_EQUALITY_MISSING)
  }
  for (const { name, type } of table.primary.keyAttributes) {
    if (getOwn(key, name)?.[type] === undefined) throw validationError(keyAttributeType(name))
  }
  validateKey(table, key)
  return { key, rest: allOf(rest) }
}
