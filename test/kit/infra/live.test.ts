import { setTimeout as wait } from 'node:timers/promises'
import type { Transport } from 'singletable'
import { connect } from 'singletable/direct'
import { createEngine } from 'singletable/engine'
import { afterAll, describe, expect, test } from 'vitest'
import { refereePort } from '../../referee/referee-port.ts'
import { BLOG, EVERYTHING, PROVISIONED, runInfra } from './run-infra.ts'

const port = await refereePort()
const local =
  port === undefined
    ? undefined
    : connect({
        endpoint: `http://127.0.0.1:${port}`,
        region: 'us-east-1',
        credentials: { accessKeyId: 'infra', secretAccessKey: 'infra' },
        // Making a table takes DynamoDB Local its time on a busy machine.
        requestTimeoutMs: 20_000,
      })
afterAll(() => local?.close())

const schemas = [
  { name: 'blog', file: BLOG },
  { name: 'everything', file: EVERYTHING },
  { name: 'provisioned', file: PROVISIONED },
]
const targets = [
  { target: 'the engine', transport: createEngine() as Transport },
  ...(local ? [{ target: 'DynamoDB Local', transport: local as Transport }] : []),
]

interface Call {
  readonly operation: 'CreateTable'
  readonly request: never
}

/** Carries out the calls that a run has printed; those that the service does not have are left
 * out. */
async function carryOut(transport: Transport, printed: string): Promise<void> {
  for (const { operation, request } of JSON.parse(printed) as readonly Call[]) {
    await transport.send(operation, request).catch((error: Error) => {
      if (!/Unknown/i.test(`${error.name} ${error.message}`)) throw error
    })
    await untilActive(transport, request)
  }
}

async function untilActive(transport: Transport, request: { TableName: string }): Promise<void> {
  for (;;) {
    const { Table } = await transport.send('DescribeTable', { TableName: request.TableName })
    const indexes = Table.GlobalSecondaryIndexes ?? []
    const states = [Table.TableStatus, ...indexes.map(({ IndexStatus }) => IndexStatus)]
    if (states.every((state) => state === 'ACTIVE')) return
    await wait(50)
  }
}

describe.each(targets)('a table on $target', ({ target, transport }) => {
  test.each(schemas)(
    'that infra sdk makes of $name is the same to infra diff',
    async ({ name, file }) => {
      const table = `infra-${name}-${target.replaceAll(' ', '')}`
      const given = ['--schema', file, '--table', table]
      const { printed } = await runInfra(['sdk', '--json', ...given])
      await carryOut(transport, printed)
      // Local does not show the class of a table, and has no encryption.
      const ignored =
        target === 'DynamoDB Local' ? ['--ignore', 'class', '--ignore', 'encryption'] : []
      const same = await runInfra(['diff', ...given, ...ignored], { transport })
      expect(same.complaints).toBe('')
      expect(same.printed).toContain('matches the schema')
      expect(same.code).toBe(0)
    },
  )

  test('of another schema differs in each aspect, with exit code 1', async () => {
    const table = `infra-other-${target.replaceAll(' ', '')}`
    const { printed } = await runInfra(['sdk', '--json', '--schema', BLOG, '--table', table])
    await carryOut(transport, printed)
    const given = ['diff', '--schema', EVERYTHING, '--table', table]
    const { code, printed: differences } = await runInfra(given, { transport })
    expect(code).toBe(1)
    expect(differences).toContain(
      'the local index "lsi1" is missing: (pk:S | lsi1sk:N) with KEYS_ONLY',
    )
    expect(differences).toContain('the global index "byTournament" is missing')
    expect(differences).toContain('the table class is standard, not infrequent access')
    const report = JSON.parse((await runInfra([...given, '--json'], { transport })).printed)
    expect(report).toMatchObject({ table, same: false })
  })

  test('comes to another schema step by step', async () => {
    const table = `infra-steps-${target.replaceAll(' ', '')}`
    const from = ['--schema', PROVISIONED, '--table', table]
    await carryOut(transport, (await runInfra(['sdk', '--json', ...from])).printed)
    const to = ['--schema', `${import.meta.dirname}/provisioned-later-schema.ts`, '--table', table]
    const context = { transport }
    expect((await runInfra(['diff', ...to], context)).code).toBe(1)
    const steps = await runInfra(['cfn', '--from', 'live', ...to], context)
    expect(steps.code).toBe(2)
    expect(steps.complaints).toContain('This takes 4 deployments')
    await carryOut(
      transport,
      (await runInfra(['sdk', '--json', '--from', 'live', ...to], context)).printed,
    )
    const { code, printed } = await runInfra(['diff', ...to], context)
    expect(printed).toContain('matches the schema')
    expect(code).toBe(0)
  })
})

test('a table gets a maximum, warm throughput, a key and another recovery period', async () => {
  const transport = createEngine()
  const schema = (name: string): string[] => [
    ...['--schema', `${import.meta.dirname}/${name}-schema.ts`],
    ...['--table', 'Counters'],
  ]
  const context = { transport }
  await carryOut(
    transport,
    (await runInfra(['sdk', '--json', ...schema('provisioned-later')])).printed,
  )
  const before = await runInfra(['diff', ...schema('settings')], context)
  expect(before.printed).toContain(
    'the maximum on demand is not given, not any read and 500 write units',
  )
  expect(before.printed).toContain('the warm throughput is')
  expect(before.printed).toContain('point-in-time recovery is off, not on for 7 days')
  expect(before.printed).toContain('the encryption key is aws-owned, not aws-managed')
  const steps = await runInfra(['sdk', '--json', '--from', 'live', ...schema('settings')], context)
  await carryOut(transport, steps.printed)
  const after = await runInfra(['diff', ...schema('settings')], context)
  expect(after.printed).toContain('matches the schema')
  const back = await runInfra(['diff', ...schema('provisioned-later')], context)
  expect(back.printed).toContain('the encryption key is')
})

test('a missing table is reported, with exit code 1', async () => {
  const transport = createEngine()
  const run = await runInfra(['diff', '--schema', BLOG, '--table', 'Nowhere'], { transport })
  expect(run).toMatchObject({ code: 1 })
  expect(run.complaints).toContain('There is no table "Nowhere".')
})

test('without a way to the table nothing is called', async () => {
  const run = await runInfra(['diff', '--schema', BLOG, '--table', 'Blog'])
  expect(run.code).toBe(2)
  expect(run.complaints).toContain('Nothing says where the table is.')
})

test('what can not be understood exits with 2 and prints nothing', async () => {
  const run = await runInfra(['diff', '--json', '--schema', BLOG, '--ignore', 'nothing'])
  expect(run).toMatchObject({ code: 2, printed: '' })
  expect(JSON.parse(run.complaints)).toMatchObject({ error: { exitCode: 2 } })
})
