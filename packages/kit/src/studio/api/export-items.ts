import { type Item, modelOf } from 'singletable/tools'
import { printCell, printJson } from '../../text/typed-values.ts'
import { csvFormat } from '../../transfer/csv-format.ts'
import { printCsvRecord } from '../../transfer/csv-records.ts'
import { guardCell } from '../../transfer/formula-cells.ts'
import type { ItemFormat } from '../../transfer/item-format.ts'
import { jsonLines } from '../../transfer/json-lines.ts'
import { sendPatiently } from '../../transfer/send-patiently.ts'
import type { ExportRequest, PatternRequest } from './contract.ts'
import { hideSecrets } from './hide-secrets.ts'
import { queryRequest } from './read-items.ts'
import { modelsOf, patternPages } from './run-pattern.ts'
import { failureOf, StudioError } from './studio-error.ts'
import type { StudioSource } from './studio-source.ts'

/** A file that is sent while the table is read: one page of it is in memory at a time. */
export interface ExportFile {
  readonly name: string
  readonly type: string
  readonly text: AsyncIterable<string>
}

/** What can't be exported is refused here: a file that is being sent can only be broken off. */
export function exportFile(source: StudioSource, request: ExportRequest): ExportFile {
  const { tableName } = source.connection
  const { call, entity, hash, index } = request
  if (call) modelsOf(source, call.pattern)
  if (hash) queryRequest(source, { index, hash })
  if (entity !== undefined && !source.schema.models.has(entity)) {
    throw new StudioError(`There is no entity "${entity}".`, 'choose one of the list')
  }
  const ending = request.format === 'csv' ? 'csv' : 'jsonl'
  // Names of tables have letters, digits, dots, dashes and underscores.
  const name = [tableName, call?.pattern ?? entity].filter(Boolean).join('-')
  return {
    name: `${name.replaceAll(/[^\w.-]/g, '_')}.${ending}`,
    type: request.format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl',
    text: breakingOff(call ? patternText(source, request, call) : exportText(source, request)),
  }
}

/** What breaks off a file is printed by the server: the error of the service has the request. */
async function* breakingOff(text: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  try {
    yield* text
  } catch (error) {
    throw new Error(`The export broke off: ${failureOf(error)?.what ?? hideSecrets(String(error))}`)
  }
}

async function* exportText(
  source: StudioSource,
  request: ExportRequest,
): AsyncGenerator<string, void, undefined> {
  const { transport } = source.connection
  const isPartial = request.hash !== undefined && request.index !== 'primary'
  const format = formatOf(source, request.format, isPartial)
  if (format.header !== '') yield format.header
  let start: Item | undefined
  do {
    const shared = start && { ExclusiveStartKey: start }
    const page = request.hash
      ? await sendPatiently(transport, 'Query', {
          ...queryRequest(source, { index: request.index, hash: request.hash }),
          ...shared,
        })
      : await sendPatiently(transport, 'Scan', {
          TableName: source.connection.tableName,
          ...shared,
        })
    const items = (page.Items ?? []).filter(
      (item) =>
        request.entity === undefined ||
        modelOf({ schema: source.schema }, item)?.name === request.entity,
    )
    if (items.length > 0) yield items.map((item) => format.print(item)).join('')
    start = page.LastEvaluatedKey
  } while (start)
}

/**
 * Results of a pattern have no keys and no stored form: their values are as the library gives them.
 */
async function* patternText(
  source: StudioSource,
  { format }: ExportRequest,
  call: PatternRequest,
): AsyncGenerator<string, void, undefined> {
  const names = [
    ...new Set(modelsOf(source, call.pattern).flatMap((model) => [...model.attributes.keys()])),
  ]
  if (format === 'csv') yield printCsvRecord(['entity', ...names])
  for await (const page of patternPages(source, call)) {
    const lines = page.map(({ entity, item }) => {
      if (format !== 'csv') return `${printJson({ entity, ...item })}\n`
      const values = item as Readonly<Record<string, unknown>>
      return printCsvRecord([entity, ...names.map((name) => guardCell(printCell(values[name])))])
    })
    if (lines.length > 0) yield lines.join('')
  }
}

function formatOf(
  { schema }: StudioSource,
  format: ExportRequest['format'],
  isPartial: boolean,
): Pick<ItemFormat, 'header' | 'print'> {
  if (format === 'csv') return csvFormat(schema)
  if (format === 'dynamodb') return jsonLines
  return {
    header: '',
    // Items of no entity have nothing but what is stored.
    print: (item) => {
      const model = modelOf({ schema }, item)
      if (model === undefined) return ''
      const entity = model.name
      try {
        return `${printJson({ entity, ...model.decode(item, isPartial) })}\n`
      } catch (error) {
        // One item that its entity can't read does not end the file.
        if (failureOf(error) === undefined) throw error
        return jsonLines.print(item)
      }
    },
  }
}
