import { Table } from 'singletable'
import { createEngine, simulatedEnvironment } from 'singletable/engine'
import { countRequests } from '../count-requests.ts'
import { createMetrics } from './metrics.ts'
import { metricsSchema } from './schema.ts'

const MINUTE_MS = 60_000
const START = Date.UTC(2026, 0, 1, 9)

const environment = simulatedEnvironment({ now: START })
const engine = createEngine({ environment })
const table = new Table({ name: 'Metrics', schema: metricsSchema, client: engine, environment })
await table.create()
const { patterns: metrics, printRequests } = countRequests(createMetrics(table))
const servers = ['web1', 'web2', 'web3', 'db1', 'db2', 'queue1']
const time = (at: Date): string => at.toISOString().slice(11, 16)

// Six servers, every 20 minutes, for four hours.
for (let step = 0; step < 12; step++) {
  const cpu = servers.map((server, index) => [server, (step * 7 + index * 13) % 100] as const)
  await metrics.record(new Date(environment.now()), new Map(cpu))
  await environment.advance(20 * MINUTE_MS)
}

console.log('# A range of all servers')
const from = new Date(START + 50 * MINUTE_MS)
const to = new Date(START + 130 * MINUTE_MS)
const readings = await metrics.between(from, to)
console.log(`${readings.length} readings from ${time(from)} to ${time(to)}`)
console.log(`in order: ${[...new Set(readings.map(({ at }) => time(at)))].join(' ')}`)
const partitions = new Set(
  readings.map(({ server, at }) => table.entities.Reading.renderKey({ server, at }).pk),
)
console.log(`of ${partitions.size} partitions`)

console.log('\n# The newest')
for (const { server, at, cpu } of await metrics.newest(3))
  console.log(`${time(at)} ${server} ${cpu}`)

console.log('\n# One server')
const ofOne = await metrics.ofServer('db1', from, to)
console.log(ofOne.map(({ at, cpu }) => `${time(at)} ${cpu}`).join(', '))

console.log('\n# Pages')
let cursor: string | undefined
do {
  const page = await metrics.page(from, to, 10, cursor)
  console.log(`a page of ${page.items.length}`)
  cursor = page.cursor
} while (cursor !== undefined)

console.log('\n# Now')
const current = await metrics.current()
console.log(current.map(({ server, cpu }) => `${server} ${cpu}`).join(', '))

console.log('\n# A day later')
await environment.advance(24 * 60 * MINUTE_MS)
console.log(`${(await metrics.between(from, to)).length} readings`)

printRequests()
await engine.close()
