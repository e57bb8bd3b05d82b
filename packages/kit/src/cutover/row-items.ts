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
  /** Where the item is counted. */
  readonly counted: readonly CountedIn[]
  readonly where: string
}

/** A counter of a parent that an item is part of. */
export interface CountedIn {
  /** The key of the parent. */
  readonly parent: Item
  readonly attribute: string
  /** A decimal. */
  readonly by: string
}

/** Where an item is counted, of all that follows from it. */
export function countedIn(derived: ReturnType<typeof derivedOf>): readonly CountedIn[] {
  return derived.flatMap((each) =>
    each.kind === 'count' && each.by !== '0'
      ? [{ parent: each.key, attribute: each.attribute.stored, by: each.by }]
      : [],
  )
}

/**
 * The tables that a mapping copies. Refuses what streams can't follow: the record of a joined row
 * does not say which items of other rows it changes, and DynamoDB has no way to ask for them.
 */
export function copiedTables(
  definition: ImportDefinition,
): readonly Omit<CopiedTable, 'keyNames'>[] {
  const refuse = (what: string, fix: string): never => {
    throw new TransferError(what, { where: 'live copy, import mapping', fix })
  }
  for (const source of joinedSources(definition).keys()) {
    refuse(
      `Rows of "${source}" are joined, and a live copy can't follow their changes.`,
      'leave out the join: after the move, add the attribute with copyOf and fill it by a migration; or store it in the row itself, or use dualWrite',
    )
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
  /** The attributes that count, by the type of their items. */
  readonly #counters: ReadonlyMap<string, readonly string[]>

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
    this.#counters = countersOf(schema)
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
    const add = (item: Item, counted: readonly CountedIn[]): void => {
      const key = keyFromItem(this.#schema.primary, item)
      const text = keyText(key)
      if (items.has(text)) {
        throw new TransferError(`A row gives two items with the same key: ${text}.`, {
          where,
          fix: 'put what differs into the key',
        })
      }
      items.set(text, { key, item, counted, where })
    }
    const made = this.#mappers.get(source)!.map({ cells: cellsOf(row), where }, () => undefined)
    for (const { model, item, random } of made) {
      if (random.length > 0) {
        throw new TransferError(`"${random[0]}" of ${model.name} is made at random.`, {
          where,
          fix: `map "${random[0]}" to a column: a live copy makes an item whenever its row changes, and it must be the same`,
        })
      }
      const site = { tableName: this.#tableName, now: this.#startedAt }
      const derived = derivedOf(model, item, site)
      add(item, countedIn(derived))
      for (const each of derived) {
        if (each.kind !== 'count' && each.item) add(each.item, [])
      }
    }
    return items
  }

  /** The item without what other items decide: its counters. */
  own(item: Item): Item {
    const names = this.#counters.get(this.kindOf(item))
    if (names === undefined) return item
    return Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)))
  }

  /** What a comparison counts the item as: its type. */
  kindOf(item: Item): string {
    return getOwn(item, this.#schema.params.typeField)?.S ?? ''
  }
}

/** The stored names of the attributes that count other items, by the type of their items. */
function countersOf(schema: Schema): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, readonly string[]>()
  for (const { derivedItems } of schema.models.values()) {
    for (const { parent, attribute } of derivedItems?.counters ?? []) {
      names.set(parent.type, [...(names.get(parent.type) ?? []), attribute.stored])
    }
  }
  return names
}

export function keyText(key: Item): string {
  return JSON.stringify(Object.values(key).map(({ S, N, B }) => S ?? N ?? B))
}
