import { ServiceError } from 'singletable'
import {
  type AttributeValue,
  type Item,
  type Model,
  modelOf,
  type Operations,
  type Schema,
  type TableDescription,
  type Transport,
} from 'singletable/tools'
import { findSchema } from '../schema-file/load-schema.ts'
import { countOf } from '../text/counts.ts'
import { plainItem } from '../text/plain-value.ts'
import { printJson } from '../text/typed-values.ts'
import { sendPatiently } from '../transfer/send-patiently.ts'
import type { CommandOutput } from './command.ts'
import { tableNameFor, withConnection } from './connect-options.ts'
import { type OptionSpecification, type Parameters, wholeNumber } from './help.ts'
import { splitKeyValues } from './key-values.ts'
import { requireTable } from './missing-table.ts'
import { printOutputs } from './print-outputs.ts'
import { loadGivenSchema } from './schema-options.ts'
import { parseSortCondition } from './sort-condition.ts'
import { colorsFor } from './terminal.ts'
import { EXIT_DONE, UsageError } from './usage-error.ts'

export const AD_HOC_OPTIONS: readonly OptionSpecification[] = [
  {
    name: 'partition',
    value: 'pk=value',
    repeatable: true,
    text: 'the items with this stored partition key: pk=USER#alice',
  },
  { name: 'index', value: 'name', completes: 'index', text: 'in this index; default primary' },
  {
    name: 'sk',
    value: 'condition',
    text: "of the sort key: 'POST#1', 'POST#*', 'A..B', '>=A', '<B'; '=A*' takes * as it is",
  },
  { name: 'reverse', text: 'highest sort key first' },
  { name: 'partiql', value: 'statement', text: 'a SELECT in PartiQL' },
  { name: 'raw', text: 'items as they are stored, in DynamoDB JSON' },
]

const LIMIT_DEFAULT = 100
const LIMIT_MAX = 1_000_000

interface Page {
  readonly items: readonly Item[]
  /** Where to continue. */
  readonly next: string | undefined
  readonly consumed: number
}

/** Answers a question that no pattern declares: a partition of an index, or a statement. */
export async function runAdHoc(given: Parameters, output: CommandOutput): Promise<number> {
  if (given.positionals.length > 0) {
    throw new UsageError(
      `--partition and --partiql can't be combined with the pattern "${given.positionals[0]}".`,
      'leave out one of them',
    )
  }
  const isAll = given.flag('all')
  const limit = wholeNumber(given, 'limit', { min: 1, max: LIMIT_MAX }) ?? LIMIT_DEFAULT
  const schema = given.flag('raw') ? undefined : await schemaIfAny(given, output)
  const statement = given.text('partiql')
  const name = statement === undefined ? await tableNameFor(given, output) : fromName(statement)
  return withConnection(given, output, ({ transport, place }) =>
    requireTable(name, place, async () => {
      const ask =
        statement === undefined
          ? await queryPages(transport, name, given)
          : statementPages(transport, statement)
      const show = printer(schema, given, output)
      let next = given.text('cursor')
      let [count, consumed] = [0, 0]
      do {
        const page: Page = await ask(next, isAll ? undefined : limit - count).catch(refuseTyped)
        show(page.items)
        count += page.items.length
        consumed += page.consumed
        next = page.next
      } while (next !== undefined && (isAll || count < limit))
      show(undefined)
      const more = next === undefined ? '' : `\nmore with --cursor ${next}, or --all`
      const units = countOf(consumed, 'read unit')
      output.printError(`${countOf(count, 'item')}, ${units}${more}`)
      return EXIT_DONE
    }),
  )
}

/** What DynamoDB finds invalid in such a question is what was typed. */
function refuseTyped(error: unknown): never {
  if (!(error instanceof ServiceError && error.name === 'ValidationException')) throw error
  throw new UsageError(
    `DynamoDB refuses the query: ${error.message.replace(/\.?$/, '.')}`,
    'correct what was typed; singletable query --help shows the options',
  )
}

/** The table that a statement reads. */
function fromName(statement: string): string {
  return /\bfrom\s+"?([\w.-]+)/i.exec(statement)?.[1] ?? ''
}

type Ask = (from: string | undefined, limit: number | undefined) => Promise<Page>

async function queryPages(
  transport: Transport,
  TableName: string,
  given: Parameters,
): Promise<Ask> {
  const { Table } = await transport.send('DescribeTable', { TableName })
  const request = queryRequest(Table, given)
  return async (from, Limit) => {
    const { Items, LastEvaluatedKey, ConsumedCapacity } = await sendPatiently(transport, 'Query', {
      ...request,
      ...(Limit !== undefined && { Limit }),
      ...(from !== undefined && { ExclusiveStartKey: readCursor(from) }),
    })
    return {
      items: Items ?? [],
      next: LastEvaluatedKey && Buffer.from(JSON.stringify(LastEvaluatedKey)).toString('base64url'),
      consumed: ConsumedCapacity?.CapacityUnits ?? 0,
    }
  }
}

function readCursor(text: string): Item {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Item
  } catch {
    throw new UsageError('--cursor is not a cursor that this command printed.', 'copy all of it')
  }
}

function statementPages(transport: Transport, Statement: string): Ask {
  if (!/^\s*select\b/i.test(Statement)) {
    throw new UsageError(
      'The statement does not begin with SELECT, and query only reads.',
      'give a SELECT; put, update and delete write',
    )
  }
  return async (NextToken, Limit) => {
    const answer = await sendPatiently(transport, 'ExecuteStatement', {
      Statement,
      ReturnConsumedCapacity: 'TOTAL',
      ...(NextToken !== undefined && { NextToken }),
      ...(Limit !== undefined && { Limit }),
    })
    return {
      items: answer.Items ?? [],
      next: answer.NextToken,
      consumed: answer.ConsumedCapacity?.CapacityUnits ?? 0,
    }
  }
}

function queryRequest(table: TableDescription, given: Parameters): Operations['Query']['request'] {
  const typed = splitKeyValues(given.values('partition'))
  const wanted = given.text('index') ?? 'primary'
  const secondary = [
    ...(table.GlobalSecondaryIndexes ?? []),
    ...(table.LocalSecondaryIndexes ?? []),
  ]
  const index = secondary.find(({ IndexName }) => IndexName === wanted)
  if (index === undefined && wanted !== 'primary') {
    const known = ['primary', ...secondary.map(({ IndexName }) => IndexName ?? '')]
    throw new UsageError(`The table has no index "${wanted}".`, `use one of ${known.join(', ')}`, {
      word: wanted,
      known,
    })
  }
  const keys = (index ?? table).KeySchema ?? []
  const namesOf = (kind: string): readonly string[] =>
    keys.filter(({ KeyType }) => KeyType === kind).map(({ AttributeName }) => AttributeName ?? '')
  const hash = namesOf('HASH')
  const isWhole = typed.size === hash.length && hash.every((name) => typed.has(name))
  if (!isWhole) {
    throw new UsageError(
      `The partition key of ${wanted} is ${hash.join(' and ')}.`,
      `pass ${hash.map((name) => `--partition ${name}=…`).join(' ')}, or another --index`,
    )
  }
  const types = new Map(
    table.AttributeDefinitions?.map((each) => [each.AttributeName, each.AttributeType]),
  )
  // Bytes are written as base64 in requests as well.
  const keyValue = (name: string, text: string): AttributeValue => {
    const type = types.get(name)
    return type === 'N' ? { N: text } : type === 'B' ? { B: text } : { S: text }
  }
  const [sort] = namesOf('RANGE')
  const condition = given.text('sk')
  if (condition !== undefined && sort === undefined) {
    throw new UsageError(`${wanted} has no sort key.`, 'leave out --sk')
  }
  const parsed = condition === undefined ? undefined : parseSortCondition(condition)
  const names = [...hash, ...(parsed && sort !== undefined ? [sort] : [])]
  return {
    TableName: table.TableName,
    ...(index && { IndexName: wanted }),
    KeyConditionExpression: [
      ...hash.map((_, at) => `#k${at} = :k${at}`),
      ...(parsed ? [parsed.expression(`#k${hash.length}`, [':s0', ':s1'])] : []),
    ].join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name, at) => [`#k${at}`, name])),
    ExpressionAttributeValues: Object.fromEntries([
      ...hash.map((name, at) => [`:k${at}`, keyValue(name, typed.get(name)?.[0] ?? '')]),
      ...(parsed?.values ?? []).map((text, at) => [`:s${at}`, keyValue(sort ?? '', text)]),
    ]),
    ScanIndexForward: !given.flag('reverse'),
    ReturnConsumedCapacity: 'TOTAL',
  }
}

/** A schema makes the answer easier to read, but is not needed. */
async function schemaIfAny(given: Parameters, output: CommandOutput): Promise<Schema | undefined> {
  const directory = output.directory ?? process.cwd()
  if (given.text('schema') === undefined && findSchema(directory) === undefined) return undefined
  return (await loadGivenSchema(given, directory)).schema
}

/** Prints pages as they come: lines of JSON, or tables by entity; undefined ends it. */
function printer(
  schema: Schema | undefined,
  given: Parameters,
  output: CommandOutput,
): (items: readonly Item[] | undefined) => void {
  const decode = (item: Item): readonly [string, unknown] => {
    const model = schema && modelOf({ schema }, item)
    try {
      if (model) return [model.name, { ...keysOf(item, model), ...model.decode(item, true) }]
    } catch {
      // What its model can't read is shown as it is stored.
    }
    return ['', plainItem(item)]
  }
  // A statement that names attributes of keys asks for them; otherwise they repeat the item's own.
  const isNamed = !/^\s*select\s+\*/i.test(given.text('partiql') ?? 'select *')
  const keysOf = (item: Item, { attributes }: Model): object => {
    const stored = new Set([...attributes.values()].map((attribute) => attribute.stored))
    const others = Object.entries(item).filter(([name]) => !stored.has(name))
    return isNamed ? plainItem(Object.fromEntries(others)) : {}
  }
  const groups = new Map<string, unknown[]>()
  return (items) => {
    for (const item of items ?? []) {
      if (given.flag('raw')) {
        output.print(printJson(item))
        continue
      }
      const [entity, value] = decode(item)
      if (given.flag('json')) {
        output.print(printJson(entity === '' ? { item: value } : { entity, item: value }))
      } else groups.set(entity, [...(groups.get(entity) ?? []), value])
    }
    if (items !== undefined) return
    const colors = colorsFor(output, given)
    for (const [entity, values] of groups) {
      output.print(
        printOutputs(values, output, { given, colors, ...(entity && { title: entity }) }),
      )
    }
  }
}
