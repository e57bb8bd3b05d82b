import { Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { describe, expect, test } from 'vitest'
import { startCall } from '../../packages/singletable/src/execute/call.ts'
import { executeTransactWrite } from '../../packages/singletable/src/execute/execute-transaction.ts'
import { operators } from '../../packages/singletable/src/plan/operators.ts'
import type { WritePlan } from '../../packages/singletable/src/plan/plan.ts'
import { referencesOf, toReference } from '../../packages/singletable/src/plan/references.ts'
import type { Where } from '../../packages/singletable/src/plan/where.ts'
import { explainWrite } from '../../packages/singletable/src/plan/write/explain-write.ts'
import { planCheck } from '../../packages/singletable/src/plan/write/plan-check.ts'
import { compileWrite } from '../../packages/singletable/src/request/compile-write.ts'
import type { TransactWriteItemsRequest } from '../../packages/singletable/src/wire/item-operations.ts'
import { NoAnswerError } from '../../packages/singletable/src/wire/no-answer-error.ts'
import { createWriteTable, NOW, TABLE_NAME, type WriteTable } from './write-table.ts'

const INDEXES = { primary: { hash: 'pk', sort: 'sk' } } as const
const KEY = { id: '1' }

async function things(attributes: object = {}, params: object = {}): Promise<WriteTable> {
  const table = await createWriteTable({
    indexes: INDEXES,
    params,
    models: {
      Thing: {
        key: { pk: 'THING#${id}', sk: 'THING' },
        attributes: {
          id: { type: String },
          name: { type: String },
          count: { type: Number },
          ...attributes,
        },
      },
    },
  })
  return table
}

function referenceOf(table: WriteTable, name: string) {
  const attr = referencesOf(table.model('Thing')) as Record<string, unknown>
  return toReference(attr[name])!
}

const equals = (table: WriteTable, name: string, value: unknown): Where =>
  operators.eq(referenceOf(table, name), value)

const requestOf = (plan: unknown) => compileWrite(plan as WritePlan)

describe('put', () => {
  test('replaces the item as a whole, and gives it as written', async () => {
    const table = await things({ kind: { type: String, default: 'plain' } }, { timestamps: true })
    await table.put('Thing', { id: '1', name: 'a', count: 1 })
    const output = await table.put('Thing', { id: '1', name: 'b' })
    const at = new Date(NOW)
    expect(output).toEqual({ id: '1', name: 'b', kind: 'plain', createdAt: at, updatedAt: at })
    expect(await table.scan()).toMatchObject([{ name: { S: 'b' } }])
    expect((await table.scan())[0]).not.toHaveProperty('count')
  })

  test('gives the item it replaced, or nothing, where that is asked for', async () => {
    const table = await things()
    expect(await table.put('Thing', { id: '1', name: 'a' }, { returning: 'ALL_OLD' })).toBe(
      undefined,
    )
    const old = await table.put('Thing', { id: '1', name: 'b' }, { returning: 'ALL_OLD' })
    expect(old).toEqual({ id: '1', name: 'a' })
    expect(await table.put('Thing', { id: '1' }, { returning: 'NONE' })).toBe(undefined)
  })

  test('keeps condition and values apart where both are about one attribute', async () => {
    const table = await things()
    await table.put('Thing', { id: '1', name: 'a' })
    const where = equals(table, 'name', 'a')
    await table.put('Thing', { id: '1', name: 'b' }, { where })
    expect(await table.item('Thing', KEY)).toMatchObject({ name: { S: 'b' } })
    await expect(table.put('Thing', { id: '1', name: 'c' }, { where })).rejects.toMatchObject({
      code: 'CONDITION_FAILED',
      item: { id: '1', name: 'b' },
    })
  })

  test('is idempotent without a condition of the caller', async () => {
    const table = await things()
    const where = equals(table, 'name', 'a')
    expect(table.planPut('Thing', { id: '1' })).toMatchObject({ idempotent: true })
    expect(table.planPut('Thing', { id: '1' }, { where })).toMatchObject({ idempotent: false })
  })
})

describe('create', () => {
  test('fails on an existing item, and returns it', async () => {
    const table = await things()
    await table.put('Thing', { id: '1', name: 'a' }, { verb: 'create' })
    const again = table.put('Thing', { id: '1', name: 'b' }, { verb: 'create' })
    await expect(again).rejects.toMatchObject({
      name: 'ItemExistsError',
      code: 'ITEM_EXISTS',
      item: { id: '1', name: 'a' },
    })
  })

  test.each(['a', 'other'])(
    'that got no answer has an unknown outcome if its second attempt finds an item, here with the name "%s"',
    async (name) => {
      const table = await things()
      if (name === 'other') await table.put('Thing', { id: '1', name })
      loseFirstAnswer(table, 'PutItem')
      const created = table.put('Thing', { id: '1', name: 'a' }, { verb: 'create' })
      await expect(created).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
      expect(table.sent.length).toBeGreaterThanOrEqual(2)
    },
  )
})

describe('time to live', () => {
  const seconds = NOW / 1000
  const ttl = { expires: { type: Number, ttl: true } }

  test('create takes an expired item for absent, and one that is not for present', async () => {
    const table = await things(ttl)
    await table.put('Thing', { id: '1', expires: seconds })
    await table.put('Thing', { id: '1', name: 'b' }, { verb: 'create' })
    await table.put('Thing', { id: '2', expires: seconds + 1 })
    const created = table.put('Thing', { id: '2' }, { verb: 'create' })
    await expect(created).rejects.toMatchObject({ code: 'ITEM_EXISTS' })
  })

  test('update and delete take an expired item for not there', async () => {
    const table = await things(ttl)
    await table.put('Thing', { id: '1', expires: seconds })
    const missing = { code: 'ITEM_NOT_FOUND' }
    await expect(table.update('Thing', KEY, { set: { name: 'x' } })).rejects.toMatchObject(missing)
    await expect(table.delete('Thing', KEY, { mustExist: true })).rejects.toMatchObject(missing)
    await table.put('Thing', { id: '1', expires: seconds + 1 })
    await table.update('Thing', KEY, { set: { name: 'x' } })
    await table.update('Thing', KEY, { set: { name: 'x' }, remove: ['expires'] })
    await table.update('Thing', KEY, { set: { name: 'y' } })
  })
})

describe('version', () => {
  const version = { version: { type: Number, version: true } }

  test('put without one makes a new item only; with one it replaces just that', async () => {
    const table = await things(version)
    const first = await table.put('Thing', { id: '1', name: 'a' })
    expect(first).toEqual({ id: '1', name: 'a', version: 1 })
    await expect(table.put('Thing', { id: '1' })).rejects.toMatchObject({ code: 'ITEM_EXISTS' })
    const second = await table.put('Thing', { ...(first as object), name: 'b' })
    expect(second).toEqual({ id: '1', name: 'b', version: 2 })
    const stale = table.put('Thing', { ...(first as object), name: 'c' })
    await expect(stale).rejects.toMatchObject({
      name: 'VersionConflictError',
      item: { name: 'b', version: 2 },
    })
  })

  test('every update and upsert counts it up', async () => {
    const table = await things(version)
    await table.upsert('Thing', KEY, { set: { name: 'a' } })
    expect(await table.update('Thing', KEY, { set: { name: 'b' } })).toMatchObject({ version: 2 })
    expect(await table.upsert('Thing', KEY, { set: { name: 'b' } })).toMatchObject({ version: 3 })
  })

  test('an update or delete for another version changes nothing', async () => {
    const table = await things(version)
    await table.put('Thing', { id: '1', name: 'a' })
    const conflict = { code: 'VERSION_CONFLICT', item: { name: 'a', version: 1 } }
    const update = table.update('Thing', KEY, { set: { name: 'b' }, version: 7 })
    await expect(update).rejects.toMatchObject(conflict)
    await expect(table.delete('Thing', KEY, { version: 7 })).rejects.toMatchObject(conflict)
    await table.update('Thing', KEY, { set: { name: 'b' }, version: 1 })
    await table.delete('Thing', KEY, { version: 2 })
    expect(await table.scan()).toEqual([])
  })

  test('can not be set, and not be asked for where there is none', async () => {
    const table = await things(version)
    const set = { version: 7 }
    expect(() => table.planUpdate('Thing', KEY, { set })).toThrow(/"version" is incremented/)
    const plain = await things()
    expect(() => plain.planDelete('Thing', KEY, { version: 1 })).toThrow(/has no version/)
  })

  test('does not detect an item that was created again, so a move asserts all that it has read', async () => {
    const table = await things(version)
    await table.put('Thing', { id: '1', name: 'a' })
    const moved = await table.update('Thing', KEY, { set: { id: '2' } })
    expect(moved).toEqual({ id: '2', name: 'a', version: 2 })
    const { request } = table.sent.at(-1)!
    expect(request).toMatchObject({
      TransactItems: [
        { Put: { ConditionExpression: 'attribute_not_exists(#n0)' } },
        { Delete: { ConditionExpression: expect.stringMatching(/^attribute_exists\(#n0\) AND /) } },
      ],
    })
    const { Delete } = (request as TransactWriteItemsRequest).TransactItems[1]!
    const asserted = Object.values(Delete!.ExpressionAttributeNames ?? {})
    expect(asserted).toEqual(expect.arrayContaining(['id', 'name', 'version']))
  })
})

describe('update', () => {
  test('sets, adds, takes, appends and removes in one request', async () => {
    const table = await things({
      tags: { type: Set, items: { type: String } },
      log: { type: Array, items: { type: String } },
      note: { type: String },
      kind: { type: String },
    })
    await table.put('Thing', { id: '1', count: 1, tags: new Set(['a', 'b']), note: 'x' })
    const output = await table.update('Thing', KEY, {
      set: { name: 'n' },
      default: { kind: 'k' },
      add: { count: 0.5 },
      take: { tags: 'a' },
      append: { log: ['1', '2'] },
      remove: ['note'],
    })
    expect(output).toEqual({
      id: '1',
      name: 'n',
      kind: 'k',
      count: 1.5,
      tags: new Set(['b']),
      log: ['1', '2'],
    })
    const tags = new Set(['c', 'd'])
    const more = { default: { kind: 'other' }, add: { tags }, prepend: { log: ['0'] } }
    expect(await table.update('Thing', KEY, more)).toMatchObject({
      kind: 'k',
      tags: new Set(['b', 'c', 'd']),
      log: ['0', '1', '2'],
    })
    expect(table.sent).toHaveLength(3)
  })

  test('changes places inside maps and lists', async () => {
    const table = await things({
      place: { type: Object, schema: { city: { type: String }, zip: { type: String } } },
      log: { type: Array, items: { type: String } },
    })
    await table.put('Thing', { id: '1', place: { city: 'A', zip: '1' }, log: ['x', 'y'] })
    type Attr = { place: { city: unknown }; log: unknown[] }
    const output = await table.update('Thing', KEY, {
      more: ({ place, log }: Attr) => [
        { kind: 'set', target: toReference(place.city)!, value: 'B' },
        { kind: 'remove', target: toReference(log[0])! },
      ],
    } as never)
    expect(output).toMatchObject({ place: { city: 'B', zip: '1' }, log: ['y'] })
    const wrong = (): unknown =>
      table.planUpdate('Thing', KEY, {
        more: ({ place }: Attr) => [{ kind: 'set', target: toReference(place.city)!, value: 7 }],
      } as never)
    expect(wrong).toThrow(/"place.city": 7 is a number/)
  })

  test('leaves alone what is set to undefined', async () => {
    const table = await things()
    await table.put('Thing', { id: '1', name: 'a', count: 1 })
    const set = { name: undefined, count: 2 }
    expect(await table.update('Thing', KEY, { set })).toEqual({ id: '1', name: 'a', count: 2 })
  })

  test('that changes nothing is refused', async () => {
    const table = await things({}, { timestamps: true })
    for (const set of [{}, { name: undefined }, { updatedAt: new Date(0) }]) {
      expect(() => table.planUpdate('Thing', KEY, { set })).toThrow(/nothing is changed/)
    }
  })

  test('keeps updatedAt to itself, also when an item is given back as it was read', async () => {
    const table = await things({ createdAt: { type: Date } }, { timestamps: true })
    const item = await table.put('Thing', { id: '1', name: 'a' })
    table.now += 5000
    const output = await table.update('Thing', KEY, { set: { ...(item as object), name: 'b' } })
    expect(output).toEqual({
      id: '1',
      name: 'b',
      createdAt: new Date(NOW),
      updatedAt: new Date(NOW + 5000),
    })
  })

  test('reports all mistakes at once', async () => {
    const table = await things({
      fixed: { type: String, readonly: true },
      email: { type: String, required: true },
    })
    const plan = (): unknown =>
      table.planUpdate('Thing', KEY, {
        set: { fixed: 'x', name: 7, pk: 'x' },
        add: { count: Number.NaN },
        remove: ['email', 'id'],
      })
    expect(plan).toThrow(/INPUT_INVALID/)
    expect(() => plan()).toThrowError(
      expect.objectContaining({
        issues: [
          { path: ['fixed'], message: 'is readonly' },
          expect.objectContaining({ path: ['name'], message: 'is a number, not a string' }),
          { path: ['pk'], message: expect.stringContaining('is made from a template') },
          { path: ['count'], message: 'needs a number to add' },
          { path: ['email'], message: "is required and can't be removed" },
          { path: ['id'], message: expect.stringContaining('part of the primary key') },
        ],
      }),
    )
  })

  test('takes the last of several plain changes of an attribute, and refuses others', async () => {
    const table = await things()
    await table.put('Thing', { id: '1', name: 'a' })
    const target = referenceOf(table, 'name')
    const more = () =>
      [
        { kind: 'set', target, value: 'b' },
        { kind: 'set', target, value: 'c' },
      ] as const
    expect(await table.update('Thing', KEY, { more })).toEqual({ id: '1', name: 'c' })
    const both = { set: { count: 1 }, add: { count: 1 } }
    expect(() => table.planUpdate('Thing', KEY, both)).toThrow(/"count" is changed twice/)
  })

  test('gives what returning asks for', async () => {
    const table = await things()
    await table.put('Thing', { id: '1', name: 'a' })
    const update = (name: string, returning: 'ALL_OLD' | 'UPDATED_NEW' | 'UPDATED_OLD' | 'NONE') =>
      table.update('Thing', KEY, { set: { name }, returning })
    expect(await update('b', 'ALL_OLD')).toEqual({ id: '1', name: 'a' })
    expect(await update('c', 'UPDATED_OLD')).toEqual({ name: 'b' })
    expect(await update('d', 'UPDATED_NEW')).toEqual({ name: 'd' })
    expect(await update('e', 'NONE')).toBe(undefined)
  })

  test('may be sent again only if a second time changes nothing more', async () => {
    const table = await things({ log: { type: Array } })
    const isIdempotent = (changes: object) =>
      (table.planUpdate('Thing', KEY, changes) as WritePlan).idempotent
    expect(isIdempotent({ set: { name: 'x' }, remove: ['count'], default: { log: [] } })).toBe(true)
    expect(isIdempotent({ set: { name: 'x' }, given: { name: 'y' } })).toBe(false)
    expect(isIdempotent({ set: { name: 'x' }, where: equals(table, 'name', 'y') })).toBe(false)
    expect(isIdempotent({ add: { count: 1 } })).toBe(false)
    expect(isIdempotent({ append: { log: [1] } })).toBe(false)
  })

  test('with numbers adds exact decimals and refuses what is none', async () => {
    const table = await things({ amount: { type: 'decimal' }, big: { type: BigInt } })
    await table.put('Thing', { id: '1', amount: '0.1', big: 2n ** 70n })
    const output = await table.update('Thing', KEY, { add: { amount: '0.2', big: 1n } })
    expect(output).toMatchObject({ amount: '0.3', big: 2n ** 70n + 1n })
    for (const count of ['x', {}, undefined, 2 ** 60, true]) {
      expect(() => table.planUpdate('Thing', KEY, { add: { count } })).toThrow(/number to add/)
    }
    expect(() => table.planUpdate('Thing', KEY, { add: { name: 'x' } })).toThrow(/neither a number/)
    expect(() => table.planUpdate('Thing', KEY, { take: { count: 1 } })).toThrow(/is not a set/)
    expect(() => table.planUpdate('Thing', KEY, { append: { name: ['x'] } })).toThrow(
      /is not a list/,
    )
  })

  test('reports which members of a set are wrong', async () => {
    const table = await things({ tags: { type: Set, items: { type: String } } })
    const issues = [
      expect.objectContaining({ path: ['tags', 1], message: 'is a number, not a string' }),
    ]
    for (const changes of [{ add: { tags: ['a', 1] } }, { take: { tags: ['a', 1] } }]) {
      expect(() => table.planUpdate('Thing', KEY, changes)).toThrowError(
        expect.objectContaining({ issues }),
      )
    }
  })

  test('never adds by the rules for whole values', async () => {
    const table = await things({ stock: { type: Number, validate: (value: number) => value >= 0 } })
    await table.put('Thing', { id: '1', stock: 5 })
    expect(await table.update('Thing', KEY, { add: { stock: -2 } })).toMatchObject({ stock: 3 })
    expect(() => table.planUpdate('Thing', KEY, { set: { stock: -2 } })).toThrow(/"stock"/)
  })

  test('takes a key as it is stored, and no bare value with its prefix', async () => {
    const table = await createWriteTable({
      indexes: { ...INDEXES, gsi1: { hash: 'gsi1pk' } },
      models: {
        Thing: {
          key: { pk: 'THING#${id}', sk: 'THING' },
          index: { gsi1pk: 'NAME#${name}#${id}' },
          attributes: { id: { type: String }, name: { type: String } },
        },
      },
    })
    await table.put('Thing', { id: '1', name: 'a' })
    const wrong = { id: 'THING#1' }
    const set = { name: 'x' }
    expect(() => table.planUpdate('Thing', wrong, { set })).toThrow(/KEY_COMPONENT_INVALID/)
    expect(() => table.planUpdate('Thing', wrong, { set }, 'upsert')).toThrow(
      /KEY_COMPONENT_INVALID/,
    )
    expect(() => table.planDelete('Thing', wrong)).toThrow(/KEY_COMPONENT_INVALID/)
    await table.update('Thing', { pk: 'THING#1', sk: 'THING' }, { set: { name: 'z' } })
    await table.upsert('Thing', { pk: 'THING#2', sk: 'THING' }, { set: { name: 'y' } })
    const items = (await table.scan('gsi1')).map(({ id, gsi1pk }) => [id?.S, gsi1pk?.S])
    expect(items.sort()).toEqual([
      ['1', 'NAME#z#1'],
      ['2', 'NAME#y#2'],
    ])
  })

  test('accepts names that every object inherits', async () => {
    const table = await things({ toString: { type: String }, hasOwnProperty: { type: Number } })
    await table.put('Thing', { id: '1' })
    const set = { toString: 'x' }
    const output = await table.update('Thing', KEY, { set, add: { hasOwnProperty: 1 } })
    expect(output).toEqual({ id: '1', toString: 'x', hasOwnProperty: 1 })
    expect(await table.update('Thing', KEY, { set: { id: '2' } })).toEqual({
      ...(output as object),
      id: '2',
    })
  })
})

describe('delete', () => {
  test('of a missing item is not an error, unless it must exist', async () => {
    const table = await things()
    expect(await table.delete('Thing', KEY)).toBe(undefined)
    await expect(table.delete('Thing', KEY, { mustExist: true })).rejects.toMatchObject({
      code: 'ITEM_NOT_FOUND',
    })
  })

  test('gives the old item where that is asked for', async () => {
    const table = await things()
    await table.put('Thing', { id: '1', name: 'a' })
    const where = equals(table, 'name', 'b')
    await expect(table.delete('Thing', KEY, { where })).rejects.toMatchObject({
      code: 'CONDITION_FAILED',
    })
    const old = await table.delete('Thing', KEY, { returning: 'ALL_OLD' })
    expect(old).toEqual({ id: '1', name: 'a' })
  })
})

describe('check', () => {
  test('asks that the item exists, or for what it says', async () => {
    const table = await things()
    const model = table.model('Thing')
    const context = { tableName: TABLE_NAME, environment: table.context.environment }
    const state = { model, key: KEY, where: undefined, version: undefined }
    const call = startCall(table.context, 'transactWrite', undefined, undefined)
    const check = (where?: Where) =>
      executeTransactWrite(
        table.context,
        call,
        [planCheck({ ...state, where }, context)],
        undefined,
      )
    await expect(check()).rejects.toMatchObject({ code: 'TRANSACTION_CANCELED' })
    await table.put('Thing', { id: '1', name: 'a' })
    await check()
    await check(equals(table, 'name', 'a'))
    await expect(check(equals(table, 'name', 'b'))).rejects.toMatchObject({
      failures: [{ item: { id: '1', name: 'a' } }],
    })
  })
})

describe('a condition', () => {
  test('of several parts is one text without needless parentheses', async () => {
    const table = await things({
      version: { type: Number, version: true },
      expires: { type: Number, ttl: true },
    })
    const or = operators.or(equals(table, 'name', 'a'), equals(table, 'count', 1))
    const plan = table.planUpdate('Thing', KEY, { set: { name: 'x' }, version: 3, where: or })
    expect(requestOf(plan).ConditionExpression).toBe(
      'attribute_exists(#n0) AND #n1 = :v0 AND (#n2 = :v1 OR #n3 = :v2) AND (attribute_not_exists(#n4) OR #n4 > :v3)',
    )
    await table.put('Thing', { id: '1', name: 'a' })
    await expect(table.execute(plan)).rejects.toMatchObject({ code: 'VERSION_CONFLICT' })
  })
})

describe('explain', () => {
  test('describes the request in words, with names and values in place', async () => {
    const table = await things()
    const plan = table.planUpdate('Thing', KEY, { set: { name: 'x' }, add: { count: 2 } })
    expect(explainWrite(plan)).toEqual({
      operation: 'UpdateItem',
      entity: 'Thing',
      index: 'primary',
      refused: [],
      condition: 'attribute_exists(pk)',
      update: 'SET name = "x" ADD count 2',
      requests: '1',
      capacity: '1 write unit per KB of the item',
      notes: ['in a transaction writes cost twice as much'],
    })
    const put = table.planPut('Thing', { id: '1', name: 'x'.repeat(2000) })
    expect(explainWrite(put)).toMatchObject({ operation: 'PutItem', capacity: '2 write units' })
  })
})

/** The first answer to an operation is lost after it was carried out. */
function loseFirstAnswer(table: WriteTable, operation: string): void {
  const { transport } = table.context
  const { send } = transport
  let lost = false
  Object.assign(transport, {
    async send(...input: Parameters<typeof send>) {
      const sent = send.apply(transport, input)
      if (lost || input[0] !== operation) return sent
      lost = true
      await sent.catch(() => undefined)
      throw new NoAnswerError({ sent: true, retryable: true, cause: new Error('socket hang up') })
    },
  })
}

test.each([null, undefined, 5, 'status'])('given(%s) asserts nothing, and is refused', (given) => {
  const schema = {
    indexes: { primary: { hash: 'pk' } },
    models: { Thing: { key: { pk: 'THING#${id}' }, attributes: { id: { type: String } } } },
  } as const
  const table = new Table({ name: 'Things', schema, client: createEngine() })
  const update = table.entities.Thing.update({ id: '1' })
  expect(() => update.given(given as never)).toThrow(/INPUT_INVALID: .*needs an object/)
})
