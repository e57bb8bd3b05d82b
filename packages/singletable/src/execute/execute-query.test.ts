import { afterEach, describe, expect, it, vi } from 'vitest'
import { createEngine } from '../engine/index.ts'
import { CursorError } from '../errors/cursor-error.ts'
import { InputError } from '../errors/input-error.ts'
import { compileSchema } from '../plan/compile-schema.ts'
import { operators as op } from '../plan/operators.ts'
import { planRead } from '../plan/read/plan-read.ts'
import type { ReadPlan } from '../plan/read/read-plan.ts'
import { referencesOf } from '../plan/references.ts'
import type { QueryState } from '../plan/state.ts'
import type { Where } from '../plan/where.ts'
import type { Schema } from '../schema/model.ts'
import { createTableRequest } from '../schema/table-request.ts'
import type { Item } from '../values/attribute-value.ts'
import { type Environment, systemEnvironment } from '../values/environment.ts'
import { RetryPolicy } from '../wire/retry-policy.ts'
import type { Transport } from '../wire/transport.ts'
import { type Call, startCall } from './call.ts'
import { fetchAll, fetchCount, fetchEach, fetchPage, scanParallel } from './execute-query.ts'
import type { TableContext } from './table-context.ts'

const definition = {
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byDay: { hash: 'day', sort: 'daySort', project: 'keys' },
    byEnd: { hash: 'endPk', sort: 'endsAt' },
  },
  models: {
    Post: {
      key: { pk: 'USER#${user}', sk: 'POST#${number:pad(4)}' },
      index: { day: 'DAY#${weekday}', daySort: 'N#${number:pad(4)}', endPk: 'END#${user}' },
      attributes: {
        user: { type: String },
        number: { type: Number },
        weekday: { type: String },
        title: { type: String },
        endsAt: { type: Date, ttl: true },
      },
    },
    Note: {
      key: { pk: 'USER#${user}', sk: 'QUICK#${number:pad(4)}' },
      index: { day: 'DAY#${user}', daySort: 'N#${number:pad(4)}#NOTE' },
      attributes: { user: { type: String }, number: { type: Number } },
    },
  },
} as const
const schema = compileSchema(definition)

const NOW = Date.UTC(2026, 0, 1)
const environment: Environment = { ...systemEnvironment, now: () => NOW }

const engines: { close(): Promise<void> | void }[] = []
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close()
})

interface Table {
  readonly context: TableContext
  readonly call: Call
  readonly sent: { readonly operation: string; readonly request: Record<string, unknown> }[]
  put(model: string, input: object): Promise<void>
}

async function table(more: Partial<TableContext> = {}, of: Schema = schema): Promise<Table> {
  const engine = createEngine()
  engines.push(engine)
  await engine.send('CreateTable', createTableRequest(of, 'blog'))
  const sent: Table['sent'] = []
  const transport: Transport = {
    send(operation, request, options) {
      sent.push({ operation, request: request as unknown as Record<string, unknown> })
      return engine.send(operation, request, options)
    },
  }
  const context: TableContext = {
    name: 'blog',
    schema: of,
    transport,
    environment,
    retry: new RetryPolicy({ attemptsMax: 1, delayMsBase: 1, delayMsMax: 1 }),
    deadlineMs: undefined,
    cursorSecrets: [],
    warn: () => {},
    ...more,
  }
  return {
    context,
    sent,
    call: startCall(context, 'query', 'Post', undefined),
    async put(model, input) {
      const { item: Item } = of.models.get(model)!.encodeNew(input, environment, 'test')
      await engine.send('PutItem', { TableName: 'blog', Item })
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: members are read as an untyped callback reads them.
type Attr = Record<string, any>

function plan(
  where: ((attr: Attr) => unknown) | undefined,
  more: Partial<QueryState> = {},
  tableName = 'blog',
): ReadPlan {
  const model = more.model ?? schema.models.get('Post')!
  const state: QueryState = {
    model,
    verb: 'query',
    select: undefined,
    consistentRead: false,
    capacity: undefined,
    where: where && (where(referencesOf(model)) as Where),
    index: undefined,
    forward: true,
    limit: undefined,
    pageSize: undefined,
    cursor: undefined,
    segment: undefined,
    hydrate: false,
    includeExpired: false,
    ...more,
  }
  return planRead(state, { tableName, environment })
}

const ofAlice = (attr: Attr): unknown => op.eq(attr.user, 'alice')
const numbers = (outputs: readonly Record<string, unknown>[]): unknown[] =>
  outputs.map(({ number }) => number)

async function tenPosts(more: Partial<TableContext> = {}): Promise<Table> {
  const made = await table(more)
  for (let number = 0; number < 10; number++) {
    await made.put('Post', {
      user: 'alice',
      number,
      weekday: 'mon',
      title: number % 3 === 0 ? 'third' : 'other',
    })
  }
  return made
}

const thirds = (attr: Attr): unknown => op.and(ofAlice(attr), op.eq(attr.title, 'third'))

describe('limit and page size', () => {
  it('give all results, or as many as asked for', async () => {
    const { context, call, sent } = await tenPosts()
    expect(await fetchAll(context, call, plan(ofAlice), undefined)).toHaveLength(10)
    expect(sent).toHaveLength(1)
    const some = await fetchAll(context, call, plan(ofAlice, { limit: 4 }), undefined)
    expect(numbers(some)).toEqual([0, 1, 2, 3])
    expect(sent.at(-1)?.request).toMatchObject({ Limit: 4 })
  })

  it('count results, not items read', async () => {
    const { context, call } = await tenPosts()
    const page = await fetchPage(context, call, plan(thirds, { limit: 3 }), undefined)
    expect(numbers(page.items)).toEqual([0, 3, 6])
    expect(page).toMatchObject({ count: 3, scannedCount: 10 })
    expect(page.lastEvaluatedKey).toBe(page.cursor)
    const rest = await fetchPage(context, call, plan(thirds, { limit: 3 }), page.cursor)
    expect(numbers(rest.items)).toEqual([9])
    expect(rest.cursor).toBeUndefined()
  })

  it('send what is left to find as the limit where nothing is filtered', async () => {
    const { context, call, sent } = await tenPosts()
    const found = await fetchAll(context, call, plan(ofAlice, { limit: 5, pageSize: 2 }), undefined)
    expect(numbers(found)).toEqual([0, 1, 2, 3, 4])
    expect(sent.map(({ request }) => request.Limit)).toEqual([2, 2, 1])
  })

  it('have no page without results before the end, however many are read', async () => {
    const made = await table()
    for (let number = 0; number < 120; number++) {
      await made.put('Post', { user: 'alice', number, title: number === 110 ? 'third' : 'x' })
    }
    const { context, call, sent } = made
    const page = await fetchPage(context, call, plan(thirds, { pageSize: 1 }), undefined)
    expect(numbers(page.items)).toEqual([110])
    expect(sent).toHaveLength(111)
    expect(page.scannedCount).toBe(111)
    const last = await fetchPage(context, call, plan(thirds, { pageSize: 1 }), page.cursor)
    expect(last).toMatchObject({ items: [], cursor: undefined })
  })

  it('go backwards too', async () => {
    const { context, call } = await tenPosts()
    const back = plan(ofAlice, { forward: false, limit: 2 })
    const page = await fetchPage(context, call, back, undefined)
    expect(numbers(page.items)).toEqual([9, 8])
    expect(numbers((await fetchPage(context, call, back, page.cursor)).items)).toEqual([7, 6])
  })
})

describe('pages, results, the first one and their number', () => {
  it('stream page by page and end at the limit', async () => {
    const { context, call, sent } = await tenPosts()
    const found: unknown[] = []
    for await (const { number } of fetchEach(
      context,
      call,
      plan(ofAlice, { pageSize: 4, limit: 9 }),
      undefined,
    )) {
      found.push(number)
    }
    expect(found).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect(sent.map(({ request }) => request.Limit)).toEqual([4, 4, 1])
    sent.length = 0
    for await (const { number } of fetchEach(
      context,
      call,
      plan(ofAlice, { pageSize: 4 }),
      undefined,
    )) {
      if (number === 2) break
    }
    expect(sent).toHaveLength(1)
    const none = plan((attr) => op.eq(attr.user, 'nobody'))
    expect(await fetchEach(context, call, none, undefined).next()).toMatchObject({ done: true })
  })

  it('count without sending items, with a selection as without', async () => {
    const { context, call, sent } = await tenPosts()
    expect(
      await fetchCount(context, call, plan(thirds, { pageSize: 3, counts: true }), undefined),
    ).toBe(4)
    expect(sent).toHaveLength(4)
    expect(sent[0]?.request).toMatchObject({ Select: 'COUNT' })
    expect(
      await fetchCount(context, call, plan(thirds, { limit: 2, counts: true }), undefined),
    ).toBe(2)
    expect(
      await fetchCount(context, call, plan(thirds, { select: [], counts: true }), undefined),
    ).toBe(4)
  })

  it('report what was consumed by all requests', async () => {
    const { context, call } = await tenPosts()
    const asked = plan(thirds, { capacity: 'TOTAL', limit: 4 })
    const all = await fetchPage(context, call, asked, undefined)
    expect(all.consumedCapacity?.CapacityUnits).toBe(0.5)
    expect(await fetchPage(context, call, plan(ofAlice), undefined)).not.toHaveProperty(
      'consumedCapacity',
    )
  })
})

describe('what is not the model', () => {
  it('is passed over, whether it has a type or not', async () => {
    const { context, call, put } = await table()
    await put('Post', { user: 'alice', number: 1, weekday: 'alice' })
    await put('Note', { user: 'alice', number: 2 })
    const raw = (pk: string, sk: string): Item => ({
      pk: { S: pk },
      sk: { S: sk },
      number: { N: '3' },
      user: { S: 'alice' },
    })
    for (const Item of [raw('USER#alice', 'POST#0003'), raw('USER#alice', 'POST#x')]) {
      await context.transport.send('PutItem', { TableName: 'blog', Item })
    }
    // Of the two items that other programs have written, one has keys as posts have them.
    expect(numbers(await fetchAll(context, call, plan(ofAlice), undefined))).toEqual([1, 3])
  })

  it('is gone when its time is over, by filter or after reading', async () => {
    const { context, call, put } = await table()
    for (const [number, endsAt] of [
      [1, new Date(NOW - 1000)],
      [2, new Date(NOW + 1000)],
      [3, undefined],
    ] as const) {
      await put('Post', { user: 'alice', number, endsAt })
    }
    expect(numbers(await fetchAll(context, call, plan(ofAlice), undefined))).toEqual([2, 3])
    const all = plan(ofAlice, { includeExpired: true })
    expect(numbers(await fetchAll(context, call, all, undefined))).toEqual([1, 2, 3])
    const ending = plan(ofAlice, { index: 'byEnd' })
    expect(numbers(await fetchAll(context, call, ending, undefined))).toEqual([2])
    const counting = plan(ofAlice, { index: 'byEnd', counts: true })
    expect(await fetchCount(context, call, counting, undefined)).toBe(1)
  })
})

describe('whole items after an index of keys', () => {
  it('come in the order of the index, without items that are not posts', async () => {
    const made = await tenPosts()
    await made.put('Note', { user: 'mon', number: 5 })
    const { context, call, sent } = made
    const onMonday = plan((attr) => op.eq(attr.weekday, 'mon'), { hydrate: true, forward: false })
    sent.length = 0
    const found = await fetchAll(context, call, onMonday, undefined)
    expect(numbers(found)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
    expect(found[0]).toMatchObject({ title: 'third' })
    expect(sent.map(({ operation }) => operation)).toEqual(['Query', 'BatchGetItem'])
    const limited = plan((attr) => op.eq(attr.weekday, 'mon'), { hydrate: true, limit: 3 })
    const page = await fetchPage(context, call, limited, undefined)
    expect(numbers(page.items)).toEqual([0, 1, 2])
    expect(numbers((await fetchPage(context, call, limited, page.cursor)).items)).toEqual([3, 4, 5])
  })
})

describe('a parallel scan', () => {
  it('finds what a scan finds, in any number of segments', async () => {
    const made = await tenPosts()
    for (let user = 0; user < 30; user++) await made.put('Post', { user: `u${user}`, number: user })
    await made.put('Note', { user: 'alice', number: 5 })
    const { context, call } = made
    const scan = plan(undefined, { verb: 'scan' })
    const keys = (outputs: readonly Record<string, unknown>[]): string[] =>
      outputs.map(({ user, number }) => `${user} ${number}`).sort()
    const all = keys(await fetchAll(context, call, scan, undefined))
    expect(all).toHaveLength(40)
    for (const total of [1, 3, 16, 40]) {
      const parallel = plan(undefined, { verb: 'scan', parallel: total })
      expect(keys(await scanParallel(context, call, parallel))).toEqual(all)
    }
    const some = plan(undefined, { verb: 'scan', limit: 7, parallel: 4 })
    expect(await scanParallel(context, call, some)).toHaveLength(7)
    for (const total of [0, 1.5, 1_000_001]) {
      expect(() => plan(undefined, { verb: 'scan', parallel: total })).toThrow(InputError)
    }
  })

  it('never has more than sixteen requests under way', async () => {
    const made = await tenPosts()
    let open = 0
    let most = 0
    const transport: Transport = {
      async send(operation, request, options) {
        most = Math.max(most, ++open)
        await new Promise((resolve) => setImmediate(resolve))
        const response = await made.context.transport.send(operation, request, options)
        open--
        return response
      },
    }
    const context = { ...made.context, transport }
    await scanParallel(context, made.call, plan(undefined, { verb: 'scan', parallel: 50 }))
    expect(most).toBe(16)
  })
})

describe.each([
  ['without a secret', []],
  ['with a secret', ['correct horse battery staple']],
])('a cursor %s', (_, cursorSecrets) => {
  const two = { limit: 2 }

  it('continues where the page ended, also when the last item was deleted', async () => {
    const { context, call } = await tenPosts({ cursorSecrets })
    const first = await fetchPage(context, call, plan(ofAlice, two), undefined)
    await context.transport.send('DeleteItem', {
      TableName: 'blog',
      Key: { pk: { S: 'USER#alice' }, sk: { S: 'POST#0001' } },
    })
    const second = await fetchPage(context, call, plan(ofAlice, two), first.cursor)
    expect(numbers(second.items)).toEqual([2, 3])
    // Other limits and selections are the same query.
    const wide = await fetchPage(context, call, plan(ofAlice, { limit: 5 }), first.cursor)
    expect(numbers(wide.items)).toEqual([2, 3, 4, 5, 6])
  })

  it('is refused after any change of any character', async () => {
    const { context, call } = await tenPosts({ cursorSecrets })
    const { cursor = '' } = await fetchPage(context, call, plan(ofAlice, two), undefined)
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (let place = 0; place < cursor.length; place++) {
      const at = alphabet.indexOf(cursor[place]!)
      for (const step of [1, 2, 16, 32]) {
        const letter = alphabet[(at + step) % 64]
        const damaged = cursor.slice(0, place) + letter + cursor.slice(place + 1)
        await expect(fetchPage(context, call, plan(ofAlice, two), damaged)).rejects.toThrow(
          CursorError,
        )
      }
    }
  })

  it.each([
    ['nothing', ''],
    ['a blank', ' '],
    ['no base64', '***'],
    ['padding', 'AQ=='],
    ['another version', 'BQ'],
    ['the version before, encrypted without a secret', 'Ag'],
    ['a megabyte', 'A'.repeat(1_048_576)],
    ['a number', 17],
    ['an object', {}],
    ['null', null],
    ['JSON', '{"pk":"USER#bob"}'],
  ])('is refused if it is %s', async (_name, cursor) => {
    const { context, call } = await tenPosts({ cursorSecrets })
    await expect(fetchPage(context, call, plan(ofAlice, two), cursor as string)).rejects.toThrow(
      CursorError,
    )
  })

  it('is refused when it is cut or grows', async () => {
    const { context, call } = await tenPosts({ cursorSecrets })
    const { cursor = '' } = await fetchPage(context, call, plan(ofAlice, two), undefined)
    for (let length = 1; length < cursor.length; length++) {
      await expect(
        fetchPage(context, call, plan(ofAlice, two), cursor.slice(0, length)),
      ).rejects.toThrow(CursorError)
    }
    await expect(fetchPage(context, call, plan(ofAlice, two), `${cursor}A`)).rejects.toThrow(
      CursorError,
    )
  })

  it('is refused by every other query', async () => {
    const { context, call } = await tenPosts({ cursorSecrets })
    const { cursor } = await fetchPage(context, call, plan(ofAlice, two), undefined)
    const others = [
      plan((attr) => op.eq(attr.user, 'bob')),
      plan(thirds),
      plan(ofAlice, { forward: false }),
      plan(ofAlice, { index: 'byEnd' }),
      plan(undefined, { verb: 'scan' }),
      plan(undefined, { verb: 'scan', segment: { segment: 0, total: 2 } }),
      plan(ofAlice, { model: schema.models.get('Note')! }),
      plan(ofAlice, {}, 'other'),
    ]
    for (const other of others) {
      await expect(fetchPage(context, call, other, cursor)).rejects.toThrow(CursorError)
    }
  })
})

describe('secrets of cursors', () => {
  it('are prepared once, and cost no way through the threads of WebCrypto', async () => {
    const used = vi.spyOn(crypto.subtle, 'importKey')
    const encrypted = vi.spyOn(crypto.subtle, 'encrypt')
    const { context, call } = await tenPosts({ cursorSecrets: ['s'] })
    const { cursor } = await fetchPage(context, call, plan(ofAlice, { limit: 2 }), undefined)
    expect(cursor).toBeDefined()
    expect(used).not.toHaveBeenCalled()
    expect(encrypted).not.toHaveBeenCalled()
    vi.restoreAllMocks()
  })

  it('can be changed: old ones are read until they are taken away', async () => {
    const { context, call } = await tenPosts({ cursorSecrets: ['old'] })
    const { cursor } = await fetchPage(context, call, plan(ofAlice, { limit: 2 }), undefined)
    const rotated = { ...context, cursorSecrets: ['new', 'old'] }
    const page = await fetchPage(rotated, call, plan(ofAlice, { limit: 2 }), cursor)
    expect(numbers(page.items)).toEqual([2, 3])
    for (const cursorSecrets of [['new'], []]) {
      await expect(
        fetchPage({ ...context, cursorSecrets }, call, plan(ofAlice), cursor),
      ).rejects.toThrow(CursorError)
    }
  })

  it('hide the key, and refuse cursors that were made without', async () => {
    const { context, call } = await tenPosts()
    const open = await fetchPage(context, call, plan(ofAlice, { limit: 2 }), undefined)
    const secret = { ...context, cursorSecrets: ['s'] }
    await expect(fetchPage(secret, call, plan(ofAlice), open.cursor)).rejects.toThrow(CursorError)
    const hidden = await fetchPage(secret, call, plan(ofAlice, { limit: 2 }), undefined)
    expect(atob(hidden.cursor!.slice(1).replaceAll('-', '+').replaceAll('_', '/'))).not.toContain(
      'alice',
    )
  })
})

describe('a service that leads in circles', () => {
  it('is reported instead of being repeated for ever', async () => {
    const { context, call } = await table()
    const transport: Transport = {
      // Only queries are sent, so this is the shape of the answer.
      send: (async () => ({
        Items: [],
        Count: 0,
        ScannedCount: 1,
        LastEvaluatedKey: { pk: { S: 'USER#alice' }, sk: { S: 'POST#0001' } },
      })) as never,
    }
    const circling = { ...context, transport }
    await expect(fetchAll(circling, call, plan(ofAlice), undefined)).rejects.toThrow(
      /SERVICE_FAILED/,
    )
    await expect(fetchCount(circling, call, plan(ofAlice), undefined)).rejects.toThrow(
      /SERVICE_FAILED/,
    )
  })
})
