import {
  derivedOf,
  getOwn,
  type Item,
  keyFromItem,
  type Schema,
  systemEnvironment,
} from 'singletable/tools'
import type { ImportDefinition } from '../import/define-import.ts'
import { joinedSources, mapperOf, type RowMapper } from '../import/map-rows.ts'
import { cellsOf } from '../import/plain-json.ts'
import { rowName } from '../import/read-rows.ts'
import { TransferError } from '../transfer/transfer-error.ts'

/** A table that is copied. */
export interface CopiedTable {
  /** Its name in the mapping. */
  readonly source: string
  readonly table: string
  readonly keyNames: readonly string[]
}

/** An item of the new table that a row gives. */
export interface CopiedItem {
  readonly key: Item
  readonly item: Item
  readonly where: string
}

/**
 * The tables that a mapping copies. Refuses what streams can't follow: a change of a joined row
 * would change items of other rows, and a counter is changed by other rows.
 */
export function copiedTables(
  definition: ImportDefinition,
  schema: Schema,
): readonly Omit<CopiedTable, 'keyNames'>[] {
  const refuse = (what: string, fix: string): never => {
    throw new TransferError(what, { where: 'live copy, import mapping', fix })
  }
  for (const source of joinedSources(definition).keys()) {
    refuse(
      `Rows of "${source}" are joined, and a live copy can't follow their changes.`,
      'leave out the join: store what is needed in the row itself, or use dualWrite',
    )
  }
  for (const name of Object.keys(definition.emit)) {
    const [counter] = schema.models.get(name)?.derivedItems?.counters ?? []
    if (counter) {
      refuse(
        `${counter.parent.name}.${counter.attribute.name} counts ${name}, and a live copy does not count.`,
        'copy with a schema without this counter, and add it afterwards by a migration of countItems',
      )
    }
  }
  return Object.entries(definition.sources).map(([source, found]) =>
    found.kind === 'table'
      ? { source, table: found.table }
      : refuse(
          `The source "${source}" is not a DynamoDB table, so it has no stream.`,
          'use dynamodbTable(…), or move without a live copy: cutover advance, import run',
        ),
  )
}

/** Makes the items of rows: always the same ones for the same row. */
export class RowItems {
  readonly #schema: Schema
  readonly #tableName: string
  readonly #startedAt: number
  readonly #mappers: ReadonlyMap<string, RowMapper>

  constructor(options: {
    readonly definition: ImportDefinition
    readonly schema: Schema
    readonly tableName: string
    readonly startedAt: number
  }) {
    const { definition, schema, tableName, startedAt } = options
    this.#schema = schema
    this.#tableName = tableName
    this.#startedAt = startedAt
    const environment = { ...systemEnvironment, now: () => startedAt }
    this.#mappers = new Map(
      Object.keys(definition.sources).map((source) => [
        source,
        mapperOf(definition, schema, source, environment),
      ]),
    )
  }

  /** The items of a row and what follows from them, by their keys as text; none for no row. */
  of({ source, table, keyNames }: CopiedTable, row: Item | undefined): Map<string, CopiedItem> {
    const items = new Map<string, CopiedItem>()
    if (row === undefined) return items
    const where = rowName(table, keyNames, row)
    const add = (item: Item): void => {
      const key = keyFromItem(this.#schema.primary, item)
      const text = keyText(key)
      if (items.has(text)) {
        throw new TransferError(`A row gives two items with the same key: ${text}.`, {
          where,
          fix: 'put what differs into the key',
        })
      }
      items.set(text, { key, item, where })
    }
    const made = this.#mappers.get(source)!.map({ cells: cellsOf(row), where }, () => undefined)
    for (const { model, item, random } of made) {
      if (random.length > 0) {
        throw new TransferError(`"${random[0]}" of ${model.name} is made at random.`, {
          where,
          fix: `map "${random[0]}" to a column: a live copy makes an item whenever its row changes, and it must be the same`,
        })
      }
      add(item)
      const site = { tableName: this.#tableName, now: this.#startedAt }
      for (const each of derivedOf(model, item, site)) {
        if (each.kind !== 'count' && each.item) add(each.item)
      }
    }
    return items
  }

  /** What a comparison counts the item as: its type. */
  kindOf(item: Item): string {
    return getOwn(item, this.#schema.params.typeField)?.S ?? ''
  }
}

export function keyText(key: Item): string {
  return JSON.stringify(Object.values(key).map(({ S, N, B }) => S ?? N ?? B))
}
