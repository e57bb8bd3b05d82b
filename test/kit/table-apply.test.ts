import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Transport } from 'singletable'
import { connect } from 'singletable/direct'
import { createEngine, simulatedEnvironment } from 'singletable/engine'
import { afterAll, describe, expect, test } from 'vitest'
import type { Stops } from '../../packages/kit/src/cli/stops.ts'
import { listen } from '../../packages/kit/src/server/index.ts'
import { refereePort } from '../referee/referee-port.ts'
import { BLOG, EVERYTHING, PROVISIONED, PROVISIONED_LATER } from './infra/run-infra.ts'
import { type CliOptions, runCli } from './run-cli.ts'

const port = await refereePort()
const directory = mkdtempSync(path.join(tmpdir(), 'singletable-apply-'))
const engine = createEngine()
const server = await listen(createEngine(), { port: 0 })
const credentials = { accessKeyId: 'apply', secretAccessKey: 'apply' }
const over = (endpoint: string) =>
  connect({ endpoint, region: 'us-east-1', credentials, requestTimeoutMs: 20_000 })
const http = over(`http://127.0.0.1:${server.port}`)
const local = port === undefined ? undefined : over(`http://127.0.0.1:${port}`)

afterAll(async () => {
  http.close()
  local?.close()
  await server.close()
  rmSync(directory, { recursive: true, force: true })
})

const targets: readonly (readonly [string, Transport | undefined])[] = [
  ['the engine', engine],
  ['the engine over HTTP', http],
  ['DynamoDB Local', local],
]

describe.each(targets)('table apply on %s', (name, transport) => {
  const isLocal = name === 'DynamoDB Local'
  const table = `apply-${name.replaceAll(' ', '')}`
  const run = (words: readonly string[], schema: string, options: CliOptions = {}) =>
    runCli([...words, '--table', table, '--schema', schema], { directory, transport, ...options })

  test.skipIf(transport === undefined)(
    'makes a table and changes it to other schemas, and infra diff is clean right after',
    async () => {
      for (const schema of [PROVISIONED, PROVISIONED_LATER, PROVISIONED]) {
        const dry = await run(['table', 'apply', '--dry-run', '--json', '--delete-indexes'], schema)
        const planned = JSON.parse(dry.printed)
        expect(planned).toMatchObject({ applied: false, table })
        expect(planned.changes.length).toBeGreaterThan(0)
        const applied = await run(['table', 'apply', '--json', '--delete-indexes'], schema)
        expect(applied).toMatchObject({ code: 0 })
        expect(JSON.parse(applied.printed)).toEqual({ ...planned, applied: true })
        const words = isLocal ? ['infra', 'diff', '--ignore', 'class'] : ['infra', 'diff']
        expect(await run(words, schema)).toMatchObject({ code: 0 })
        const again = await run(['table', 'apply'], schema)
        expect(again.printed).toContain('matches the schema')
      }
    },
  )

  test.skipIf(transport === undefined)(
    'refuses what only another table can have, and deletes an index only if asked',
    async () => {
      const refused = await run(['table', 'apply'], EVERYTHING)
      expect(refused.code).toBe(1)
      expect(refused.complaints).toContain('No update can do this')
      const lossy = await run(['table', 'apply'], PROVISIONED_LATER)
      expect(lossy.code).toBe(2)
      expect(lossy.complaints).toContain('pass --delete-indexes')
    },
  )
})

test('table create makes what infra describes: recovery and protection are on', async () => {
  const run = (words: readonly string[]) =>
    runCli([...words, '--table', 'made', '--schema', BLOG], { directory, transport: engine })
  expect(await run(['table', 'create'])).toMatchObject({ code: 0 })
  expect(await run(['infra', 'diff'])).toMatchObject({ code: 0 })
  const kept = await run(['table', 'delete', '--yes', 'made'])
  expect(kept.code).toBe(1)
  expect(kept.complaints).toContain('protected from deletion')
  expect(await run(['table', 'delete', '--yes', 'made', '--unprotect'])).toMatchObject({ code: 0 })
})

test('table list names all tables, and with --long their state', async () => {
  const transport = createEngine()
  const run = (words: readonly string[]) => runCli(words, { directory, transport })
  expect((await run(['table', 'list'])).complaints).toContain('There are no tables')
  for (const table of ['one', 'two']) {
    await run(['table', 'create', '--table', table, '--schema', BLOG])
  }
  expect((await run(['table', 'list'])).printed).toBe('one\ntwo')
  expect(JSON.parse((await run(['table', 'list', '--json'])).printed).tables).toEqual([
    'one',
    'two',
  ])
  expect((await run(['table', 'list', '--long'])).printed).toMatch(/^one +ACTIVE +0 +0 +\d$/m)
})

test('a signal ends the wait for an index within a second', async () => {
  const transport = createEngine()
  const given = ['--table', 'slow', '--schema', BLOG]
  let stop: ((signal: 'SIGTERM') => void) | undefined
  const waiting: Transport = {
    async send(operation, request, options) {
      const answer = await transport.send(operation, request, options)
      if (operation !== 'DescribeTable') return answer
      setTimeout(() => stop?.('SIGTERM'), 20)
      const { Table } = answer as { Table: object }
      return { ...answer, Table: { ...Table, TableStatus: 'UPDATING' } }
    },
  }
  const stops = {
    onSignal: (callback: (signal: 'SIGINT' | 'SIGTERM') => void) => {
      stop = callback
      return () => {}
    },
    exit: () => {},
  }
  const { code, complaints } = await runCli(['table', 'apply', ...given], {
    directory,
    transport: waiting,
    stops,
  })
  expect(code).toBe(143)
  expect(complaints).toContain('Run this again')
})

test('table apply waits for an index that an interrupted run began', async () => {
  const schemas = [{}, { gsi1: { hash: 'g1' } }, { gsi1: { hash: 'g1' }, gsi2: { hash: 'g2' } }]
  const files = schemas.map((indexes, at) => {
    const file = path.join(directory, `indexes-${at}.mjs`)
    const models = { A: { key: { pk: 'A#${id}' }, attributes: { id: { required: true } } } }
    const schema = { indexes: { primary: { hash: 'pk' }, ...indexes }, models }
    const text = JSON.stringify(schema).replace('"required"', '"type":String,"required"')
    writeFileSync(file, `export const schema = ${text}\n`)
    return file
  })
  const environment = simulatedEnvironment()
  const slow = createEngine({ environment, transitionMs: 1000 })
  // Time continues with each look at the table, unless a signal is to come first.
  const passing: Transport = {
    async send(operation, request, options) {
      if (operation === 'DescribeTable') await environment.advance(1000)
      return slow.send(operation, request, options)
    },
  }
  const apply = (at: number, transport: Transport, stops?: Stops) =>
    runCli(['table', 'apply', '--table', 'Slow', '--schema', `${files[at]}`], {
      directory,
      transport,
      stops,
    })
  expect(await apply(0, passing)).toMatchObject({ code: 0 })
  // A signal that comes while the first index is made.
  const interrupted = await apply(1, slow, {
    onSignal(callback) {
      const timer = setInterval(async () => {
        const { Table } = await slow.send('DescribeTable', { TableName: 'Slow' })
        if (Table?.GlobalSecondaryIndexes?.length) callback('SIGINT')
      })
      return () => clearInterval(timer)
    },
    exit: () => {},
  })
  expect(interrupted.code).toBe(130)
  expect(await apply(2, passing)).toMatchObject({ code: 0 })
  await slow.close()
})
