import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { columns, csv, defineImport } from '@singletable/kit/import'
import { lmdbStorage } from '@singletable/kit/storage'
import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { compileSchema, type Transport } from 'singletable/tools'
import { runImport } from '../../packages/kit/src/import/run-import.ts'
import { Staging } from '../../packages/kit/src/import/staging.ts'
import { fileTarget, tableTarget } from '../../packages/kit/src/import/targets.ts'

/** Several chunks of 500 rows, so that there is something between the first and the last one. */
const USERS = 40
const ORDERS = 1_700

const SCHEMA = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    User: {
      key: { pk: 'USER#${userId}', sk: 'USER' },
      attributes: {
        userId: { type: String, required: true },
        email: { type: String, unique: true },
        orders: { type: Number, counts: 'Order' },
      },
    },
    Order: {
      key: { pk: 'USER#${userId}', sk: 'ORDER#${orderId}' },
      attributes: {
        userId: { type: String, required: true },
        orderId: { type: String, required: true },
        total: { type: 'decimal' },
        email: { type: String },
      },
    },
  },
})
/** Counters are not part of files. */
const { orders: _, ...WITHOUT_COUNTER } = SCHEMA.models.User.attributes
const FILES_SCHEMA = defineSchema({
  ...SCHEMA,
  models: { ...SCHEMA.models, User: { ...SCHEMA.models.User, attributes: WITHOUT_COUNTER } },
})

export function writeSources(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const users = Array.from({ length: USERS }, (_, id) => `${id},${id}@x\n`)
  const orders = Array.from({ length: ORDERS }, (_, id) => `${id},${id % USERS},${id}.25\n`)
  writeFileSync(path.join(folder, 'users.csv'), `id,email\n${users.join('')}`)
  writeFileSync(path.join(folder, 'orders.csv'), `id,user_id,total\n${orders.join('')}`)
}

/** An import into a durable table or into files; `onStep` is called for each row and each
 * request. */
export async function importOnce(
  folder: string,
  kind: 'table' | 'files',
  onStep: (isAfter: boolean) => void = () => {},
): Promise<number> {
  let steps = 0
  const step = (): void => {
    steps++
    onStep(false)
  }
  const schema = compileSchema(kind === 'table' ? SCHEMA : FILES_SCHEMA)
  const definition = defineImport(SCHEMA, {
    sources: { users: csv('users.csv'), orders: csv('orders.csv') },
    emit: {
      User: { from: 'users', set: { userId: 'id', email: 'email' } },
      Order: {
        from: 'orders',
        join: { users: 'user_id' },
        set: {
          orderId: 'id',
          userId: 'user_id',
          email: 'users.email',
          total: columns(['total'], (total) => {
            step()
            return total
          }),
        },
      },
    },
  })
  const engine = createEngine({ storage: lmdbStorage(path.join(folder, 'data')) })
  const transport: Transport = {
    async send(operation, request, options) {
      step()
      const response = await engine.send(operation, request, options)
      onStep(true)
      return response
    },
  }
  const table = new Table({ name: 'Shop', schema: SCHEMA, client: engine })
  if (kind === 'table' && !(await table.exists())) await table.create()
  // Opened again after each chunk, as a long import does now and then.
  const staging = new Staging(path.join(folder, 'progress'), 500)
  const progress = staging.progress ?? {
    startedAt: 1_000,
    checksum: '',
    rows: {},
    staged: [],
    items: 0,
    parts: 0,
  }
  staging.save(progress)
  const target =
    kind === 'table'
      ? tableTarget(transport, 'Shop', schema)
      : fileTarget({
          directory: path.join(folder, 'out'),
          schema,
          tableName: 'Shop',
          bucket: 'b',
          prefix: '',
          parts: progress.parts,
          partCharacters: 100_000,
        })
  await runImport({
    definition,
    schema,
    tableName: 'Shop',
    directory: folder,
    transport: kind === 'table' ? transport : undefined,
    staging,
    progress,
    target,
    signal: new AbortController().signal,
    onProgress() {},
  })
  await staging.close()
  await engine.close()
  return steps
}

/** All items of the table, or all lines of the files, in one order. */
export async function contentOf(folder: string): Promise<readonly string[]> {
  const out = path.join(folder, 'out/data')
  if (existsSync(out)) {
    const files = readdirSync(out).sort()
    return files.flatMap((file) => [
      file,
      ...gunzipSync(readFileSync(path.join(out, file)))
        .toString()
        .split('\n'),
    ])
  }
  const engine = createEngine({ storage: lmdbStorage(path.join(folder, 'data')) })
  try {
    const { Items = [] } = await engine.send('Scan', { TableName: 'Shop' })
    return Items.map((item) => JSON.stringify(item)).sort()
  } finally {
    await engine.close()
  }
}
