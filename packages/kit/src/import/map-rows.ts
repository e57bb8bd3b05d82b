import {
  didYouMean,
  type Environment,
  InputError,
  ITEM_SIZE_MAX_BYTES,
  type Item,
  itemSizeBytes,
  type Model,
  type Schema,
} from 'singletable/tools'
import { TransferError } from '../transfer/transfer-error.ts'
import type { Computed, Emit, ImportDefinition } from './define-import.ts'
import { CellProblem, readCell } from './read-cell.ts'
import type { Cell, Row } from './row.ts'

/** An item that a row gives. */
export interface MappedItem {
  readonly model: Model
  readonly item: Item
  /** The row and the model. */
  readonly where: string
  /** The stored names of what comes from the source; the rest is generated. */
  readonly mapped: ReadonlySet<string>
  /** Attributes that are made at random. */
  readonly random: readonly string[]
}

/** Finds rows of other sources by their key. */
export type Lookup = (source: string, key: string) => Readonly<Record<string, Cell>> | undefined

/** Makes items of the rows of one source. */
export interface RowMapper {
  map(row: Row, lookup: Lookup): readonly MappedItem[]
}

/** The sources whose rows others join, with the column of their key. */
export function joinedSources({ emit }: ImportDefinition): ReadonlyMap<string, string> {
  const joined = new Map<string, string>()
  for (const each of Object.values(emit).flat()) {
    for (const [source, join] of Object.entries(each.join ?? {})) {
      joined.set(source, typeof join === 'string' ? 'id' : join.key)
    }
  }
  return joined
}

/** Checks the mapping of a source, and gives what makes items of its rows. */
export function mapperOf(
  definition: ImportDefinition,
  schema: Schema,
  source: string,
  environment: Environment,
): RowMapper {
  const emits = Object.entries(definition.emit).flatMap(([name, list]) =>
    list
      .filter(({ from }) => from === source)
      .map((emit) => ({ model: requireModel(schema, name), emit })),
  )
  const known = new Set(usedColumns(definition, source))
  const isLoose = ['json', 'export', 'table'].includes(definition.sources[source]?.kind ?? '')
  const needed = isLoose ? [] : emits.flatMap(({ emit }) => ownColumns(emit))
  for (const { model, emit } of emits) requireAttributes(model, emit)

  return {
    map(row, lookup) {
      for (const name of Object.keys(row.cells)) {
        if (!known.has(name)) throw unmapped(source, name, row.where)
      }
      for (const name of needed) {
        if (!Object.hasOwn(row.cells, name)) throw noColumn(name, row)
      }
      return emits.flatMap(({ model, emit }) => {
        const cells = withJoins(row, emit, lookup)
        const where = `${row.where} (${model.name})`
        if (emit.where && !call(emit.where, cells, where, 'where')) return []
        return [encode(model, emit, cells, where)]
      })
    },
  }

  function encode(
    model: Model,
    emit: Emit,
    cells: Readonly<Record<string, Cell>>,
    where: string,
  ): MappedItem {
    const input: Record<string, unknown> = {}
    const mapped = new Set<string>([schema.params.typeField, ...schema.keyTypes.keys()])
    for (const [name, from] of Object.entries(emit.set)) {
      const attribute = model.attributes.get(name)!
      mapped.add(attribute.stored)
      let value: unknown
      if (typeof from === 'string') {
        try {
          value = readCell(cells[from] ?? null, attribute.definition)
        } catch (error) {
          if (!(error instanceof CellProblem)) throw error
          throw new TransferError(`${error.message}.`, {
            where: `${where}, column "${from}"`,
            fix: `correct the row, or map "${name}" with columns(['${from}'], …)`,
          })
        }
      } else if (from) value = call(from, cells, where, name)
      if (value !== undefined) input[name] = value
    }
    try {
      const { item, fresh } = model.encodeNew(input, environment, where)
      const random = fresh.find(
        (name) => schema.keyTypes.has(name) || model.primary.names.includes(name),
      )
      if (random !== undefined) {
        throw new TransferError(`"${random}" is in the key, and is made at random.`, {
          where,
          fix: `map "${random}" to a column, so that a second run gives the same items`,
        })
      }
      requireSize(item, where)
      return { model, item, where, mapped, random: fresh }
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      throw new TransferError(error.what, {
        where,
        // What the library says is for those who have called it.
        fix:
          error.issues.length > 0
            ? 'correct the row, or the mapping'
            : (error.fix ?? 'correct the row'),
        cause: error,
      })
    }
  }
}

/** Files are not checked later: an import from S3 leaves such items out. */
function requireSize(item: Item, where: string): void {
  const bytes = itemSizeBytes(item)
  if (bytes <= ITEM_SIZE_MAX_BYTES) return
  throw new TransferError(`The item has ${bytes} bytes; DynamoDB takes ${ITEM_SIZE_MAX_BYTES}.`, {
    where,
    fix: 'leave out what is large, or keep it elsewhere and map where it is',
  })
}

function withJoins(row: Row, { join = {} }: Emit, lookup: Lookup): Readonly<Record<string, Cell>> {
  const cells: Record<string, Cell> = { ...row.cells }
  for (const [source, how] of Object.entries(join)) {
    const key = row.cells[typeof how === 'string' ? how : how.on] ?? null
    const found = key === null ? undefined : lookup(source, String(key))
    if (key !== null && found === undefined) {
      throw new TransferError(`"${source}" has no row "${String(key)}".`, {
        where: row.where,
        fix: 'add the row, or remove this one',
      })
    }
    for (const [name, cell] of Object.entries(found ?? {})) cells[`${source}.${name}`] = cell
  }
  return cells
}

function call(
  { columns, make }: Computed,
  cells: Readonly<Record<string, Cell>>,
  where: string,
  name: string,
): unknown {
  try {
    // The types of defineImport say what the function takes.
    return make(...(columns.map((column) => cells[column] ?? null) as never[]))
  } catch (cause) {
    throw new TransferError(
      `"${name}": ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        where,
        fix: 'correct the row, or the function of the mapping',
        cause,
      },
    )
  }
}

/** The columns of the source itself that an emit needs. */
function ownColumns({ set, where, join = {} }: Emit): readonly string[] {
  const named = Object.values(set).flatMap((from) =>
    typeof from === 'string' ? [from] : (from?.columns ?? []),
  )
  const joined = Object.values(join).map((how) => (typeof how === 'string' ? how : how.on))
  const isJoined = (name: string): boolean =>
    Object.keys(join).some((source) => name.startsWith(`${source}.`))
  return [...named, ...(where?.columns ?? []), ...joined].filter((name) => !isJoined(name))
}

/** All columns of a source that the mapping names, also through joins and drops. */
export function usedColumns({ emit, drop }: ImportDefinition, source: string): readonly string[] {
  const prefix = `${source}.`
  const inside = (names: readonly string[]): readonly string[] =>
    names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
  return Object.values(emit)
    .flat()
    .flatMap((each) => {
      const how = each.join?.[source]
      const key = how === undefined ? [] : [typeof how === 'string' ? 'id' : how.key]
      const named = Object.values(each.set).flatMap((from) =>
        typeof from === 'string' ? [from] : (from?.columns ?? []),
      )
      return [...(each.from === source ? ownColumns(each) : []), ...inside(named), ...key]
    })
    .concat(inside(Object.keys(drop)))
}

function requireModel(schema: Schema, name: string): Model {
  const model = schema.models.get(name)
  if (model && !model.source) return model
  throw new TransferError(
    model
      ? `"${name}" is a copy, which is written with its model.`
      : `"${name}" is not a model${didYouMean(name, schema.models.keys())}.`,
    { where: 'import mapping, emit', fix: 'name a model of the schema' },
  )
}

function requireAttributes(model: Model, { set, from }: Emit): void {
  for (const name of Object.keys(set)) {
    if (model.attributes.has(name)) continue
    throw new TransferError(
      `"${name}" is not an attribute of ${model.name}${didYouMean(name, model.attributes.keys())}.`,
      {
        where: `import mapping, emit.${model.name} from "${from}"`,
        fix: 'name an attribute of the model',
      },
    )
  }
}

function unmapped(source: string, name: string, where: string): TransferError {
  return new TransferError(`The column "${source}.${name}" is not mapped.`, {
    where,
    fix: `use it in emit, or say why it is left out: drop: { '${source}.${name}': 'the reason' }`,
  })
}

function noColumn(name: string, { cells, where }: Row): TransferError {
  return new TransferError(`There is no column "${name}"${didYouMean(name, Object.keys(cells))}.`, {
    where,
    fix: `name one of ${Object.keys(cells).join(', ')}`,
  })
}
