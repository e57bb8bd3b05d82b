import type {
  DynamoDBStreamsClient,
  GetRecordsCommandOutput,
} from '@aws-sdk/client-dynamodb-streams'
import { defineSchema, Table, type Transport } from 'singletable'
import type { Engine } from 'singletable/engine'
import {
  changesOf,
  onChange,
  pollStream,
  propagateCopies,
  type StreamHandler,
  verifyCopies,
} from 'singletable/streams'
import { expectTypeOf, test } from 'vitest'

/** Changes and handlers have the types of their models. What is here is compiled and never run. */

declare const client: Transport
declare const sdkRecords: NonNullable<GetRecordsCommandOutput['Records']>
declare const engine: Engine
declare const streamsClient: DynamoDBStreamsClient

const definition = {
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    User: {
      key: { pk: 'USER#${username}', sk: 'PROFILE' },
      attributes: {
        username: { type: String, required: true },
        born: { type: Date },
      },
    },
    Order: {
      key: { pk: 'ORDER#${number:pad(6)}', sk: 'ORDER' },
      attributes: {
        number: { type: Number, required: true },
        username: { type: String, required: true },
        total: { type: Number },
      },
      copies: { UserOrder: { key: { pk: 'USER#${username}', sk: 'ORDER#${number:pad(6)}' } } },
    },
  },
} as const
const schema = defineSchema(definition)
const keysOnly = defineSchema({ ...definition, table: { stream: 'keys' } })
const newOnly = defineSchema({ ...definition, table: { stream: 'new' } })
const table = new Table({ name: 'shop', schema, client })

test('a change is narrowed by its entity and type', () => {
  for (const change of changesOf(table, sdkRecords)) {
    if (change.entity === 'User' && change.type === 'modify') {
      expectTypeOf(change.before.username).toEqualTypeOf<string>()
      expectTypeOf(change.after.born).toEqualTypeOf<Date | undefined>()
      expectTypeOf(change.keys.username).toEqualTypeOf<string>()
      expectTypeOf(change.changed).toEqualTypeOf<readonly ('username' | 'born')[]>()
    }
    if (change.entity === 'Order' && change.type === 'insert') {
      expectTypeOf(change.before).toEqualTypeOf<undefined>()
      expectTypeOf(change.keys.number).toEqualTypeOf<number>()
      // @ts-expect-error an order has no such attribute
      change.after.born
    }
    if (change.entity === 'UserOrder' && change.type === 'remove') {
      expectTypeOf(change.after).toEqualTypeOf<undefined>()
      expectTypeOf(change.before.total).toEqualTypeOf<number | undefined>()
    }
    if (change.entity === undefined) {
      expectTypeOf(change.kind).toEqualTypeOf<'unknown' | 'unique' | 'sequence'>()
      expectTypeOf(change.after).toEqualTypeOf<Record<string, unknown> | undefined>()
    }
    // @ts-expect-error there is no such model
    if (change.entity === 'Usr') return
  }
})

test('a stream without images has no items in its changes', () => {
  for (const change of changesOf(keysOnly, [])) {
    if (change.entity !== 'User') continue
    expectTypeOf(change.before).toEqualTypeOf<undefined>()
    expectTypeOf(change.after).toEqualTypeOf<undefined>()
    expectTypeOf(change.keys.username).toEqualTypeOf<string | undefined>()
  }
  onChange(newOnly, {
    User: {
      modify: ({ before, after }) => {
        expectTypeOf(before).toEqualTypeOf<undefined>()
        expectTypeOf(after.username).toEqualTypeOf<string>()
      },
    },
    UserOrder: {
      remove: ({ before }) => expectTypeOf(before).toEqualTypeOf<undefined>(),
    },
  })
})

test('handlers have the types of their models', () => {
  const handler = onChange(table, {
    User: {
      insert: ({ after, before }) => {
        expectTypeOf(after.username).toEqualTypeOf<string>()
        expectTypeOf(before).toEqualTypeOf<undefined>()
      },
      expire: async ({ before, expired }) => {
        expectTypeOf(before.born).toEqualTypeOf<Date | undefined>()
        expectTypeOf(expired).toEqualTypeOf<boolean>()
      },
    },
    UserOrder: { modify: ({ after }) => expectTypeOf(after.number).toEqualTypeOf<number>() },
    unknown: ({ keys }) => expectTypeOf(keys).toEqualTypeOf<Record<string, unknown>>(),
  })
  expectTypeOf(handler).toEqualTypeOf<StreamHandler>()

  // @ts-expect-error there is no such model
  onChange(table, { Usr: {} })
  // @ts-expect-error there is no such verb
  onChange(table, { User: { update: () => {} } })
  // @ts-expect-error a user has no total
  onChange(schema, { User: { insert: ({ after }) => after.total } })
  // @ts-expect-error a handler is a function
  onChange(schema, { User: { insert: 'yes' } })
  // @ts-expect-error there is no such option
  onChange(schema, {}, { retry: true })
})

test('a poller takes engines and clients of the SDK, and any handler of Lambda', () => {
  const handler = onChange(table, {})
  pollStream({ source: engine, streamArn: 'arn', handler })
  pollStream({ source: streamsClient, table: 'shop', handler, from: 'latest' })
  pollStream({ table, handler: propagateCopies(table), from: new Date(0), until: 'caught-up' })
  pollStream({ table, handler: async ({ Records }) => void Records[0]?.dynamodb.Keys.pk?.S })
  // @ts-expect-error a handler is needed
  pollStream({ table })
  // @ts-expect-error no such beginning
  pollStream({ table, handler, from: 'now' })
  // @ts-expect-error no such decision
  pollStream({ table, handler, onFailure: () => 'ignore' })
})

test('propagation and verification are of tables', () => {
  verifyCopies(table, { repair: true })
  // @ts-expect-error a schema alone reaches no data
  verifyCopies(schema)
  // @ts-expect-error a schema alone reaches no data
  propagateCopies(schema)
})
