import type { SchemaDefinition, Table } from 'singletable'
import { type Schema, ServiceError, type Transport } from 'singletable/tools'
import { diffShapes } from '../infra/diff-shapes.ts'
import { readLiveTable } from '../infra/live-shape.ts'
import { updateCalls } from '../infra/sdk.ts'
import { planSteps, type Step } from '../infra/steps.ts'
import { tableShape } from '../infra/table-shape.ts'

/** What was done to a table so that it matches the schema. */
export interface TableFit {
  readonly created: boolean
  /** Each change in a phrase: `made the index "gsi2"`. */
  readonly changes: readonly string[]
  /** What only another table can have, each difference in a phrase; nothing was changed then. */
  readonly needsNewTable: readonly string[]
}

/** Makes the table, or changes its indexes, one after the other as DynamoDB wants it, its time to
 * live and its stream. */
export async function fitTable(
  transport: Transport,
  table: Table<SchemaDefinition>,
  schema: Schema,
): Promise<TableFit> {
  if (!(await table.exists())) {
    await table.create()
    return { created: true, changes: [], needsNewTable: [] }
  }
  const { shape: live } = await readLiveTable(transport, table.name)
  const asked = tableShape(schema, table.name)
  // What a table costs and how it is kept is of no meaning here.
  const { keys, hash, sort, local, ttl, stream } = asked
  const global = asked.global.map((index) => ({ ...index, capacity: live.capacity }))
  const wanted = { ...live, keys, hash, sort, global, local, ttl, stream }
  const lasting = diffShapes(live, wanted).filter(({ kind }) => kind === 'replace')
  if (lasting.length > 0) {
    return { created: false, changes: [], needsNewTable: lasting.map(({ text }) => text) }
  }
  const changes: string[] = []
  for (const step of planSteps(live, wanted)) changes.push(await takeStep(transport, step))
  return { created: false, changes, needsNewTable: [] }
}

async function takeStep(transport: Transport, step: Step): Promise<string> {
  const { change } = step
  const phrase =
    change.kind === 'settings'
      ? `changed ${change.what.map((what) => (what === 'ttl' ? 'time to live' : what)).join(', ')}`
      : `${change.kind === 'create' ? 'made' : 'removed'} the index "${change.index}"`
  try {
    for (const { operation, request } of updateCalls(step)) await transport.send(operation, request)
    return phrase
  } catch (error) {
    // DynamoDB lets the time to live change just once an hour.
    if (change.kind !== 'settings' || !(error instanceof ServiceError)) throw error
    return `could not change ${change.what.join(', ')}: ${error.message}`
  }
}
