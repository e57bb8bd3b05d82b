import { defineSchema, type SchemaDefinition, Table } from 'singletable'
import { addAttribute, rekey, renameAttribute } from 'singletable/migrations'
import { compileSchema, systemEnvironment } from 'singletable/tools'
import { openData } from '../../../packages/kit/src/cli/data-connection.ts'
import { Journal } from '../../../packages/kit/src/migrate/journal.ts'
import { runMigration } from '../../../packages/kit/src/migrate/run-migration.ts'
import { measurePeak } from '../../peak-memory.ts'

const [folder = '', count = '', work = ''] = process.argv.slice(2)
const items = Number(count)
const tableName = 'Users'
const indexes = { primary: { hash: 'pk', sort: 'sk' } } as const
const id = { type: String, required: true } as const
const before = defineSchema({
  indexes,
  models: {
    User: { key: { pk: 'USER#${id}', sk: 'USER' }, attributes: { id, mail: { type: String } } },
  },
})
const inPlace = defineSchema({
  indexes,
  models: {
    User: {
      key: { pk: 'USER#${id}', sk: 'USER' },
      attributes: { id, email: { type: String }, plan: { type: String, required: true } },
    },
  },
})
const moved = defineSchema({
  indexes,
  models: {
    User: {
      key: { pk: 'PERSON#${id}', sk: 'USER' },
      attributes: { id, email: { type: String }, plan: { type: String, required: true } },
    },
  },
})

// As singletable migrate up --data opens it.
const { transport, close } = await openData(folder, undefined, Number.POSITIVE_INFINITY)
if (work === 'fill') await fill()
if (work === 'edit') {
  const edits = [renameAttribute('User', 'mail', 'email'), addAttribute('User', 'plan', 'free')]
  await measure('1_edit', 'rename and add an attribute', before, inPlace, edits)
}
if (work === 'move') {
  await measure('2_move', 'move to another key', inPlace, moved, [rekey('User')])
}
await close()

async function fill(): Promise<void> {
  const table = new Table({ name: tableName, schema: before, client: transport })
  await table.create()
  const BATCH_ITEMS = 5_000
  for (let done = 0; done < items; done += BATCH_ITEMS) {
    const users = Array.from({ length: Math.min(BATCH_ITEMS, items - done) }, (_, at) => ({
      id: String(done + at),
      mail: `user${done + at}@example.org`,
    }))
    await table.entities.User.batchWrite(users)
  }
}

async function measure(
  id: string,
  what: string,
  old: SchemaDefinition,
  now: SchemaDefinition,
  steps: Parameters<typeof runMigration>[0]['migration']['steps'],
): Promise<void> {
  const after = compileSchema(now)
  const environment = systemEnvironment
  const journal = new Journal({
    transport,
    tableName,
    schema: after,
    environment,
    owner: 'bench',
  })
  await journal.acquire()
  const begin = performance.now()
  const peak = measurePeak()
  await runMigration({
    transport,
    tableName,
    environment,
    journal,
    id,
    checksum: '',
    before: compileSchema(old),
    after,
    migration: { steps },
    segments: 8,
    signal: new AbortController().signal,
    onProgress() {},
    onRequest() {},
  })
  await journal.release()
  const seconds = (performance.now() - begin) / 1000
  const rate = Math.round(items / seconds)
  const { user, system } = process.cpuUsage()
  console.log(
    `${what}: ${items} items in ${seconds.toFixed(1)} s, ${rate} items/s, ${((user + system) / 1e6).toFixed(1)} s of CPU, ${peak.end()}`,
  )
}
