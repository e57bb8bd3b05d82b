import { statSync } from 'node:fs'
import { join } from 'node:path'
import { csv, defineImport } from '@singletable/kit/import'
import { defineSchema, Table } from 'singletable'
import { compileSchema } from 'singletable/tools'
import { openData } from '../../../packages/kit/src/cli/data-connection.ts'
import { runImport } from '../../../packages/kit/src/import/run-import.ts'
import { Staging } from '../../../packages/kit/src/import/staging.ts'
import { tableTarget } from '../../../packages/kit/src/import/targets.ts'
import { measurePeak } from '../../peak-memory.ts'

const [folder = '', rows = ''] = process.argv.slice(2)
const definition = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    User: {
      key: { pk: 'USER#${id}', sk: 'USER' },
      attributes: {
        id: { type: String, required: true },
        email: { type: String },
        score: { type: 'decimal' },
        createdAt: { type: Date },
        text: { type: String },
      },
    },
  },
})
const tableName = 'Users'
const schema = compileSchema(definition)
const { transport, close, concurrentRequests } = await openData(join(folder, 'data'), undefined)
await new Table({ name: tableName, schema: definition, client: transport }).create()
const staging = new Staging(join(folder, 'progress'))
const begin = performance.now()
const peak = measurePeak()
const result = await runImport({
  definition: defineImport(definition, {
    sources: { users: csv('users.csv') },
    emit: {
      User: {
        from: 'users',
        set: {
          id: 'id',
          email: 'email',
          score: 'score',
          createdAt: 'created_at',
          text: 'text',
        },
      },
    },
  }),
  schema,
  tableName,
  directory: folder,
  transport,
  staging,
  progress: { startedAt: Date.now(), checksum: '', rows: {}, staged: [], items: 0, parts: 0 },
  target: tableTarget(transport, tableName, schema, { concurrentWrites: concurrentRequests }),
  signal: new AbortController().signal,
  onProgress(items) {
    const seconds = (performance.now() - begin) / 1000
    if (items % 100_000 === 0) console.log(`${items} items after ${seconds.toFixed(0)} s`)
  },
})
const seconds = (performance.now() - begin) / 1000
const { user, system } = process.cpuUsage()
await staging.close()
await close()
console.log(
  `${(statSync(join(folder, 'users.csv')).size / 1e6).toFixed(0)} MB, ${rows} rows: ${result.items} items in ${seconds.toFixed(1)} s, ${Math.round(result.items / seconds)} items/s, ${((user + system) / 1e6).toFixed(1)} s of CPU, ${peak.end()}`,
)
