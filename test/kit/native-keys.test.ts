import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createEngine } from 'singletable/engine'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from './run-cli.ts'

/** Every tool on a table whose primary key is made of plain attributes, one of them a number. */

const SCHEMA = `
import { defineSchema } from 'singletable'

export const schema = defineSchema({
  indexes: {
    primary: { hash: 'sensorId', sort: 'at' },
    byPlace: { hash: 'place', sort: 'at' },
  },
  models: {
    Reading: {
      key: { sensorId: '\${sensorId}', at: '\${at}' },
      attributes: {
        sensorId: { type: String, required: true },
        at: { type: Number, required: true },
        place: { type: String, required: true },
        celsius: { type: Number },
      },
      stats: { count: 1000, itemBytes: 100, perPartition: { average: 10, max: 20 } },
    },
  },
  patterns: {
    record: { entity: 'Reading', op: 'create' },
    readings: { entity: 'Reading', op: 'query', by: ['sensorId'], range: 'at', limit: 20 },
    reading: { entity: 'Reading', op: 'get', by: ['sensorId', 'at'] },
    byPlace: { entity: 'Reading', op: 'query', index: 'byPlace', by: ['place'], range: 'at', limit: 20 },
    correct: { entity: 'Reading', op: 'update', by: ['sensorId', 'at'], set: ['celsius'] },
  },
})
`

let directory: string
const engine = createEngine()
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'singletable-native-'))
  writeFileSync(path.join(directory, 'schema.ts'), SCHEMA)
})
afterAll(async () => {
  await engine.close()
  rmSync(directory, { recursive: true, force: true })
})

const run = async (...parameters: readonly string[]) => {
  const done = await runCli([...parameters], { transport: engine, directory })
  return { ...done, all: done.printed + done.complaints + done.data }
}

test('a table with such a key is created, seeded, queried and sampled', async () => {
  const made = await run('table', 'create', '--schema', 'schema.ts', '--table', 'Native')
  expect(made.complaints).toBe('')
  const { Table } = await engine.send('DescribeTable', { TableName: 'Native' })
  expect(Table?.AttributeDefinitions).toContainEqual({ AttributeName: 'at', AttributeType: 'N' })
  const seeded = await run('seed', '--schema', 'schema.ts', '--table', 'Native', '--count', '30')
  expect(seeded.code, seeded.all).toBe(0)
  const { Items = [] } = await engine.send('Scan', { TableName: 'Native' })
  expect(Items.length).toBe(30)
  const sensor = Items[0]?.sensorId?.S
  const found = await run(
    ...['query', 'readings', `sensorId=${sensor}`, '--schema', 'schema.ts'],
    ...['--table', 'Native', '--json'],
  )
  expect(found.code, found.all).toBe(0)
  expect(found.all).toContain(`"sensorId":"${sensor}"`)
  const checked = await run('check', '--schema', 'schema.ts', '--sample', '--table', 'Native')
  expect(checked.code, checked.all).toBe(0)
})

test.each([
  ['check', '--run'],
  ['docs', '--json'],
  ['cost'],
  ['infra', 'cfn', '--table', 'Native'],
  ['infra', 'terraform', '--table', 'Native'],
  ['infra', 'workbench', '--table', 'Native'],
])('%s knows it: %s', async (...words) => {
  const done = await run(...words, '--schema', 'schema.ts')
  expect(done.code, done.all).toBe(0)
  expect(done.all).not.toMatch(/undefined|\[object/)
})
