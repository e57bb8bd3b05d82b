import { createEngine, type Engine, type Item, simulatedEnvironment } from 'singletable/engine'
import { startCall } from '../../packages/singletable/src/execute/call.ts'
import { executeWrite } from '../../packages/singletable/src/execute/execute-write.ts'
import type { TableContext } from '../../packages/singletable/src/execute/table-context.ts'
import { compileSchema } from '../../packages/singletable/src/plan/compile-schema.ts'
import { referencesOf, toReference } from '../../packages/singletable/src/plan/references.ts'
import type {
  Assignment,
  DeleteState,
  PutState,
  UpdateState,
} from '../../packages/singletable/src/plan/state.ts'
import { planDelete } from '../../packages/singletable/src/plan/write/plan-delete.ts'
import { planPut } from '../../packages/singletable/src/plan/write/plan-put.ts'
import { planUpdate } from '../../packages/singletable/src/plan/write/plan-update.ts'
import type { UpdatePlan } from '../../packages/singletable/src/plan/write/staged-plan.ts'
import type { Index, Model, Schema } from '../../packages/singletable/src/schema/model.ts'
import type { SchemaDefinition } from '../../packages/singletable/src/schema/schema-definition.ts'
import { RetryPolicy } from '../../packages/singletable/src/wire/retry-policy.ts'
import type { Transport } from '../../packages/singletable/src/wire/transport.ts'

export const TABLE_NAME = 'Things'
export const NOW = Date.UTC(2026, 0, 2, 3, 4, 5)

/** What an update in a test says, in short. */
export interface Changes {
  readonly set?: Readonly<Record<string, unknown>>
  readonly default?: Readonly<Record<string, unknown>>
  readonly add?: Readonly<Record<string, unknown>>
  readonly take?: Readonly<Record<string, unknown>>
  readonly append?: Readonly<Record<string, readonly unknown[]>>
  readonly prepend?: Readonly<Record<string, readonly unknown[]>>
  readonly remove?: readonly string[]
  /** Changes of places inside attributes. */
  readonly more?: (attr: never) => readonly Assignment[]
  readonly given?: object
  readonly version?: number
  readonly where?: UpdateState['where']
  readonly returning?: UpdateState['returning']
}

/** A table on an engine, written to by plans alone: what is between builders and execution. */
export interface WriteTable {
  readonly engine: Engine
  readonly schema: Schema
  readonly context: TableContext
  /** Operations in the order they were sent. */
  readonly sent: { readonly operation: string; readonly request: unknown }[]
  /** What the caller was warned of. */
  readonly warnings: string[]
  /** Called before an operation is sent, to come in between. */
  before: ((operation: string) => Promise<void>) | undefined
  now: number
  model(name: string): Model
  planPut(model: string, input: object, options?: Partial<PutState>): UpdatePlan
  planUpdate(model: string, key: object, changes: Changes, verb?: 'update' | 'upsert'): UpdatePlan
  planDelete(model: string, key: object, options?: Partial<DeleteState>): UpdatePlan
  execute(plan: UpdatePlan): Promise<Record<string, unknown> | undefined>
  put(model: string, input: object, options?: Partial<PutState>): Promise<unknown>
  update(model: string, key: object, changes: Changes): Promise<unknown>
  upsert(model: string, key: object, changes: Changes): Promise<unknown>
  delete(model: string, key: object, options?: Partial<DeleteState>): Promise<unknown>
  /** The stored item, as it is. */
  item(model: string, key: object): Promise<Item | undefined>
  /** All entries of an index, or all items. */
  scan(index?: string): Promise<Item[]>
}

export async function createWriteTable(definition: SchemaDefinition): Promise<WriteTable> {
  const schema = compileSchema(definition)
  const environment = simulatedEnvironment({ now: NOW })
  const engine = createEngine({ environment })
  await engine.send('CreateTable', tableRequest(schema))
  const sent: { operation: string; request: unknown }[] = []
  const transport: Transport = {
    async send(operation, request, options) {
      const { before } = table
      table.before = undefined
      await before?.(operation)
      sent.push({ operation, request })
      return engine.send(operation, request, options)
    },
  }
  const warnings: string[] = []
  let seed = 0
  const context: TableContext = {
    name: TABLE_NAME,
    schema,
    transport,
    environment: {
      now: () => table.now,
      randomBytes(count) {
        seed++
        return Uint8Array.from({ length: count }, (_, byte) => seed >> (8 * (byte % 4)))
      },
      schedule(callback) {
        queueMicrotask(callback)
        return () => undefined
      },
    },
    retry: new RetryPolicy({ attemptsMax: 5, delayMsBase: 1, delayMsMax: 10 }),
    deadlineMs: undefined,
    cursorSecrets: [],
    warn: (message) => void warnings.push(message),
  }
  const planContext = {
    tableName: TABLE_NAME,
    environment: context.environment,
    warn: context.warn,
  }
  const common = { where: undefined, capacity: undefined }
  const table: WriteTable = {
    engine,
    schema,
    context,
    sent,
    warnings,
    before: undefined,
    now: NOW,
    model: (name) => schema.models.get(name)!,
    planPut: (name, input, options) =>
      planPut(
        { ...common, model: table.model(name), input, verb: 'put', returning: 'NEW', ...options },
        planContext,
      ),
    planUpdate(name, key, changes, verb = 'update') {
      const model = table.model(name)
      const { given, version, where, returning = 'ALL_NEW' } = changes
      const assignments = assignmentsOf(model, changes)
      const state = { ...common, where, model, verb, key, assignments, given, version, returning }
      return planUpdate(state, planContext)
    },
    planDelete: (name, key, options) =>
      planDelete(
        {
          ...common,
          model: table.model(name),
          key,
          version: undefined,
          returning: 'NONE',
          mustExist: false,
          ...options,
        },
        planContext,
      ),
    execute: (plan) =>
      executeWrite(context, startCall(context, 'write', plan.model.name, undefined), plan),
    put: async (...input) => table.execute(table.planPut(...input)),
    update: async (...input) => table.execute(table.planUpdate(...input)),
    upsert: async (...input) => table.execute(table.planUpdate(...input, 'upsert')),
    delete: async (...input) => table.execute(table.planDelete(...input)),
    async item(name, key) {
      const Key = table.model(name).encodeKey(key, 'test')
      return (await engine.send('GetItem', { TableName: TABLE_NAME, Key })).Item
    },
    async scan(index) {
      const request = { TableName: TABLE_NAME, ...(index && { IndexName: index }) }
      return (await engine.send('Scan', request)).Items ?? []
    },
  }
  return table
}

function assignmentsOf(model: Model, changes: Changes): Assignment[] {
  // References are looked up by the names that tests use.
  const attr = referencesOf(model) as Record<string, unknown>
  const target = (name: string) => toReference(attr[name])!
  const assignments: Assignment[] = []
  for (const kind of ['set', 'default', 'add'] as const) {
    for (const [name, value] of Object.entries(changes[kind] ?? {})) {
      assignments.push({ kind, target: target(name), value })
    }
  }
  for (const [name, value] of Object.entries(changes.take ?? {})) {
    assignments.push({ kind: 'delete', target: target(name), value })
  }
  for (const kind of ['append', 'prepend'] as const) {
    for (const [name, value] of Object.entries(changes[kind] ?? {})) {
      assignments.push({ kind, target: target(name), value })
    }
  }
  for (const name of changes.remove ?? []) {
    assignments.push({ kind: 'remove', target: target(name) })
  }
  return [...assignments, ...(changes.more?.(attr as never) ?? [])]
}

function tableRequest(schema: Schema) {
  const keySchema = ({ hash, sort }: Index) => [
    ...hash.map((AttributeName) => ({ AttributeName, KeyType: 'HASH' as const })),
    ...sort.map((AttributeName) => ({ AttributeName, KeyType: 'RANGE' as const })),
  ]
  const indexes = (type: Index['type']) =>
    [...schema.indexes.values()]
      .filter((index) => index.type === type)
      .map((index) => ({
        IndexName: index.name,
        KeySchema: keySchema(index),
        Projection: { ProjectionType: 'ALL' as const },
      }))
  const global = indexes('global')
  const local = indexes('local')
  return {
    TableName: TABLE_NAME,
    BillingMode: 'PAY_PER_REQUEST' as const,
    KeySchema: keySchema(schema.primary),
    AttributeDefinitions: [...schema.keyTypes].map(([AttributeName, AttributeType]) => ({
      AttributeName,
      AttributeType,
    })),
    ...(global.length > 0 && { GlobalSecondaryIndexes: global }),
    ...(local.length > 0 && { LocalSecondaryIndexes: local }),
  }
}
