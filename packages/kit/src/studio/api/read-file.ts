import { type Attribute, keyAttributes, type Model } from 'singletable/tools'
import { describeRows } from '../../import/analyze.ts'
import { proposeColumns } from '../../import/propose-columns.ts'
import { readCsv, readJson } from '../../import/read-rows.ts'
import type { Cell, Row } from '../../import/row.ts'
import { readWorkbench } from '../../infra/import-workbench.ts'
import { isItem, jsonLines } from '../../transfer/json-lines.ts'
import type { FileView, WorkbenchView } from './contract.ts'
import { keptAttributes } from './print-fixture.ts'
import type { FilePart } from './read-body.ts'
import type { StudioSource } from './studio-source.ts'

const EXAMPLES_MAX = 3
const EXAMPLE_CHARACTERS_MAX = 60

/** The rows of a part of a file, as `singletable import` reads them. */
export function rowsOf({ format, name, text, line }: FilePart): AsyncIterable<Row> {
  return (format === 'csv' ? readCsv : readJson)(chunksOf(text), name, line)
}

export async function* chunksOf(text: string): AsyncGenerator<string, void, undefined> {
  yield text
}

/**
 * What a file looks like by its beginning: items of this table, which need nothing, or rows whose
 * columns are attributes of an entity.
 */
export async function readFileView(source: StudioSource, part: FilePart): Promise<FileView> {
  const rows: Row[] = []
  for await (const row of rowsOf(part)) rows.push(row)
  const names = [...new Set(rows.flatMap(({ cells }) => Object.keys(cells)))]
  const keys = keyAttributes(source.schema.primary)
  const hasKeys = keys.every((name) => rows[0] && Object.hasOwn(rows[0].cells, name))
  if (hasKeys && (part.format === 'csv' || isStored(part.text))) {
    return { kind: 'items', columns: [], proposals: [] }
  }
  const sourceName = sourceNameOf(part.name)
  const { columns } = describeRows(sourceName, rows)
  const models = [...source.schema.models.values()].filter((model) => model.source === undefined)
  return {
    kind: 'rows',
    columns: names.map((name) => ({
      name,
      type: columns.find((each) => each.name === name)?.kind ?? 'text',
      examples: examplesOf(rows.map(({ cells }) => cells[name] ?? null)),
    })),
    proposals: proposeColumns(models, sourceName, names, (model, attribute) =>
      isGiven(source, model, attribute),
    ).map(({ model, columns }) => ({
      entity: model.name,
      attributes: [...model.attributes.values()].flatMap((each) =>
        isGiven(source, model, each) ? each.name : [],
      ),
      columns,
    })),
  }
}

/** Whether a column may be the attribute: the library keeps the others by itself. */
export function isGiven(source: StudioSource, model: Model, { name }: Attribute): boolean {
  return !keptAttributes(source, model).has(name) || name === model.createdAt?.name
}

/** `exports/users.csv.gz` has rows of `users`. */
export function sourceNameOf(file: string): string {
  return file.replace(/^.*[/\\]/, '').replace(/\..*$/, '') || 'rows'
}

/** Whether the first line is an item as `singletable export` prints it. */
function isStored(text: string): boolean {
  try {
    const [line = ''] = text.trimStart().split('\n', 1)
    const { Item: item } = Object(JSON.parse(line)) as { readonly Item?: unknown }
    return isItem(item)
  } catch {
    return false
  }
}

function examplesOf(cells: readonly Cell[]): readonly string[] {
  const shown = cells.flatMap((cell) => (cell === null ? [] : textOf(cell)))
  return [...new Set(shown)].slice(0, EXAMPLES_MAX)
}

function textOf(cell: Exclude<Cell, null>): string {
  const text =
    cell instanceof Uint8Array
      ? Buffer.from(cell).toString('base64')
      : typeof cell === 'object'
        ? JSON.stringify(cell)
        : String(cell)
  return text.length > EXAMPLE_CHARACTERS_MAX ? `${text.slice(0, EXAMPLE_CHARACTERS_MAX)}…` : text
}

/** The tables of a model of NoSQL Workbench, with their sample data as a file of items. */
export function readModel(
  { schema }: StudioSource,
  { name, model }: { readonly name: string; readonly model: unknown },
): { readonly tables: readonly WorkbenchView[] } {
  const own = keyAttributes(schema.primary)
  const tables = readWorkbench(model, name).map(({ items, ...rest }) => ({
    ...rest,
    isSameKey: rest.keys.join('\n') === own.join('\n'),
    items: items.length,
    lines: items.map((item) => jsonLines.print(item)).join(''),
  }))
  return { tables: tables.sort((a, b) => Number(b.isSameKey) - Number(a.isSameKey)) }
}
