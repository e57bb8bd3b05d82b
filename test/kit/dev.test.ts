import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect } from 'singletable/direct'
import { pollStream } from 'singletable/streams'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Traffic } from '../../packages/kit/src/dev/traffic.ts'
import type { ChangeCauses } from '../../packages/kit/src/recorder/change-causes.ts'
import type { PatternCalls } from '../../packages/kit/src/recorder/pattern-calls.ts'
import { ROOT } from '../architecture/package-manifest.ts'
import { runCli, showRun } from './run-cli.ts'
import { type RunningDev, startDev } from './run-dev.ts'

const GOLDEN = path.join(import.meta.dirname, '__golden__/dev')
const EXAMPLES = path.join(ROOT, 'examples')

let directory: string
let running: RunningDev | undefined

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'singletable-dev-'))
})

afterEach(async () => {
  await running?.stop()
  running = undefined
  rmSync(directory, { recursive: true, force: true })
})

function write(name: string, text: string): void {
  writeFileSync(path.join(directory, name), text)
}

/** A schema with one model; its parts can be other ones. */
function schemaText({
  sort = 'NOTE#${noteId}',
  index = '',
  indexes = '',
  patterns = "notes: { op: 'query', entity: 'Note', by: ['username'] }",
  attributes = '',
} = {}): string {
  return `export const notesSchema = {
    indexes: { primary: { hash: 'pk', sort: 'sk' }, ${indexes} },
    models: {
      Note: {
        key: { pk: 'USER#\${username}', sk: '${sort}' },
        ${index}
        attributes: {
          username: { type: String, required: true },
          noteId: { type: String, required: true },
          tag: { type: String, enum: ['a', 'b'], required: true },
          ${attributes}
        },
      },
    },
    patterns: { ${patterns} },
  }`
}

const start = (...parameters: readonly string[]): RunningDev => {
  running = startDev(directory, parameters)
  return running
}

const clientOf = (dev: RunningDev) => {
  const endpoint = /http:\/\/127\.0\.0\.1:\d+/.exec(dev.text())?.[0] ?? ''
  return connect({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  })
}

describe('dev --once', () => {
  const names = readdirSync(EXAMPLES).filter((name) =>
    existsSync(path.join(EXAMPLES, name, 'schema.ts')),
  )

  test.each(names)(
    'prints the plan and the answer of each pattern of the example %s',
    async (name) => {
      const parameters = ['dev', '--once']
      const run = await runCli(parameters, { directory: path.join(EXAMPLES, name) })
      expect(run.code).toBe(0)
      await expect(showRun(parameters, run)).toMatchFileSnapshot(path.join(GOLDEN, `${name}.txt`))
      // It leaves nothing behind, and other runs continue.
      expect(existsSync(path.join(EXAMPLES, name, '.singletable'))).toBe(false)
    },
  )

  test('gives a line of JSON for the table, its items and each pattern', async () => {
    write('schema.ts', schemaText())
    const { code, printed } = await runCli(['dev', '--once', '--json', '--count', '5'], {
      directory,
    })
    expect(code).toBe(0)
    const [table, items, pattern, ...others] = printed.split('\n').map((line) => JSON.parse(line))
    expect(others).toEqual([])
    expect(table).toMatchObject({ event: 'table', table: 'Notes', created: true, changes: [] })
    expect(items).toMatchObject({ event: 'items', seeded: { Note: 5 }, items: { Note: 5 } })
    expect(pattern).toMatchObject({
      event: 'pattern',
      name: 'notes',
      outcome: 'answered',
      consumed: 0.5,
      hasMore: false,
      plan: { op: 'Query', key: { pk: { eq: 'USER#${username}' } } },
    })
    expect(pattern.first.Note).toHaveLength(pattern.counts.Note)
  })

  test('takes items of a file, and inputs of patterns from them', async () => {
    write(
      'schema.ts',
      schemaText({
        patterns: `
          note: { op: 'get', entity: 'Note', by: ['username', 'noteId'] },
          some: { op: 'batchGet', entity: 'Note', by: ['username', 'noteId'] },
          tagged: { op: 'query', entity: 'Note', by: ['username'], filter: { tag: { in: '$tags' } } },
          all: { op: 'scan', entity: 'Note', reason: 'a report' }`,
      }),
    )
    const note = (username: string, noteId: string) => ({ username, noteId, tag: 'b' })
    write(
      'notes.json',
      JSON.stringify({ Note: [note('al', '1'), note('bo', '1'), note('bo', '2')] }),
    )
    const { code, printed, complaints } = await runCli(
      ['dev', '--once', '--fixtures', 'notes.json'],
      { directory },
    )
    expect(complaints).toBe('')
    expect(code).toBe(0)
    expect(printed).toContain('items     3 Note · notes.json')
    expect(printed).toMatch(/username=\w\w noteId=\d → 1 Note, 0\.5 units/)
    expect(printed).toMatch(/username=\w\w noteId=\d and .* and .* → 3 Note/)
    expect(printed).toContain('username=bo tags=["b"] → 2 Note')
    expect(printed).toContain('→ 3 Note')
  })

  test('says that no item answers a pattern, and fails where a pattern does', async () => {
    write('schema.ts', schemaText())
    const empty = await runCli(['dev', '--once', '--no-seed'], { directory })
    expect(empty).toMatchObject({ code: 0, complaints: '' })
    expect(empty.printed).toContain('no Note in the table answers it')
    // What can be read once, when inputs are looked for, can't be read again.
    write(
      'schema.ts',
      `let reads = 0\n${schemaText({
        attributes: `odd: { type: String, default: 'x', codec: {
          encode: (value) => value,
          decode: (value) => { if (++reads > 3) throw new Error('no more'); return value },
        } },`,
      })}`,
    )
    const failed = await runCli(['dev', '--once', '--count', '3'], { directory })
    expect(failed.printed).toContain('1 failed')
    expect(failed.code).toBe(1)
  })

  test.each([
    [['--once', '--count', '0'], 2, '--count is "0".'],
    [['--memory', '--data', 'x'], 2, "--memory and --data can't be combined."],
    [['--no-seed', '--seed', '2'], 2, "--no-seed and --seed can't be combined."],
    [['--once', '--fixtures', 'nothing.json'], 3, 'There is no such file.'],
    [['--once', '--schema', 'nothing.ts'], 3, 'There is no file "nothing.ts".'],
  ])('%j is refused', async (parameters, code, message) => {
    write('schema.ts', schemaText())
    const refused = await runCli(['dev', ...parameters], { directory })
    expect(refused.complaints).toContain(message)
    expect(refused.code).toBe(code)
  })

  test('a model for which no values are found is reported with a way out', async () => {
    write(
      'schema.ts',
      schemaText({ attributes: 'odd: { type: String, required: true, validate: () => false },' }),
    )
    const refused = await runCli(['dev', '--once'], { directory })
    expect(refused.complaints).toContain('No value was found for Note.odd')
    expect(refused.complaints).toContain('--fixtures <file>')
    expect(refused.code).toBe(1)
  })
})

describe('dev', () => {
  test('serves the table until it is stopped, and keeps it', async () => {
    write('schema.ts', schemaText())
    const dev = start('--count', '4')
    await dev.until('Ctrl-C ends')
    const client = clientOf(dev)
    const Item = { pk: { S: 'mine' }, sk: { S: 'mine' } }
    expect((await client.send('Scan', { TableName: 'Notes' })).Count).toBe(4)
    await client.send('PutItem', { TableName: 'Notes', Item })
    client.close()
    expect(dev.text()).toContain('data      .singletable/data')
    expect(await dev.stop()).toBe(0)
    const again = start()
    await again.until('Ctrl-C ends')
    expect(again.text()).not.toContain('made')
    expect(again.text()).toContain('items     4 Note, 1 other')
    expect(await again.stop()).toBe(0)
    const reset = start('--reset', '--count', '3')
    await reset.until('Ctrl-C ends')
    expect(reset.text()).toContain('items     3 Note · sample data, seed 1')
  })

  test('follows the schema and what it imports, and reports only what changed', async () => {
    write('patterns.ts', "export const by = ['username']")
    const text = schemaText({
      patterns: `first: { op: 'query', entity: 'Note', by },
        second: { op: 'get', entity: 'Note', by: ['username', 'noteId'] }`,
    })
    write('schema.ts', `import { by } from './patterns.js'\n${text}`)
    const dev = start('--memory')
    await dev.until('watching  schema.ts and 1 that it imports')
    write('patterns.ts', "export const by = ['username', 'noteId']")
    await dev.until('1 as before')
    expect(dev.text()).toContain('sk = NOTE#${noteId}')
  })

  test('a broken schema is reported, and the one before stays in use', async () => {
    write('schema.ts', schemaText())
    const dev = start('--memory')
    await dev.until('Ctrl-C ends')
    write('schema.ts', 'export const notesSchema = {')
    await dev.until('The file does not parse')
    await dev.until('the previous schema stays in use')
    const client = clientOf(dev)
    expect((await client.send('ListTables', {})).TableNames).toEqual(['Notes'])
    client.close()
    write('schema.ts', schemaText({ sort: 'NOTE#${nothing}' }))
    await dev.until('nothing')
    write('schema.ts', schemaText({ patterns: "fixed: { op: 'put', entity: 'Note' }" }))
    await dev.until('fixed')
  })

  const INDEXED = {
    indexes: "gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' }",
    index: "index: { gsi1pk: 'TAG#${tag}', gsi1sk: '${noteId}' },",
    patterns: "tagged: { op: 'query', entity: 'Note', index: 'gsi1', by: ['tag'] }",
  }

  test('sample items are made again for new keys, while nobody has written', async () => {
    write('schema.ts', schemaText())
    const dev = start('--memory')
    await dev.until('Ctrl-C ends')
    write('schema.ts', schemaText(INDEXED))
    await dev.until('made the index "gsi1"')
    await dev.until(/tag=. → \d+ Note/)
    write('schema.ts', schemaText().replaceAll("'sk'", "'sort'").replaceAll('sk:', 'sort:'))
    await dev.until('made the table again: the primary key is (pk:S | sk:S), not (pk:S | sort:S)')
  })

  test('what somebody wrote is kept: indexes follow the schema, other keys need another table', async () => {
    write('schema.ts', schemaText())
    const dev = start('--memory')
    await dev.until('Ctrl-C ends')
    const client = clientOf(dev)
    const Item = { pk: { S: 'mine' }, sk: { S: 'mine' } }
    await client.send('PutItem', { TableName: 'Notes', Item })
    write('schema.ts', schemaText(INDEXED))
    await dev.until('made the index "gsi1"')
    await dev.until('items stored before keep their keys; --reset makes a new table')
    await dev.until('no Note in the table answers it')
    write('schema.ts', schemaText())
    await dev.until('removed the index "gsi1"')
    write('schema.ts', schemaText().replaceAll("'sk'", "'sort'").replaceAll('sk:', 'sort:'))
    await dev.until('needs to be another: the primary key is (pk:S | sk:S), not (pk:S | sort:S)')
    await dev.until('start with --reset')
    expect((await client.send('GetItem', { TableName: 'Notes', Key: Item })).Item).toEqual(Item)
    client.close()
  })

  test('a port that is taken is said with a way out', async () => {
    write('schema.ts', schemaText())
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    try {
      const refused = await runCli(['dev', '--memory', '--port', String(port)], { directory })
      expect(refused.complaints).toContain(`Port ${port} is in use.`)
      expect(refused.complaints).toContain('--port 0 takes any that is free')
      expect(refused.code).toBe(1)
    } finally {
      server.close()
    }
  })

  test('a data folder that another process has is said', async () => {
    write('schema.ts', schemaText())
    const dev = start()
    await dev.until('Ctrl-C ends')
    const refused = await runCli(['dev', '--port', '0'], { directory })
    expect(refused.complaints).toContain('STORAGE_')
    expect(refused.code).toBe(3)
  })

  test('a studio that is there is served and closed', async () => {
    write('schema.ts', schemaText())
    let closed = 0
    running = startDev(directory, ['--memory'], async ({ tableName }) => ({
      url: `http://127.0.0.1:1/${tableName}`,
      close: async () => void closed++,
    }))
    await running.until('studio    http://127.0.0.1:1/Notes')
    expect(await running.stop()).toBe(0)
    expect(closed).toBe(1)
  })

  test('the studio gets the patterns that queries of other programs have', async () => {
    write('schema.ts', schemaText())
    let programs: PatternCalls | undefined
    running = startDev(directory, ['--memory'], async (options) => {
      programs = options.programs
      return { url: 'none', close: async () => {} }
    })
    await running.until('Ctrl-C ends')
    // What dev runs itself is not counted.
    expect(programs?.figures('notes')).toBeUndefined()
    const client = clientOf(running)
    await client.send('Query', {
      TableName: 'Notes',
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
      ExpressionAttributeValues: { ':pk': { S: 'USER#ada' }, ':sk': { S: 'NOTE#' } },
    })
    client.close()
    await expect.poll(() => programs?.figures('notes')?.calls).toBe(1)
  })

  test('the studio gets what other programs change, with the operation that did it', async () => {
    write('schema.ts', schemaText())
    let causes: ChangeCauses | undefined
    running = startDev(directory, ['--memory'], async (options) => {
      causes = options.causes
      return { url: 'none', close: async () => {} }
    })
    await running.until('Ctrl-C ends')
    const client = clientOf(running)
    const { TableDescription } = await client.send('UpdateTable', {
      TableName: 'Notes',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    })
    const stop = causes?.watch()
    await client.send('PutItem', {
      TableName: 'Notes',
      Item: { pk: { S: 'USER#zoe' }, sk: { S: 'NOTE#1' } },
    })
    const found: unknown[] = []
    const end = new AbortController()
    await pollStream({
      ...{ source: client, streamArn: TableDescription?.LatestStreamArn ?? '', idleMsMax: 1 },
      ...{ from: 'trim-horizon' as const, signal: end.signal },
      handler: async ({ Records }) => {
        for (const { eventID } of Records) found.push(causes?.causeOf(eventID))
        if (found.length > 0) end.abort()
      },
    })
    stop?.()
    client.close()
    expect(found).toMatchObject([{ operation: 'PutItem', by: 'program', verb: undefined }])
  })

  test('the studio gets the partitions that other programs ask for', async () => {
    write('schema.ts', schemaText())
    let traffic: Traffic | undefined
    running = startDev(directory, ['--memory'], async (options) => {
      traffic = options.traffic
      return { url: 'none', close: async () => {} }
    })
    await running.until('Ctrl-C ends')
    const client = clientOf(running)
    const Key = { pk: { S: 'NOTE#9' }, sk: { S: 'NOTE' } }
    expect(await client.send('GetItem', { TableName: 'Notes', Key })).toEqual({})
    client.close()
    expect(traffic?.top('Notes', 'primary')).toMatchObject([
      { key: 'pk=NOTE#9', reads: 1, readUnits: 0.5, writes: 0, writeUnits: 0 },
    ])
  })
})
