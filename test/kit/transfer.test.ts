import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createEngine, type Engine } from 'singletable/engine'
import { compileSchema, createTableRequest, type Item, type Transport } from 'singletable/tools'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { blogSchema } from '../../examples/blog/schema.ts'
import type { Stops } from '../../packages/kit/src/cli/stops.ts'
import { ROOT } from '../architecture/package-manifest.ts'
import { type CliRun, runCli } from './run-cli.ts'

const SCHEMA = path.join(ROOT, 'examples/blog/schema.ts')

const schema = compileSchema(blogSchema)

let directory: string
let engine: Engine

beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'singletable-transfer-'))
  engine = createEngine()
  await engine.send('CreateTable', createTableRequest(schema, 'From'))
  await engine.send('CreateTable', createTableRequest(schema, 'Into'))
})

afterEach(async () => {
  await engine.close()
  rmSync(directory, { recursive: true, force: true })
})

function run(...parameters: readonly string[]): Promise<CliRun> {
  return runCli([...parameters, '--schema', SCHEMA], { transport: engine, directory })
}

async function put(items: readonly Item[]): Promise<void> {
  for (const item of items) await engine.send('PutItem', { TableName: 'From', Item: item })
}

async function itemsOf(TableName: string): Promise<readonly string[]> {
  const items: Item[] = []
  let next: Item | undefined
  do {
    const page = await engine.send('Scan', {
      TableName,
      ...(next && { ExclusiveStartKey: next }),
    })
    items.push(...(page.Items ?? []))
    next = page.LastEvaluatedKey
  } while (next)
  return items
    .map((item) => JSON.stringify(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))))
    .sort()
}

/** Items of several models, of none, and with whatever a text file makes difficult. */
const STRANGE: readonly Item[] = [
  {
    pk: { S: 'USER#a' },
    sk: { S: 'USER#a' },
    _type: { S: 'User' },
    username: { S: 'a' },
    name: { S: 'Quote " comma , line\r\nend ' },
    email: { S: '' },
  },
  {
    pk: { S: 'USER#a' },
    sk: { S: 'POST#1' },
    _type: { S: 'Post' },
    username: { S: 'a' },
    postId: { S: '1' },
    title: { N: '5' },
    published: { BOOL: true },
    comments: { N: '12345678901234567890' },
  },
  { pk: { S: 'USER#b' }, sk: { S: 'POST#2' }, title: { S: 'no type' }, published: { NULL: true } },
  { pk: { S: 'other' }, sk: { S: '\u{1F600}' }, ['__proto__']: { S: 'x' }, '(other)': { S: 'y' } },
  { pk: { S: 'other' }, sk: { S: 'set' }, tags: { SS: ['a', 'b'] }, list: { L: [{ M: {} }] } },
]

test.each(['items.jsonl', 'items.jsonl.gz', 'items.csv', 'items.csv.gz'])(
  'what is exported to %s can be loaded, and nothing is lost',
  async (file) => {
    await put(STRANGE)
    const exported = await run('export', file, '--table', 'From')
    expect(exported.complaints.split('\n')[0]).toBe(
      file.includes('csv') ? 'CSV has no types: reading it back needs this schema.' : '',
    )
    expect(exported).toMatchObject({
      code: 0,
      printed: expect.stringContaining('exported 5 items'),
    })
    const loaded = await run('load', file, '--table', 'Into')
    expect(loaded).toMatchObject({ code: 0, printed: 'loaded 5 items into "Into" in 0:00' })
    expect(await itemsOf('Into')).toEqual(await itemsOf('From'))
    expect(existsSync(path.join(directory, `${file}.checkpoint`))).toBe(false)
  },
)

test('a spreadsheet executes no cell of an export, and what is raw is read raw', async () => {
  const name = { S: "=cmd|' /C calc'!A0" }
  const user = { _type: { S: 'User' }, username: { S: 'a' }, name, email: { S: "'=1" } }
  await put([{ pk: { S: 'USER#a' }, sk: { S: 'USER#a' }, ...user }])
  const guarded = await run('export', 'guarded.csv', '--table', 'From')
  expect(guarded.complaints).toContain('2 cells begin like a formula')
  expect(readFileSync(path.join(directory, 'guarded.csv'), 'utf8')).toContain(
    ",'=cmd|' /C calc'!A0,''=1,",
  )
  const raw = await run('export', 'raw.csv', '--table', 'From', '--raw')
  expect(raw.complaints).toContain('load the file with --raw too')
  expect(readFileSync(path.join(directory, 'raw.csv'), 'utf8')).toContain(
    ",=cmd|' /C calc'!A0,'=1,",
  )
  for (const parameters of [['guarded.csv'], ['raw.csv', '--raw']]) {
    expect(await run('load', ...parameters, '--table', 'Into')).toMatchObject({ code: 0 })
    expect(await itemsOf('Into')).toEqual(await itemsOf('From'))
  }
  expect(await run('export', 'x.jsonl', '--raw', '--table', 'From')).toMatchObject({
    code: 2,
    complaints: expect.stringContaining('--raw is for CSV alone.'),
  })
})

test('an export has the lines of an export to S3', async () => {
  await put([{ pk: { S: 'a' }, sk: { S: 'b' } }])
  const { data, complaints, printed } = await run('export', '-', '--table', 'From')
  expect(data).toBe('{"Item":{"pk":{"S":"a"},"sk":{"S":"b"}}}\n')
  expect(printed).toBe('')
  expect(complaints).toContain('exported 1 item, ')
})

test('standard input can be loaded, and the last of several items with one key wins', async () => {
  const line = (n: number): string => `{"Item":{"pk":{"S":"a"},"sk":{"S":"b"},"n":{"N":"${n}"}}}\n`
  const { code } = await runCli(['load', '-', '--table', 'Into'], {
    transport: engine,
    directory: path.dirname(SCHEMA),
    input: line(1) + line(2) + line(3),
  })
  expect(code).toBe(0)
  expect(await itemsOf('Into')).toEqual(['[["n",{"N":"3"}],["pk",{"S":"a"}],["sk",{"S":"b"}]]'])
})

/** Enough items that a scan of them has several pages. */
async function fillPages(): Promise<void> {
  const text = 'x'.repeat(20_000)
  await put(
    Array.from({ length: 250 }, (_, n) => ({
      pk: { S: `p${n}` },
      sk: { S: 's' },
      text: { S: text },
    })),
  )
}

/** A signal that comes when the operation is sent for the given time. */
function interruptAt(operation: string, time: number): { transport: Transport; stops: Stops } {
  let callback: ((signal: 'SIGINT') => void) | undefined
  let count = 0
  return {
    stops: {
      onSignal: (given) => {
        callback = given
        return () => {}
      },
      exit: () => {},
    },
    transport: {
      send: (name, request, options) => {
        if (name === operation && ++count === time) callback?.('SIGINT')
        return engine.send(name, request, options)
      },
    },
  }
}

test.each(['items.jsonl', 'items.jsonl.gz'])(
  'an export to %s that is interrupted can be resumed',
  async (file) => {
    await fillPages()
    const parameters = ['export', file, '--table', 'From', '--segments', '2', '--schema', SCHEMA]
    const first = await runCli(parameters, { directory, ...interruptAt('Scan', 3) })
    expect(first.code).toBe(130)
    expect(first.complaints).toContain('continue with the same command and --resume')
    expect(existsSync(path.join(directory, `${file}.checkpoint`))).toBe(true)

    expect(await run('export', file, '--table', 'From')).toMatchObject({
      code: 2,
      complaints: expect.stringContaining('An earlier run was interrupted'),
    })
    // What was written after the last note, by a run that was ended at once, is not part of the
    // file.
    writeFileSync(path.join(directory, file), 'half a li', { flag: 'a' })
    const second = await run('export', file, '--table', 'From', '--resume')
    expect(second).toMatchObject({
      code: 0,
      printed: expect.stringContaining('exported 250 items'),
    })
    const data = readFileSync(path.join(directory, file))
    const text = (file.endsWith('gz') ? gunzipSync(data) : data).toString('utf8')
    const keys = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).Item.pk.S)
    expect(new Set(keys).size).toBe(250)
    expect(keys).toHaveLength(250)
  },
)

test('a load that is interrupted can be resumed, and does not write again what it wrote', async () => {
  await fillPages()
  await run('export', 'items.jsonl', '--table', 'From')
  const parameters = ['load', 'items.jsonl', '--table', 'Into', '--schema', SCHEMA]
  const first = await runCli(parameters, { directory, ...interruptAt('BatchWriteItem', 1) })
  expect(first.code).toBe(130)
  expect(first.complaints).toContain('interrupted after 200 items')
  await engine.send('DeleteTable', { TableName: 'Into' })
  await engine.send('CreateTable', createTableRequest(schema, 'Into'))
  const second = await run('load', 'items.jsonl', '--table', 'Into', '--resume', '--json')
  expect(JSON.parse(second.printed)).toMatchObject({ items: 250, done: true })
  expect(await itemsOf('Into')).toHaveLength(50)
})

test('a file that was changed is not gone on with', async () => {
  await fillPages()
  await run('export', 'items.jsonl', '--table', 'From')
  const parameters = ['load', 'items.jsonl', '--table', 'Into', '--schema', SCHEMA]
  await runCli(parameters, { directory, ...interruptAt('BatchWriteItem', 1) })
  writeFileSync(path.join(directory, 'items.jsonl'), '')
  expect(await run('load', 'items.jsonl', '--table', 'Into', '--resume')).toMatchObject({
    code: 3,
    complaints: expect.stringContaining('The file was changed'),
  })
})

test('what the service leaves of a batch, or refuses for a while, is sent again', async () => {
  await put(STRANGE)
  await run('export', 'items.jsonl', '--table', 'From')
  engine.faults.add({ kind: 'unprocessed', count: 3 })
  engine.faults.add({ kind: 'throttle', operation: 'BatchWriteItem', count: 2 })
  expect(await run('load', 'items.jsonl', '--table', 'Into')).toMatchObject({ code: 0 })
  expect(await itemsOf('Into')).toEqual(await itemsOf('From'))
})

test.each([
  ['{', 'The line is not valid JSON.'],
  ['{"pk":{"S":"a"}}', 'The line is not an item in DynamoDB JSON.'],
  ['{"Item":{"pk":"a"}}', 'The line is not an item in DynamoDB JSON.'],
  ['{"Item":{"pk":{"S":"a"}}}', 'The item has no key attribute "sk".'],
  ['{"Item":{"pk":{"S":"a"},"sk":{"N":"1"}}}', 'The key attribute "sk" is not of type S.'],
])('the line %s is refused with its number', async (line, message) => {
  writeFileSync(path.join(directory, 'items.jsonl'), `\n${line}\n`)
  const { code, complaints } = await run('load', 'items.jsonl', '--table', 'Into')
  expect(code).toBe(1)
  expect(complaints).toContain(message)
  expect(complaints).toContain('items.jsonl:2')
})

test.each([
  ['pk,sk\na', 'The record has 1 cells, the header 2.'],
  ['pk,pk\na,b', 'The header has the column "pk" twice'],
  ['pk,sk\n"a,b', 'A quote is not closed.'],
  ['pk,sk\n"a"b,c', 'Text follows a closed quote.'],
  ['pk,sk\na"b,c', 'A quote is inside a cell that does not begin with one.'],
  ['pk,sk,_type,comments\na,b,Post,many', '"many" is not a number.'],
  ['pk,sk,_type,published\na,b,Post,1', '"1" is not true or false.'],
  ['pk,sk,extra\na,b,c', '"c" is not a value in DynamoDB JSON.'],
])('the CSV %j is refused', async (text, message) => {
  writeFileSync(path.join(directory, 'items.csv'), text)
  const { code, complaints } = await run('load', 'items.csv', '--table', 'Into')
  expect(code).toBe(1)
  expect(complaints).toContain(message)
  expect(complaints).toMatch(/items\.csv:[12]/)
})

test('files that are not what they seem are refused', async () => {
  writeFileSync(path.join(directory, 'items.jsonl.gz'), 'no gzip')
  const packed = await run('load', 'items.jsonl.gz', '--table', 'Into')
  expect(packed).toMatchObject({
    code: 1,
    complaints: expect.stringContaining("can't be unpacked"),
  })
  writeFileSync(path.join(directory, 'items.jsonl'), Buffer.from([0xff, 0xfe]))
  const text = await run('load', 'items.jsonl', '--table', 'Into')
  expect(text).toMatchObject({ code: 1, complaints: expect.stringContaining('not UTF-8') })
  expect(await run('load', 'nothing.jsonl', '--table', 'Into')).toMatchObject({ code: 3 })
  expect(await run('load', '--table', 'Into')).toMatchObject({ code: 2 })
  expect(await run('export', 'x.jsonl', '--table', 'Nowhere')).toMatchObject({
    code: 1,
    complaints: expect.stringContaining('There is no table "Nowhere".'),
  })
})

test('a file is replaced only when that is said', async () => {
  writeFileSync(path.join(directory, 'items.jsonl'), 'precious')
  expect(await run('export', 'items.jsonl', '--table', 'From')).toMatchObject({ code: 2 })
  expect(await run('export', 'items.jsonl', '--table', 'From', '--force')).toMatchObject({
    code: 0,
  })
  expect(readFileSync(path.join(directory, 'items.jsonl'), 'utf8')).toBe('')
})

test('a dry run reads and writes nothing', async () => {
  await put(STRANGE)
  await run('export', 'items.jsonl', '--table', 'From')
  const { printed } = await run('load', 'items.jsonl', '--table', 'Into', '--dry-run')
  expect(printed).toBe('items.jsonl has 5 items; nothing was written')
  expect(await itemsOf('Into')).toEqual([])
})
