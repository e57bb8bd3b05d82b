import { type Item, modelOf } from 'singletable/tools'
import { printJson } from '../../text/typed-values.ts'
import { csvFormat } from '../../transfer/csv-format.ts'
import type { ItemFormat } from '../../transfer/item-format.ts'
import { jsonLines } from '../../transfer/json-lines.ts'
import { sendPatiently } from '../../transfer/send-patiently.ts'
import type { ExportRequest } from './contract.ts'
import { queryRequest } from './read-items.ts'
import { failureOf } from './studio-error.ts'
import type { StudioSource } from './studio-source.ts'

/** A file that is sent while the table is read: one page of it is in memory at a time. */
export interface ExportFile {
  readonly name: string
  readonly type: string
  readonly text: AsyncIterable<string>
}

export function exportFile(source: StudioSource, request: ExportRequest): ExportFile {
  const { tableName } = source.connection
  const ending = request.format === 'csv' ? 'csv' : 'jsonl'
  // Names of tables have letters, digits, dots, dashes and underscores.
  const name = [tableName, request.entity].filter(Boolean).join('-')
  return {
    name: `${name.replaceAll(/[^\w.-]/g, '_')}.${ending}`,
    type: request.format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl',
    text: exportText(source, request),
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
