import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createEngine, type Engine } from 'singletable/engine'
import type { Item } from 'singletable/tools'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runServe } from '../../../packages/kit/src/cli/serve-command.ts'
import type { Stops } from '../../../packages/kit/src/cli/stops.ts'
import { type CliOptions, type CliRun, runCli } from '../run-cli.ts'

/** Stops that the test itself can send a signal through. */
function signals(): { readonly stops: Stops; readonly interrupt: () => void } {
  const listeners = new Set<(signal: 'SIGINT' | 'SIGTERM') => void>()
  return {
    stops: {
      onSignal: (listener) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      exit: () => {},
    },
    interrupt: () => {
      for (const listener of listeners) listener('SIGINT')
    },
  }
}

/** What other writers have left in the table of the blog. */
const FAULTS: readonly Item[] = [
  { pk: { S: 'DRAFT#1' }, sk: { S: 'DRAFT' }, _type: { S: 'Draft' } },
  {
    pk: { S: 'USER#mallory' },
    sk: { S: 'USER#mallory' },
    _type: { S: 'User' },
    username: { S: 'mallory' },
    name: { S: 'Mallory' },
    email: { S: 'none' },
  },
  {
    pk: { S: 'POST#1' },
    sk: { S: 'TAG#news' },
    _type: { S: 'PostTag' },
    gsi1pk: { S: 'TAG#old' },
    gsi1sk: { S: 'POST#1' },
    postId: { S: '1' },
    tag: { S: 'news' },
    username: { S: 'mallory' },
    title: { S: 'News' },
  },
  {
    pk: { S: 'POST#1' },
    sk: { S: 'TAG#other' },
    _type: { S: 'PostTag' },
    postId: { S: '1' },
    tag: { S: 'other' },
    username: { S: 'mallory' },
    title: { S: 'News' },
  },
]

const DATA = ['--only', 'D01,D02,D03,D04']
const PLACE = ['--table', 'Blog']

async function fillWithFaults(engine: Engine): Promise<void> {
  for (const Item of FAULTS) await engine.send('PutItem', { TableName: 'Blog', Item })
}

function foundIn({ printed }: CliRun): readonly string[] {
  const { findings } = JSON.parse(printed)
  return findings.map((each: { code: string; message: string }) => `${each.code} ${each.message}`)
}

describe('check --sample in this process', () => {
  let engine: Engine
  const run = (parameters: readonly string[], options: CliOptions = {}): Promise<CliRun> =>
    runCli(parameters, { transport: engine, ...options })

  beforeEach(async () => {
    engine = createEngine()
    expect((await run(['table', 'create', ...PLACE])).code).toBe(0)
    expect((await run(['seed', ...PLACE, '--count', '200'])).code).toBe(0)
  })
  afterEach(() => engine.close())

  test('finds nothing in what the library wrote', async () => {
    const result = await run(['check', '--sample', '--json', ...PLACE, ...DATA])
    expect(foundIn(result)).toEqual([])
    expect(result.code).toBe(0)
  })

  test('finds what other writers have left, with exit code 1', async () => {
    await fillWithFaults(engine)
    const result = await run(['check', '--sample', '--json', ...PLACE, ...DATA])
    const { Count } = await engine.send('Scan', { TableName: 'Blog', Select: 'COUNT' })
    const share = `(of all ${Count})`
    expect([...foundIn(result)].sort()).toEqual([
      `D01 1 item ${share} matches no entity: "Draft" is not a model, e.g. pk "DRAFT#1", sk "DRAFT".`,
      `D02 1 User item ${share} fails: "email" does not match /^\\S+@\\S+$/, e.g. pk "USER#mallory", sk "USER#mallory".`,
      `D03 PostTag pk "POST#1", sk "TAG#news": gsi1pk is stored as "TAG#old", computed "TAG#news"; 1 item ${share} differs in this way.`,
      `D04 1 PostTag item ${share} is absent from gsi1 (gsi1pk is missing; it would be "TAG#other"), e.g. pk "POST#1", sk "TAG#other".`,
      `D04 1 PostTag item ${share} is absent from gsi1 (gsi1sk is missing; it would be "POST#1"), e.g. pk "POST#1", sk "TAG#other".`,
    ])
    expect(result.code).toBe(1)
  })

  test('changes nothing', async () => {
    const before = await engine.send('Scan', { TableName: 'Blog' })
    await run(['check', '--sample', ...PLACE])
    expect(await engine.send('Scan', { TableName: 'Blog' })).toEqual(before)
  })

  test('keeps to its budget, and says how much it saw', async () => {
    let units = 0
    const transport: Engine = {
      ...engine,
      send: async (operation, request, options) => {
        const answer = await engine.send(operation, request, options)
        if ('ConsumedCapacity' in answer && !Array.isArray(answer.ConsumedCapacity)) {
          units += answer.ConsumedCapacity?.CapacityUnits ?? 0
        }
        return answer
      },
    }
    const given = ['check', '--sample', '--budget', '2', ...PLACE, ...DATA]
    const { complaints } = await run(given, { transport })
    expect(units).toBeGreaterThan(0)
    expect(units).toBeLessThanOrEqual(2)
    expect(complaints).toMatch(
      new RegExp(`^sampled \\d+ of about \\d+ items for ${units} read units$`),
    )
  })

  test.each(['1', '19999', '20000'])('takes a budget of %s', async (budget) => {
    expect((await run(['check', '--sample', '--budget', budget, ...PLACE, ...DATA])).code).toBe(0)
  })

  test.each([
    [['--budget', '5'], 2, '--budget is for a sample'],
    [['--sample', '--budget', '0'], 2, '--budget is "0"'],
    [['--sample', '--budget', '20001'], 2, 'give a whole number from 1 to 20000'],
    [['--sample', '--table', 'Nowhere'], 1, 'There is no table "Nowhere".'],
  ])('%j is refused with %i', async (parameters, code, message) => {
    const result = await run(['check', ...PLACE, ...parameters])
    expect(result.complaints).toContain(message)
    expect(result.code).toBe(code)
  })

  test('that is interrupted reports on what it has read, and ends as an interrupted program does', async () => {
    const { stops, interrupt } = signals()
    const transport: Engine = {
      ...engine,
      send: async (operation, request, options) => {
        const answer = await engine.send(operation, request, options)
        if (operation === 'Scan') interrupt()
        return answer
      },
    }
    const given = ['check', '--sample', '--budget', '40', '--json', ...PLACE, ...DATA]
    const result = await run(given, { transport, stops })
    expect(result.complaints).toContain('finishing the current pages')
    expect(foundIn(result)).toEqual([])
    expect(result.code).toBe(130)
  })
})

test('check --sample asks a server of singletable serve', async () => {
  const { stops, interrupt } = signals()
  let listening: (url: string) => void = () => {}
  const url = new Promise<string>((resolve) => {
    listening = resolve
  })
  const served = runServe(
    ['--port', '0'],
    { print: (text) => listening(text.replace('listening on ', '')), printError: () => {} },
    stops,
  )
  const to = [...PLACE, '--endpoint', await url]
  try {
    expect((await runCli(['table', 'create', ...to])).code).toBe(0)
    expect((await runCli(['seed', ...to, '--count', '50'])).code).toBe(0)
    const result = await runCli(['check', '--sample', '--json', ...to, ...DATA])
    expect(foundIn(result)).toEqual([])
    expect(result.code).toBe(0)
  } finally {
    interrupt()
    expect(await served).toBe(0)
  }
})

describe('check --before', () => {
  const schema = (sk: string): string =>
    `export const schema = {
      indexes: { primary: { hash: 'pk', sort: 'sk' } },
      models: {
        Task: {
          key: { pk: 'USER#\${user}', sk: '${sk}' },
          attributes: {
            user: { type: String },
            id: { type: String, validate: /^[a-z]+$/ },
            at: { type: Date, default: () => new Date() },
          },
        },
      },
      patterns: { tasks: { op: 'query', entity: 'Task', by: ['user'] } },
    }\n`
  const MESSAGE =
    'M01 Task key changed: sk was "TASK#${id}" and is "TASK#${at}#${id}". Existing Task items become unreachable.'
  let directory: string

  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'singletable-before-'))
    writeFileSync(path.join(directory, 'old.ts'), schema('TASK#${id}'))
    writeFileSync(path.join(directory, 'schema.ts'), schema('TASK#${at}#${id}'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))
  const run = (...parameters: readonly string[]): Promise<CliRun> =>
    runCli(parameters, { directory })
  const changes = ['--only', 'M01,M02,M03,M04,M05,M06,M07', '--json']

  test('compares with a file of TypeScript', async () => {
    const result = await run('check', '--before', 'old.ts', ...changes)
    expect(foundIn(result)).toEqual([MESSAGE])
    expect(result.code).toBe(1)
    expect(foundIn(await run('check', '--before', 'schema.ts', ...changes))).toEqual([])
  })

  test('compares with what docs --json wrote', async () => {
    const { printed } = await run('docs', '--schema', 'old.ts', '--json')
    writeFileSync(path.join(directory, 'old.json'), printed)
    expect(foundIn(await run('check', '--before', 'old.json', ...changes))).toEqual([MESSAGE])
  })

  test.each([
    ['nothing.ts', '--before names "nothing.ts", and there is no such file.'],
    ['nothing.json', "The file can't be read"],
    ['other.json', 'The file has no schema.'],
    ['broken.json', "The file can't be read"],
  ])('%s is refused with 3', async (file, message) => {
    writeFileSync(path.join(directory, 'other.json'), '{"a":1}')
    writeFileSync(path.join(directory, 'broken.json'), '{')
    const result = await run('check', '--before', file)
    expect(result.complaints).toContain(message)
    expect(result.code).toBe(3)
  })
})
