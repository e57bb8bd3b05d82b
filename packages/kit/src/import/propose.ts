import type { AttributeDefinition, SchemaDefinition } from 'singletable/tools'
import { TransferError } from '../transfer/transfer-error.ts'
import type { Analysis, AnalyzedTable } from './analyze.ts'
import { singular } from './analyze.ts'
import type { Question } from './questions.ts'
import type { Column, ForeignKey } from './row.ts'

/** A schema for what was analyzed. */
export interface Design {
  readonly name: 'collections' | 'copies' | 'partitions'
  readonly summary: string
  readonly definition: SchemaDefinition
  /** By model: its table, and the column of each attribute. */
  readonly columns: ReadonlyMap<
    string,
    { readonly table: string; readonly columns: Readonly<Record<string, string>> }
  >
  /** Questions that no index of it answers, each with the reason. */
  readonly unanswered: readonly string[]
}

const SUMMARIES = {
  collections: 'children are in the partition of their parent; an index finds them by their own id',
  copies: 'children are in the partition of their parent; a copy finds them by their own id',
  partitions: 'every item has a partition of its own; indexes list children',
} as const

/** The designs that are compared. */
export function proposeDesigns(
  analysis: Analysis,
  questions: readonly Question[],
): readonly Design[] {
  for (const { name, primaryKey } of analysis.tables) {
    if (primaryKey.length > 0) continue
    const id = `${singular(name)}_id`
    throw new TransferError(`The key of "${name}" is unknown: no column is called id or ${id}.`, {
      where: `source "${name}"`,
      fix: 'rename the column that identifies a row, leave the source out, or write the schema and the mapping yourself',
    })
  }
  const names = ['collections', 'copies', 'partitions'] as const
  return names.map((name) => propose(name, analysis, questions))
}

interface ModelDraft {
  readonly key: { pk: string; sk: string }
  readonly index: { [name: string]: string }
  readonly attributes: { [name: string]: AttributeDefinition }
  copies?: { [name: string]: { key: { pk: string; sk: string } } }
  stats?: { items: number; bytes: number }
}

function propose(
  name: Design['name'],
  { tables }: Analysis,
  questions: readonly Question[],
): Design {
  const models: { [name: string]: ModelDraft } = {}
  const patterns: { [name: string]: object } = {}
  const columns = new Map<string, { table: string; columns: Record<string, string> }>()
  const unanswered: string[] = []
  let indexes = 0
  let isInverted = false
  for (const table of tables) {
    const model = modelName(table.name)
    const attributeOf = (column: string): string => attributeName(table, column)
    const own = Object.fromEntries(
      table.columns.map((column) => [attributeOf(column.name), column.name]),
    )
    columns.set(model, { table: table.name, columns: own })
    const parent = table.isJoin ? undefined : chooseParent(table, tables)
    const ids = table.primaryKey.map((column) => `\${${attributeOf(column)}}`).join('#')
    const label = upper(model)
    const self = `${label}#${ids}`
    const parentKey = (key: ForeignKey): string =>
      `${upper(modelName(key.table))}#${key.columns.map((column) => `\${${attributeOf(column)}}`).join('#')}`
    const draft: ModelDraft = {
      key: { pk: self, sk: label },
      index: {},
      attributes: Object.fromEntries(
        table.columns.map((column) => [attributeOf(column.name), attributeFor(table, column)]),
      ),
      ...(table.rows > 0 && {
        stats: { items: table.rows, bytes: Math.ceil(table.bytes / table.rows) + 60 },
      }),
    }
    models[model] = draft
    let used = 0
    const indexed = (hash: string, sort: string): string => {
      used++
      indexes = Math.max(indexes, used)
      draft.index[`gsi${used}pk`] = hash
      draft.index[`gsi${used}sk`] = sort
      return `GSI${used}`
    }
    // How each question finds the items: by attributes, and in which index.
    const ways = new Map<string, string | undefined>()
    if (table.isJoin) {
      const [left, right] = table.foreignKeys as [ForeignKey, ForeignKey]
      draft.key.pk = parentKey(left)
      draft.key.sk = `${label}#${parentKey(right)}`
      isInverted = true
      ways.set(wayOf(left.columns.map(attributeOf)), undefined)
      ways.set(wayOf(right.columns.map(attributeOf)), 'inverted')
      ways.set(wayOf(table.primaryKey.map(attributeOf)), undefined)
    } else if (parent && name !== 'partitions') {
      draft.key.pk = parentKey(parent)
      draft.key.sk = self
      ways.set(wayOf(parent.columns.map(attributeOf)), undefined)
      const id = wayOf(table.primaryKey.map(attributeOf))
      if (name === 'copies') {
        // With the parent in it, two items never have the same copy.
        draft.copies = {
          [`${model}ById`]: { key: { pk: self, sk: `${label}#${parentKey(parent)}` } },
        }
        ways.set(id, undefined)
      } else ways.set(id, indexed(self, label))
    } else ways.set(wayOf(table.primaryKey.map(attributeOf)), undefined)
    const others = table.foreignKeys.filter((key) => key !== parent || name === 'partitions')
    for (const key of table.isJoin ? [] : others) {
      const by = key.columns.map(attributeOf)
      const isAsked = questions.some(
        (each) => each.table === table.name && wayOf(each.columns.map(attributeOf)) === wayOf(by),
      )
      if (isAsked || questions.length === 0 || name === 'partitions')
        ways.set(wayOf(by), indexed(parentKey(key), self))
    }
    const asked: readonly Question[] =
      questions.length > 0
        ? questions.filter((each) => each.table === table.name)
        : [...ways.keys()].map((way) => ({
            name: '',
            table: table.name,
            columns: way.split(',').map((each) => own[each] ?? each),
            rps: 1,
            isNewestFirst: false,
          }))
    for (const question of asked) {
      const by = question.columns.map(attributeOf)
      const way = wayOf(by)
      const isUnique = wayOf(table.primaryKey.map(attributeOf)) === way
      if (!ways.has(way)) {
        if (by.length === 0) {
          unanswered.push(
            `${question.name || model}: it asks for all rows of ${table.name}; use export, or a scan`,
          )
          continue
        }
        ways.set(
          way,
          indexed(`${label}#${by.map((each) => `${upper(each)}#\${${each}}`).join('#')}`, self),
        )
      }
      const index = ways.get(way)
      const isCopy = name === 'copies' && isUnique && parent !== undefined && !table.isJoin
      const fan = table.fanOut.find(({ key }) => wayOf(key.columns.map(attributeOf)) === way)
      const op = isUnique && index === undefined && !isCopy ? 'get' : 'query'
      patterns[
        camel(question.name || `${isUnique ? model : `${table.name}_by_${by.join('_and_')}`}`)
      ] = {
        op,
        entity: isCopy ? `${model}ById` : model,
        ...(index && { index }),
        by,
        ...(question.isNewestFirst && op === 'query' && { order: 'desc' }),
        expect: {
          rps: question.rps,
          ...(op === 'query' && {
            itemsRead: isUnique ? 1 : Math.max(1, Math.round(fan?.average ?? 10)),
          }),
        },
      }
    }
  }
  const definition = {
    indexes: {
      primary: { hash: 'pk', sort: 'sk' },
      ...(isInverted && { inverted: { hash: 'sk', sort: 'pk' } }),
      ...Object.fromEntries(
        Array.from({ length: indexes }, (_, at) => [
          `GSI${at + 1}`,
          { hash: `gsi${at + 1}pk`, sort: `gsi${at + 1}sk` },
        ]),
      ),
    },
    models: Object.fromEntries(
      Object.entries(models).map(([model, { index, ...rest }]) => [
        model,
        { ...rest, ...(Object.keys(index).length > 0 && { index }) },
      ]),
    ),
    patterns,
  } as unknown as SchemaDefinition
  return { name, summary: SUMMARIES[name], definition, columns, unanswered }
}

/** The parent whose partition the rows go into: the one with the most children each, not itself. */
function chooseParent(
  table: AnalyzedTable,
  tables: readonly AnalyzedTable[],
): ForeignKey | undefined {
  const candidates = table.foreignKeys.filter(
    (key) =>
      key.table !== table.name &&
      tables.some(({ name }) => name === key.table) &&
      // Items without a parent have no place in its partition.
      key.columns.every((name) => table.columns.find((column) => column.name === name)?.isRequired),
  )
  const isOwned = (key: ForeignKey): boolean =>
    table.primaryKey.some((name) => key.columns.includes(name)) ||
    table.name.startsWith(singular(key.table))
  return candidates.find(isOwned) ?? candidates[0]
}

/** `id` of users is `userId`, and so is what refers to it. */
function attributeName(table: AnalyzedTable, column: string): string {
  const isOwnId = column === 'id' && table.primaryKey.length === 1 && table.primaryKey[0] === 'id'
  return camel(isOwnId ? `${singular(table.name)}_id` : column)
}

function attributeFor(
  table: AnalyzedTable,
  { name, kind, isRequired, values }: Column,
): AttributeDefinition {
  const isKey =
    table.primaryKey.includes(name) ||
    table.foreignKeys.some(({ columns }) => columns.includes(name))
  const isUnique =
    table.unique.some((columns) => columns.length === 1 && columns[0] === name) && !isKey
  const types = {
    text: String,
    integer: Number,
    bigint: BigInt,
    decimal: 'decimal',
    float: Number,
    boolean: Boolean,
    time: Date,
    binary: Uint8Array,
    json: 'any',
    list: Array,
  } as const
  return {
    // Ids are compared and never added, and strings need no padding in keys.
    type: isKey ? String : types[kind],
    ...(kind === 'list' && !isKey && { items: { type: String } }),
    ...((isRequired || table.primaryKey.includes(name)) && { required: true }),
    ...(values && !isKey && { enum: values }),
    ...(isUnique && { unique: true }),
  } as AttributeDefinition
}

function wayOf(attributes: readonly string[]): string {
  return [...attributes].sort().join(',')
}

export function modelName(table: string): string {
  const words = singular(table)
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
  return words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
}

function upper(model: string): string {
  return model.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()
}

function camel(name: string): string {
  const [first = '', ...rest] = name.split(/[^A-Za-z0-9]+/).filter(Boolean)
  return (
    first[0]?.toLowerCase() +
    first.slice(1) +
    rest.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
  )
}
