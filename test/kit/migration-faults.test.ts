import { createCipheriv } from 'node:crypto'
import type { SchemaDefinition } from 'singletable'
import { createEngine, type Engine } from 'singletable/engine'
import {
  addAttribute,
  custom,
  defineMigration,
  deleteModel,
  deriveAttribute,
  derivedItems,
  rekey,
  renameAttribute,
  renameModel,
  retypeAttribute,
} from 'singletable/migrations'
import { compileSchema, reverseSteps, type Transport } from 'singletable/tools'
import { expect, test } from 'vitest'
import { joinMigration } from '../../packages/kit/src/migrate/join-migration.ts'
import { printMigration } from '../../packages/kit/src/migrate/print-migration.ts'
import {
  type Change,
  dump,
  type Entities,
  MIGRATION_ID,
  migrate,
  open,
  type Place,
  PRIMARY,
  runOptions,
  schemaOf,
} from './migration-fixture.ts'

const tableName = 'Blog'

async function filled(
  before: SchemaDefinition,
  write: (entities: Entities) => Promise<unknown>,
): Promise<{ readonly engine: Engine; readonly place: Place }> {
  const engine = createEngine()
  const place = { transport: engine, tableName }
  const { table, entities } = open(before, place)
  await table.create()
  await write(entities)
  return { engine, place }
}

/** A transport that does something once, right before the first request of a kind. */
function before(engine: Engine, operations: readonly string[], act: () => Promise<unknown>) {
  let isDone = false
  return {
    async send(operation, request, options) {
      const text = JSON.stringify(request)
      // With strict fencing, writes of data check the journal.
      const isControl = text.includes('_KIT') && !text.includes('ConditionCheck')
      if (!isDone && !isControl && operations.includes(operation)) {
        isDone = true
        await act()
      }
      return engine.send(operation, request, options)
    },
  } as Transport
}

const WRITES = ['UpdateItem', 'TransactWriteItems']

function setOf(engine: Engine, name: string, value: string): () => Promise<unknown> {
  return () =>
    engine.send('UpdateItem', {
      TableName: tableName,
      Key: { pk: { S: 'USER#1' }, sk: { S: 'USER' } },
      UpdateExpression: 'SET #name = :value',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':value': { S: value } },
    })
}

test.each([
  ['an attribute that somebody adds between reading and writing is not overwritten', false],
  ['with strict fencing, such an attribute is not overwritten either', true],
])('%s', async (_title, isFenced) => {
  const change: Change = {
    before: schemaOf({ plan: { type: String } }),
    after: schemaOf({ plan: { type: String, required: true } }),
    steps: [addAttribute('User', 'plan', 'free')],
  }
  const { engine, place } = await filled(change.before, ({ User }) => User.put({ id: '1' }))
  const transport = before(engine, WRITES, setOf(engine, 'plan', 'paid'))
  await migrate({ ...place, transport }, change, { isFenced })
  expect(await dump(place)).toMatchObject([{ plan: { S: 'paid' } }])
})

test('an attribute that somebody adds to an item that moves is moved too', async () => {
  const attributes = { nick: { type: String } }
  const change: Change = {
    before: schemaOf(attributes),
    after: schemaOf(attributes, { key: { pk: 'PERSON#${id}', sk: 'PERSON' } }),
    steps: [rekey('User')],
  }
  const { engine, place } = await filled(change.before, ({ User }) => User.put({ id: '1' }))
  const transport = before(engine, WRITES, setOf(engine, 'nick', 'ada'))
  await migrate({ ...place, transport }, change)
  expect(await dump(place)).toMatchObject([{ pk: { S: 'PERSON#1' }, nick: { S: 'ada' } }])
})

test('an increment of a counter of a versioned item that moves is not lost', async () => {
  const attributes = { version: { type: Number, version: true }, logins: { type: Number } }
  const change: Change = {
    before: schemaOf(attributes),
    after: schemaOf(attributes, { key: { pk: 'PERSON#${id}', sk: 'PERSON' } }),
    steps: [rekey('User')],
  }
  const { engine, place } = await filled(change.before, ({ User }) =>
    User.put({ id: '1', logins: 1 }),
  )
  const transport = before(engine, WRITES, () =>
    engine.send('UpdateItem', {
      TableName: tableName,
      Key: { pk: { S: 'USER#1' }, sk: { S: 'USER' } },
      UpdateExpression: 'ADD logins :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
    }),
  )
  await migrate({ ...place, transport }, change)
  expect(await dump(place)).toMatchObject([{ pk: { S: 'PERSON#1' }, logins: { N: '2' } }])
})

test('no guard is written for a value that its item has lost in the meantime', async () => {
  const change: Change = {
    before: schemaOf({ email: { type: String } }),
    after: schemaOf({ email: { type: String, unique: true } }),
    steps: [derivedItems('User')],
  }
  const { engine, place } = await filled(change.before, ({ User }) =>
    User.put({ id: '1', email: 'a@x' }),
  )
  const transport = before(engine, WRITES, setOf(engine, 'email', 'b@x'))
  await migrate({ ...place, transport }, change)
  expect((await dump(place)).map(({ pk }) => pk?.S)).toEqual(['UNIQUE#User#email#b@x', 'USER#1'])
})

test('a value that two items have is reported with the guard that is there', async () => {
  const change: Change = {
    before: schemaOf({ email: { type: String } }),
    after: schemaOf({ email: { type: String, unique: true } }),
    steps: [derivedItems('User')],
  }
  const { place } = await filled(change.before, async ({ User }) => {
    await User.put({ id: '1', email: 'a@x' })
    await User.put({ id: '2', email: 'a@x' })
  })
  await expect(migrate(place, change)).rejects.toThrow('UNIQUE#User#email#a@x')
})

test('a copy with a map in it is written once', async () => {
  const attributes = { team: { type: String }, more: { type: Object } }
  const copies = { Member: { key: { pk: 'TEAM#${team}', sk: 'USER#${id}' } } }
  const change: Change = {
    before: schemaOf(attributes),
    after: schemaOf(attributes, { copies }),
    steps: [derivedItems('User')],
  }
  const { engine, place } = await filled(change.before, ({ User }) =>
    User.put({ id: '1', team: 'red', more: { a: 1, b: 2 } }),
  )
  // DynamoDB gives the members of maps in an order of its own.
  const transport = {
    async send(operation, request, options) {
      const response = await engine.send(operation, request, options)
      if (operation !== 'GetItem') return response
      return JSON.parse(JSON.stringify(response), (_, value: unknown) =>
        value && typeof value === 'object' && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).reverse())
          : value,
      )
    },
  } as Transport
  expect(await migrate({ ...place, transport }, change)).toBe(true)
})

test('a step that would change an item twice is refused, and nothing is written', async () => {
  const change: Change = {
    before: schemaOf({ price: { type: Number } }),
    after: schemaOf({ price: { type: Number } }),
    steps: [retypeAttribute('User', 'price', (price) => Number(price) * 100)],
  }
  const { place } = await filled(change.before, ({ User }) => User.put({ id: '1', price: 5 }))
  await expect(migrate(place, change)).rejects.toThrow('would be changed again by a second run')
  expect(await dump(place)).toMatchObject([{ price: { N: '5' } }])
})

test('a conversion between values that are stored alike goes there and back once', async () => {
  const schema = schemaOf({ code: { type: String } })
  const step = retypeAttribute('User', 'code', (code) => `v2:${code}`, {
    back: (code) => String(code).slice(3),
    isConverted: (code) => String(code).startsWith('v2:'),
  })
  const change: Change = { before: schema, after: schema, steps: [step] }
  const { place } = await filled(schema, ({ User }) => User.put({ id: '1', code: 'abc' }))
  await migrate(place, change)
  expect(await dump(place)).toMatchObject([{ code: { S: 'v2:abc' } }])
  const { steps } = reverseSteps([step], compileSchema(schema))
  await migrate(place, { ...change, steps }, { isDown: true })
  expect(await dump(place)).toMatchObject([{ code: { S: 'abc' } }])
})

test('two attributes that exchange their names are refused', async () => {
  const schema = schemaOf({ a: { type: String }, b: { type: String } })
  const steps = [renameAttribute('User', 'a', 'b'), renameAttribute('User', 'b', 'a')]
  const { place } = await filled(schema, ({ User }) => User.put({ id: '1', a: 'x', b: 'y' }))
  await expect(migrate(place, { before: schema, after: schema, steps })).rejects.toThrow(
    'has both "a" and "b", which differ',
  )
})

test('items without a type are found by their keys, and undeclared attributes stay', async () => {
  const change: Change = {
    before: schemaOf({ mail: { type: String } }),
    after: schemaOf({ email: { type: String } }, { key: { pk: 'PERSON#${id}', sk: 'PERSON' } }),
    steps: [renameAttribute('User', 'mail', 'email'), rekey('User')],
  }
  const { engine, place } = await filled(change.before, async () => undefined)
  await engine.send('PutItem', {
    TableName: tableName,
    Item: {
      pk: { S: 'USER#1' },
      sk: { S: 'USER' },
      mail: { S: 'a@x' },
      undeclared: { M: { deep: { SS: ['x', 'y'] } } },
    },
  })
  await migrate(place, change)
  expect(await dump(place)).toEqual([
    {
      pk: { S: 'PERSON#1' },
      sk: { S: 'PERSON' },
      email: { S: 'a@x' },
      undeclared: { M: { deep: { SS: ['x', 'y'] } } },
    },
  ])
})

test('an item of more than 400 KB after the step is reported, and the others are migrated', async () => {
  const change: Change = {
    before: schemaOf({ text: { type: String } }),
    after: schemaOf({ text: { type: String }, twice: { type: String } }),
    steps: [deriveAttribute('User', 'twice', ({ text }) => `${text}${text}`)],
  }
  const { place } = await filled(change.before, async ({ User }) => {
    await User.put({ id: '1', text: 'x'.repeat(200_000) })
    await User.put({ id: '2', text: 'x' })
  })
  await expect(migrate(place, change)).rejects.toThrow('1 item can\'t be migrated:\n  ["USER#1"')
  expect((await dump(place))[1]).toMatchObject({ twice: { S: 'xx' } })
})

test('an item with as many attributes as an expression can compare is migrated, one with more is reported', async () => {
  const change: Change = {
    before: schemaOf({}),
    after: schemaOf({ plan: { type: String } }),
    steps: [addAttribute('User', 'plan', 'free')],
  }
  const { engine, place } = await filled(change.before, async () => undefined)
  const put = async (id: string, count: number): Promise<void> => {
    const others = Array.from({ length: count }, (_, at) => [`x${at}`, { N: String(at) }] as const)
    const own = { pk: { S: `USER#${id}` }, sk: { S: 'USER' }, _type: { S: 'User' }, id: { S: id } }
    await engine.send('PutItem', {
      TableName: tableName,
      Item: { ...own, ...Object.fromEntries(others) },
    })
  }
  await put('1', 147)
  await migrate(place, change)
  expect((await dump(place))[0]).toMatchObject({ plan: { S: 'free' } })
  await put('2', 240)
  await expect(migrate(place, change, { id: '2' })).rejects.toThrow('too many to compare')
})

test('encrypted values follow an item to its new key, name and model', async () => {
  const codec = {
    // Bound to its place, as encrypted values are.
    encode: (value: { S?: string }, place: object) => ({ B: sealed(place, value.S ?? '') }),
    decode: (value: { B?: string }, place: object) => {
      const text = Buffer.from(value.B ?? '', 'base64').toString()
      const [bound, plain] = text.split('|')
      if (bound !== digest(place)) throw new Error('is not from here')
      return { S: plain }
    },
  }
  const sealed = (place: object, plain: string): string =>
    Buffer.from(`${digest(place)}|${plain}`).toString('base64')
  const digest = (place: object): string =>
    createCipheriv('aes-128-ecb', 'k'.repeat(16), null)
      .update(JSON.stringify(place).padEnd(400))
      .toString('hex')
      .slice(-200)
  const change: Change = {
    before: schemaOf({ ssn: { type: String, codec } }),
    after: {
      indexes: PRIMARY,
      models: {
        Person: {
          key: { pk: 'PERSON#${id}', sk: 'PERSON' },
          attributes: {
            id: { type: String, required: true },
            secret: { type: String, codec },
            pin: { type: String, codec },
          },
        },
      },
    } as unknown as SchemaDefinition,
    steps: [
      renameModel('User', 'Person'),
      renameAttribute('Person', 'ssn', 'secret'),
      deriveAttribute('Person', 'pin', ({ secret }) => `pin of ${secret}`),
    ],
  }
  const { place } = await filled(change.before, ({ User }) => User.put({ id: '1', ssn: '123' }))
  await migrate(place, change)
  const { entities } = open(change.after, place)
  expect(await entities.Person.get({ id: '1' })).toMatchObject({
    secret: '123',
    pin: 'pin of 123',
  })
})

const COMMENT = {
  Comment: {
    key: { pk: 'USER#${id}', sk: 'COMMENT#${n}' },
    attributes: {
      id: { type: String, required: true },
      n: { type: String, required: true },
      isOpen: { type: Boolean },
    },
  },
}

test('items of a model are deleted although the parent that counts them is gone', async () => {
  const change: Change = {
    before: schemaOf({ comments: { type: Number, counts: 'Comment' } }, {}, COMMENT),
    after: schemaOf({ comments: { type: Number } }),
    steps: [deleteModel('Comment')],
  }
  const { engine, place } = await filled(change.before, async ({ User, Comment }) => {
    await User.put({ id: '1' })
    await Comment.put({ id: '1', n: '1' })
  })
  await engine.send('DeleteItem', {
    TableName: tableName,
    Key: { pk: { S: 'USER#1' }, sk: { S: 'USER' } },
  })
  expect(await migrate(place, change)).toBe(true)
  expect(await dump(place)).toEqual([])
})

test('counters follow a step that changes whether an item is counted', async () => {
  const counts = { model: 'Comment', when: { isOpen: true } }
  const schema = schemaOf({ comments: { type: Number, counts } }, {}, COMMENT)
  const { place } = await filled(schema, async ({ User, Comment }) => {
    await User.put({ id: '1' })
    await Comment.put({ id: '1', n: '1', isOpen: true })
    await Comment.put({ id: '1', n: '2', isOpen: true })
  })
  const steps = [
    custom('Comment', (values) => ({ ...values, isOpen: values.n !== '1' && values.isOpen })),
  ]
  await migrate(place, { before: schema, after: schema, steps })
  const { entities } = open(schema, place)
  expect(await entities.User.get({ id: '1' })).toMatchObject({ comments: 1 })
})

test('keys of an index that is given up are removed', async () => {
  const attributes = { status: { type: String } }
  const change: Change = {
    before: {
      ...schemaOf(attributes, { index: { gsi1pk: 'STATUS#${status}', gsi1sk: 'USER#${id}' } }),
      indexes: { ...PRIMARY, gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' } },
    } as SchemaDefinition,
    after: schemaOf(attributes),
    steps: [addAttribute('User', 'status', 'open')],
  }
  const { place } = await filled(change.before, ({ User }) => User.put({ id: '1', status: 'open' }))
  await migrate(place, change)
  expect(Object.keys((await dump(place))[0] ?? {}).sort()).toEqual([
    '_type',
    'id',
    'pk',
    'sk',
    'status',
  ])
})

test('a way back that was interrupted is taken up as a way back', async () => {
  const change: Change = {
    before: schemaOf({ mail: { type: String } }),
    after: schemaOf({ email: { type: String } }),
    steps: [renameAttribute('User', 'mail', 'email')],
  }
  const { place } = await filled(change.before, ({ User }) => User.put({ id: '1', mail: 'a@x' }))
  await migrate(place, change)
  const back: Change = {
    before: change.after,
    after: change.before,
    steps: reverseSteps(change.steps, compileSchema(change.before)).steps,
  }
  const stopped = { isDown: true, signal: AbortSignal.abort() }
  expect(await migrate(place, back, stopped)).toBe(false)
  const { journal } = runOptions(place, change)
  expect((await journal.read()).records.get(MIGRATION_ID)).toMatchObject({
    state: 'paused',
    isDown: true,
  })
  expect(await migrate(place, back, { isDown: true })).toBe(true)
  expect(await dump(place)).toMatchObject([{ mail: { S: 'a@x' } }])
})

test('a migration whose code was corrected begins again, and is noted with its new code', async () => {
  const change: Change = {
    before: schemaOf({}),
    after: schemaOf({ plan: { type: String } }),
    steps: [
      addAttribute('User', 'plan', () => {
        throw new Error('write here what plan is')
      }),
    ],
  }
  const { place } = await filled(change.before, ({ User }) => User.put({ id: '1' }))
  await expect(migrate(place, change)).rejects.toThrow('write here what plan is')
  const steps = [addAttribute('User', 'plan', 'free')]
  await migrate(place, { ...change, steps }, { checksum: 'y' })
  const { journal } = runOptions(place, change)
  expect((await journal.read()).records.get(MIGRATION_ID)).toMatchObject({
    state: 'applied',
    checksum: 'y',
  })
})

test('a migration that stopped because old items kept coming can be continued', async () => {
  const change: Change = {
    before: schemaOf({}),
    after: schemaOf({ plan: { type: String } }),
    steps: [addAttribute('User', 'plan', 'free')],
  }
  const { engine, place } = await filled(change.before, ({ User }) => User.put({ id: '1' }))
  let ids = 1
  const { entities } = open(change.before, place)
  const transport = {
    async send(operation, request, options) {
      if (operation === 'Scan') await entities.User.put({ id: String(++ids) })
      return engine.send(operation, request, options)
    },
  } as Transport
  await expect(migrate({ ...place, transport }, change)).rejects.toThrow('keep coming')
  expect(await migrate(place, change)).toBe(true)
})

test('a worker with other code, or without a leader, is refused', async () => {
  const change: Change = { before: schemaOf({}), after: schemaOf({}), steps: [rekey('User')] }
  const { place } = await filled(change.before, ({ User }) => User.put({ id: '1' }))
  const leader = runOptions(place, change)
  await expect(joinMigration(leader)).rejects.toThrow('No process leads')
  await leader.journal.acquire()
  await leader.journal.record(MIGRATION_ID, {
    state: 'running',
    checksum: 'other',
    startedAt: '',
    segments: 1,
    step: 0,
    pass: 0,
  })
  await expect(joinMigration(leader)).rejects.toThrow('other code')
  await leader.journal.record(MIGRATION_ID, { state: 'failed', note: 'aborted' })
  await expect(joinMigration(leader)).rejects.toThrow('aborted')
})

test('generated steps rename a model before they use its new name', () => {
  const text = printMigration([
    { class: 'expand', what: 'b', steps: ["renameAttribute('Person', 'mail', 'email')"] },
    { class: 'move', what: 'a', steps: ["renameModel('User', 'Person')"] },
  ])
  expect(text.indexOf("renameModel('User'")).toBeLessThan(text.indexOf("renameAttribute('Person'"))
  expect(defineMigration({ steps: [] }).steps).toEqual([])
})
