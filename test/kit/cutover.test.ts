import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { defineSchema, Table } from 'singletable'
import { Cutover, dualWrite, PHASES } from 'singletable/cutover'
import { createEngine, type Engine } from 'singletable/engine'
import type { Item, Transport } from 'singletable/tools'
import { afterEach, expect, test } from 'vitest'
import { makeProjectFolder } from './project-folder.ts'
import { runCli } from './run-cli.ts'

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A project in the repository, so that its files find the packages, and a clock. */
function createProject(engine: Engine, files: Readonly<Record<string, string>>) {
  const directory = makeProjectFolder()
  folders.push(directory)
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(directory, name), text)
  const clock = { now: 1_000_000 }
  const run = (words: string) => {
    clock.now += 20_000
    return runCli([...words.split(' '), '--table', 'Shop'], {
      transport: engine,
      directory,
      now: clock.now,
    })
  }
  return { run, clock }
}

const SHOP = `
  import { defineSchema } from 'singletable'
  export const schema = defineSchema({
    indexes: { primary: { hash: 'pk', sort: 'sk' }, GSI1: { hash: 'gsi1pk', sort: 'gsi1sk' } },
    models: {
      User: { key: { pk: 'USER#\${userId}', sk: 'PROFILE' }, attributes: {
        userId: { type: String, required: true }, email: { type: String, unique: true }, name: { type: String } } },
      Order: { key: { pk: 'USER#\${userId}', sk: 'ORDER#\${day}#\${orderId}' },
        index: { gsi1pk: 'STATUS#\${status}', gsi1sk: 'ORDER#\${day}#\${orderId}' },
        attributes: {
          userId: { type: String, required: true }, orderId: { type: String, required: true },
          day: { type: String, required: true }, status: { type: String, required: true },
          total: { type: 'decimal', required: true } } },
      OrderItem: { key: { pk: 'ORDER#\${orderId}', sk: 'ITEM#\${itemId}' }, attributes: {
        orderId: { type: String, required: true }, itemId: { type: String, required: true },
        product: { type: String }, quantity: { type: Number }, price: { type: 'decimal' } } },
    },
  })
`

const DUMP = `-- PostgreSQL database dump
CREATE TABLE public.users (id integer NOT NULL, email text NOT NULL, name text, password_legacy text);
CREATE TABLE public.orders (id integer NOT NULL, user_id integer NOT NULL, status text, total numeric(12,2), created_at timestamp with time zone);
CREATE TABLE public.order_items (id integer NOT NULL, order_id integer NOT NULL, product_id integer, quantity integer, price numeric(12,2));
CREATE TABLE public.products (id integer NOT NULL, name text);
COPY public.order_items (id, order_id, product_id, quantity, price) FROM stdin;
1\t98765\t7\t2\t9.95
\\.
COPY public.products (id, name) FROM stdin;
7\tTeapot
\\.
COPY public.users (id, email, name, password_legacy) FROM stdin;
1\talice@example.com\tAlice\tx
2\tbob@example.com\tBob\ty
\\.
COPY public.orders (id, user_id, status, total, created_at) FROM stdin;
98765\t1\tpending\t19.90\t2024-01-15 10:00:00+00
\\.
`

const MAPPING = `
  import { columns, defineImport, sqlTable } from '@singletable/kit/import'
  import { schema } from './schema.ts'
  export default defineImport(schema, {
    sources: {
      users: sqlTable('dump.sql', 'users'), orders: sqlTable('dump.sql', 'orders'),
      items: sqlTable('dump.sql', 'order_items'), products: sqlTable('dump.sql', 'products'),
    },
    emit: {
      User: { from: 'users', set: { userId: 'id', email: 'email', name: 'name' } },
      Order: { from: 'orders', set: { orderId: 'id', userId: 'user_id', status: 'status', total: 'total',
        day: columns(['created_at'], (at) => String(at).slice(0, 10)) } },
      OrderItem: { from: 'items', join: { products: 'product_id' }, set: { itemId: 'id', orderId: 'order_id',
        product: 'products.name', quantity: 'quantity', price: 'price' } },
    },
    drop: { 'users.password_legacy': 'not migrated' },
  })
`

interface User {
  readonly userId: string
  readonly email: string
  readonly name: string
}

const SCHEMA = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' }, GSI1: { hash: 'gsi1pk', sort: 'gsi1sk' } },
  models: {
    User: {
      key: { pk: 'USER#${userId}', sk: 'PROFILE' },
      attributes: {
        userId: { type: String, required: true },
        email: { type: String, unique: true },
        name: { type: String },
      },
    },
  },
})

test('a shop moves from a relational database to the table: dump, import, dual write, cut-over', async () => {
  const engine = createEngine()
  const { run, clock } = createProject(engine, {
    'schema.ts': SHOP,
    'dump.sql': DUMP,
    'import.map.ts': MAPPING,
  })
  const done = async (words: string) => {
    const outcome = await run(words)
    expect(outcome.complaints, words).toBe('')
    return outcome.printed
  }
  const refused = async (words: string) => {
    const outcome = await run(words)
    expect(outcome.code, words).not.toBe(0)
    return outcome.complaints
  }
  await done('table create')

  // The application: the same calls on both stores.
  const table = new Table({ name: 'Shop', schema: SCHEMA, client: engine })
  const rows = new Map<string, User>([
    ['1', { userId: '1', email: 'alice@example.com', name: 'Alice' }],
    ['2', { userId: '2', email: 'bob@example.com', name: 'Bob' }],
  ])
  let isNewDown = false
  const old = {
    saveUser: async (user: User): Promise<void> => void rows.set(user.userId, user),
    getUser: async (userId: string): Promise<User | undefined> => rows.get(userId),
  }
  const now = {
    async saveUser(user: User): Promise<void> {
      if (isNewDown) throw new Error('throttled')
      await table.entities.User.put(user)
    },
    getUser: async (userId: string) =>
      (await table.entities.User.get({ userId })) as User | undefined,
  }
  const problems: string[] = []
  const app = dualWrite({
    table,
    old,
    new: now,
    writes: { saveUser: ({ userId }) => userId },
    async repair(userId, from, to) {
      const user = await from.getUser(userId)
      if (user) await to.saveUser(user)
    },
    cacheMs: 0,
    now: () => clock.now,
    onProblem: ({ kind, method }) => problems.push(`${kind}: ${method}`),
  })
  const { repository } = app

  await repository.saveUser({ userId: '2', email: 'bob@example.com', name: 'Bob' })
  expect(await now.getUser('2')).toBeUndefined()
  expect(await done('cutover status')).toContain('→ off')
  expect(await done('cutover advance')).toContain('→ dual-write')

  // A write that the new store misses does not fail, and is repaired later.
  clock.now += 10_000
  isNewDown = true
  await repository.saveUser({ userId: '3', email: 'carol@example.com', name: 'Carol' })
  isNewDown = false
  expect(problems).toEqual(['missed write: saveUser'])
  expect(await refused('cutover advance')).toContain(
    'the new store is missing 1 write: call repair()',
  )
  expect(await app.repair()).toEqual({ repaired: 1, left: [] })
  expect(await now.getUser('3')).toMatchObject({ name: 'Carol' })

  expect(await done('cutover advance')).toContain('→ backfill')
  expect(await refused('cutover advance')).toContain('the backfill has not ended')
  expect(await done('import run --cutover default')).toContain('5 rows became')
  expect(await done('cutover advance')).toContain('→ verify')
  // Carol is not in the dump: the store that runs is what counts.
  expect((await run('import verify')).printed).toMatch(/User +2 +3 +0 +0/)
  writeFileSync(
    path.join(folders.at(-1) ?? '', 'dump.sql'),
    DUMP.replace(
      '2\tbob@example.com\tBob\ty\n',
      '2\tbob@example.com\tBob\ty\n3\tcarol@example.com\tCarol\tz\n',
    ),
  )
  expect(await done('import verify --cutover default')).toContain('source and table agree')
  expect(await done('cutover advance')).toContain('→ shadow-read')

  // A result that differs keeps the new store from being read.
  rows.set('1', { userId: '1', email: 'alice@example.com', name: 'Alice B.' })
  expect(await repository.getUser('1')).toMatchObject({ name: 'Alice B.' })
  await app.flush()
  expect(await refused('cutover advance')).toContain('getUser differed 1 of 1 time: repair')
  expect(await done('cutover recount')).toContain('! never compared: getUser')
  expect(await done('cutover back')).toContain('→ verify')
  await repository.saveUser({ userId: '1', email: 'alice@example.com', name: 'Alice B.' })
  expect(await refused('cutover advance')).toContain('the stores have not been compared')
  await new Cutover(table, { now: () => clock.now }).note('verify')
  expect(await done('cutover advance')).toContain('→ shadow-read')
  expect(await refused('cutover advance')).toContain('never compared: getUser')
  for (const id of ['1', '2', '3', '4']) await repository.getUser(id)
  await app.flush()
  expect(await refused('cutover advance --compared 10')).toContain(
    'getUser was compared 4 times, 10 are asked for',
  )
  expect(await done('cutover advance')).toContain('→ read-new')

  rows.clear()
  expect(await repository.getUser('1')).toMatchObject({ name: 'Alice B.' })
  expect(await done('cutover advance')).toContain('→ write-new+old')
  await repository.saveUser({ userId: '5', email: 'eve@example.com', name: 'Eve' })
  expect(rows.get('5')).toMatchObject({ name: 'Eve' })
  expect(await done('cutover advance')).toContain('→ retired')
  await repository.saveUser({ userId: '6', email: 'finn@example.com', name: 'Finn' })
  expect(rows.has('6')).toBe(false)
  expect(await refused('cutover back')).toContain('The old store has had no writes')
  expect(await refused('cutover advance')).toContain('The move is complete.')

  const { Item } = await engine.send('GetItem', {
    TableName: 'Shop',
    Key: { pk: { S: 'ORDER#98765' }, sk: { S: 'ITEM#1' } },
  })
  expect(Item).toMatchObject({ product: { S: 'Teapot' }, price: { N: '9.95' } })
})

test('missed writes are listed, repaired by a module of the application, and dropped', async () => {
  const engine = createEngine()
  const { run, clock } = createProject(engine, {
    'schema.ts': SHOP,
    'app.ts': 'export const app = globalThis.cutoverApp',
    'nothing.ts': 'export const port = 80',
  })
  await run('table create')
  await run('cutover advance')
  clock.now += 20_000
  const table = new Table({ name: 'Shop', schema: SCHEMA, client: engine })
  const rows = new Map<string, string>()
  const items = new Map<string, string>()
  let isNewDown = true
  const storeOf = (map: Map<string, string>) => ({
    save: async (id: string, name: string): Promise<void> => {
      if (map === items && isNewDown) throw new Error('throttled')
      map.set(id, name)
    },
    get: async (id: string) => map.get(id),
  })
  const app = dualWrite({
    table,
    old: storeOf(rows),
    new: storeOf(items),
    writes: { save: (id) => id },
    async repair(id, from, to) {
      const name = await from.get(id)
      if (name !== undefined) await to.save(id, name)
    },
    now: () => clock.now,
  })
  Object.assign(globalThis, { cutoverApp: app })
  expect((await run('cutover missed')).printed).toBe('no write is missing')
  await app.repository.save('1', 'Alice')
  await app.repository.save('2', 'Bob')
  const listed = await run('cutover missed')
  expect(listed).toMatchObject({ code: 0 })
  expect(listed.printed).toMatch(/the new store +1 +save +\S+ +throttled/)
  expect(JSON.parse((await run('cutover missed --json')).printed)).toMatchObject({
    missedWrites: [
      { key: '1', side: 'new', method: 'save', reason: 'throttled', repository: '' },
      { key: '2' },
    ],
  })

  expect((await run('cutover missed --drop')).complaints).toContain(
    'This drops 2 missed writes: the stores stay different, and there is no terminal to ask.',
  )
  expect((await run('cutover missed --drop --key 1 --yes')).printed).toContain('1 write dropped')
  expect((await run('cutover missed --repair nothing.ts')).complaints).toContain(
    'The module exports nothing that dualWrite returned.',
  )
  expect((await run('cutover missed --repair app.ts --drop')).code).toBe(2)
  const failed = await run('cutover missed --repair app.ts')
  expect(failed.code).toBe(1)
  expect(failed.printed).toContain('0 writes repaired')
  isNewDown = false
  const repaired = await run('cutover missed --repair app.ts')
  expect(repaired).toMatchObject({ code: 0, printed: '1 write repaired\nno write is missing' })
  expect(Object.fromEntries(items)).toEqual({ 2: 'Bob' })
})

test('each phase can be left again in both directions until the last', async () => {
  const clock = { now: 0 }
  const table = new Table({ name: 'Shop', schema: SCHEMA, client: createEngine() })
  await table.create()
  const cutover = new Cutover(table, { now: () => clock.now })
  for (const [at, phase] of PHASES.slice(1, -1).entries()) {
    clock.now += 60_000
    const state = await cutover.state()
    if (state.phase === 'backfill' || state.phase === 'verify') await cutover.note(state.phase)
    if (state.phase === 'shadow-read') {
      await cutover.addComparisons(state, new Map([['q', { compared: 1, different: 0 }]]))
    }
    expect((await cutover.advance()).phase).toBe(phase)
    expect((await cutover.status()).obstacles[0]).toContain('applications may not know')
    expect((await cutover.back()).phase).toBe(PHASES[at])
    clock.now += 60_000
    const again = await cutover.state()
    if (again.phase === 'backfill' || again.phase === 'verify') await cutover.note(again.phase)
    if (again.phase === 'shadow-read') {
      await cutover.addComparisons(again, new Map([['q', { compared: 1, different: 0 }]]))
    }
    expect((await cutover.advance()).phase).toBe(phase)
  }
})

test('three DynamoDB tables become one while the application runs: live copy, cut-over', async () => {
  const engine = createEngine()
  const { run, clock } = createProject(engine, {
    'schema.ts': SHOP,
    'import.map.ts': `
      import { columns, defineImport, dynamodbTable } from '@singletable/kit/import'
      import { schema } from './schema.ts'
      export default defineImport(schema, {
        sources: { Users: dynamodbTable('Users'), Orders: dynamodbTable('Orders'), Items: dynamodbTable('Items') },
        emit: {
          User: { from: 'Users', set: { userId: 'id', email: 'email', name: 'name' } },
          Order: { from: 'Orders', set: { orderId: 'id', userId: 'user', status: 'status', total: 'total', day: 'day' } },
          OrderItem: { from: 'Items', set: { itemId: 'id', orderId: 'order', quantity: 'n',
            product: columns(['product'], (product) => String(product).trim()) } },
        },
      })
    `,
  })
  const done = async (words: string) => {
    const outcome = await run(words)
    expect(outcome.complaints, words).toBe('')
    return outcome.printed
  }
  const refused = async (words: string) => (await run(words)).complaints
  for (const TableName of ['Users', 'Orders', 'Items']) {
    await engine.send('CreateTable', {
      TableName,
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    })
  }
  await done('table create')

  // The application: the same calls on the three tables and on the new one.
  const table = new Table({ name: 'Shop', schema: SCHEMA, client: engine })
  const put = (TableName: string, Item: Item) => engine.send('PutItem', { TableName, Item })
  const old = {
    async saveUser({ userId, email, name }: User): Promise<void> {
      await put('Users', { id: { S: userId }, email: { S: email }, name: { S: name } })
    },
    async getUser(userId: string): Promise<User | undefined> {
      const { Item } = await engine.send('GetItem', {
        TableName: 'Users',
        Key: { id: { S: userId } },
      })
      return Item && { userId, email: Item.email?.S ?? '', name: Item.name?.S ?? '' }
    },
    async removeUser(userId: string): Promise<void> {
      await engine.send('DeleteItem', { TableName: 'Users', Key: { id: { S: userId } } })
    },
  }
  const now = {
    saveUser: async (user: User): Promise<void> => void (await table.entities.User.put(user)),
    getUser: async (userId: string) =>
      (await table.entities.User.get({ userId })) as User | undefined,
    removeUser: async (userId: string): Promise<void> =>
      void (await table.entities.User.delete({ userId })),
  }
  const app = dualWrite({
    table,
    old,
    new: now,
    writes: { saveUser: ({ userId }) => userId, removeUser: (userId) => userId },
    async repair(userId, from, to) {
      const user = await from.getUser(userId)
      await (user ? to.saveUser(user) : to.removeUser(userId))
    },
    cacheMs: 0,
    now: () => clock.now,
  })
  const { repository } = app
  const user = (userId: string, name: string) => ({ userId, email: `${userId}@x`, name })
  for (const id of ['1', '2', '3']) await repository.saveUser(user(id, `name ${id}`))
  await put('Orders', {
    id: { S: '10' },
    user: { S: '1' },
    status: { S: 'open' },
    total: { N: '12345678901234567890.5' },
    day: { S: '2024-01-15' },
  })
  await put('Items', {
    id: { S: '100' },
    order: { S: '10' },
    n: { N: '2' },
    product: { S: ' Teapot ' },
  })

  expect(await refused('cutover copy --once')).toContain('The move has not started.')
  expect(await done('cutover advance --live-copy')).toContain('→ dual-write')
  expect(await refused('cutover advance')).toContain('the live copy has not run in this phase')
  await done('cutover copy --once')
  // The stream has brought what was written; the application writes the old tables alone.
  await repository.saveUser(user('4', 'Dora'))
  await repository.removeUser('3')
  expect(await done('cutover advance')).toContain('→ backfill')
  expect(await refused('cutover advance')).toContain('the backfill has not ended, run cutover copy')
  expect(await done('cutover copy --once')).toContain('live copy: all 5 rows copied')
  expect(await now.getUser('3')).toBeUndefined()
  expect(await done('cutover advance')).toContain('→ verify')
  await engine.send('DeleteItem', {
    TableName: 'Shop',
    Key: { pk: { S: 'ORDER#10' }, sk: { S: 'ITEM#100' } },
  })
  const differs = await run('cutover copy --once')
  expect(differs.code).toBe(1)
  expect(differs.printed).toContain('1 items differ')
  expect(await refused('cutover advance')).toContain('the stores have not been compared')
  const compared = await done('cutover copy --once --restart')
  expect(compared).toContain('all items agree')
  expect(compared).toMatch(/OrderItem +1 +1 +([0-9a-f]{32}) +\1/)
  expect(await done('cutover advance')).toContain('→ shadow-read')

  // Results that differ keep the new table from being read.
  const { Item: profile } = await engine.send('GetItem', {
    TableName: 'Shop',
    Key: { pk: { S: 'USER#1' }, sk: { S: 'PROFILE' } },
  })
  await put('Shop', { ...profile, name: { S: 'wrong' } })
  await repository.getUser('1')
  await app.flush()
  await done('cutover copy --once')
  expect(await refused('cutover advance')).toContain('getUser differed 1 of 1 time:')
  await put('Shop', { ...profile })
  await done('cutover back')
  expect(await done('cutover copy --once')).toContain('all items agree')
  await done('cutover advance')
  for (const id of ['1', '2', '3', '4']) await repository.getUser(id)
  await app.flush()
  await done('cutover copy --once')
  expect(await done('cutover status')).toContain('getUser: 4 compared, 0 different')
  expect(await done('cutover advance')).toContain('→ read-new')

  await repository.saveUser(user('5', 'Eve'))
  await done('cutover copy --once')
  expect(await repository.getUser('5')).toMatchObject({ name: 'Eve' })
  expect(await done('cutover advance')).toContain('→ write-new+old')
  // Until all processes know, the old tables are written; then writes wait for the last ones.
  await repository.saveUser(user('6', 'Finn'))
  clock.now += 10_000
  const held = repository.saveUser(user('7', 'Gina'))
  expect(await refused('cutover advance')).toContain('the last writes to the old tables')
  expect(await done('cutover copy --once')).toContain('the last writes are copied')
  await held
  for (const id of ['6', '7']) expect(await now.getUser(id)).toEqual(await old.getUser(id))

  // Nothing is lost by going back, because the old tables have every write: the copy begins again.
  expect(await done('cutover back')).toContain('→ backfill')
  await repository.saveUser(user('7', 'Gina B.'))
  for (const phase of ['verify', 'shadow-read']) {
    await done('cutover copy --once')
    expect(await done('cutover advance')).toContain(`→ ${phase}`)
  }
  for (const id of ['6', '7']) await repository.getUser(id)
  await app.flush()
  await done('cutover copy --once')
  expect(await done('cutover advance')).toContain('→ read-new')
  expect(await repository.getUser('7')).toMatchObject({ name: 'Gina B.' })
  await done('cutover copy --once')
  await done('cutover advance')
  await done('cutover copy --once')
  expect(await done('cutover advance')).toContain('→ retired')
  await repository.saveUser(user('8', 'Hugo'))
  expect(await old.getUser('8')).toBeUndefined()
  expect(await repository.getUser('8')).toMatchObject({ name: 'Hugo' })

  const { Items = [] } = await engine.send('Scan', { TableName: 'Shop' })
  const control = Items.filter(({ _type }) => _type?.S === '_kit').map(({ sk }) => sk?.S ?? '')
  expect(control.filter((sk) => !/^default#(STATE|COPY|METHODS|READS#\d+)$/.test(sk))).toEqual([])
  expect(Items.find(({ sk }) => sk?.S === 'ITEM#100')).toMatchObject({
    product: { S: 'Teapot' },
    quantity: { N: '2' },
  })
  expect(Items.find(({ sk }) => sk?.S === 'ORDER#2024-01-15#10')).toMatchObject({
    total: { N: '12345678901234567890.5' },
  })
})

test('tables that a live copy can not follow are refused with the reason', async () => {
  const engine = createEngine()
  const mapping = (sources: string, join = '') => `
    import { csv, defineImport, dynamodbTable } from '@singletable/kit/import'
    import { schema } from './schema.ts'
    void [csv, dynamodbTable]
    export default defineImport(schema, {
      sources: { users: ${sources}, more: dynamodbTable('More') },
      emit: { User: { from: 'users', ${join} set: { userId: 'id' } } },
    })`
  const copy = async (text: string) => {
    const { run } = createProject(engine, { 'schema.ts': SHOP, 'import.map.ts': text })
    return (await run('cutover copy')).complaints
  }
  const { run } = createProject(engine, { 'schema.ts': SHOP })
  await run('table create')
  await run('cutover advance --live-copy')
  expect(await copy(mapping("csv('users.csv')"))).toContain(
    'The source "users" is not a DynamoDB table, so it has no stream.',
  )
  expect(await copy(mapping("dynamodbTable('Users')", "join: { more: 'id' },"))).toContain(
    'Rows of "more" are joined',
  )
})

test('a phase is read and changed although answers get lost', async () => {
  const engine = createEngine()
  const { run } = createProject(engine, { 'schema.ts': SHOP })
  await run('table create')
  let lost = 0
  const client: Transport = {
    async send(operation, request, options) {
      const response = await engine.send(operation, request, options)
      if (++lost % 2 === 1) throw Object.assign(new Error(), { code: 'ECONNRESET' })
      return response
    },
  }
  const cutover = new Cutover(new Table({ name: 'Shop', schema: SCHEMA, client }))
  expect((await cutover.advance()).phase).toBe('dual-write')
  expect((await cutover.back()).phase).toBe('off')
  expect(lost).toBeGreaterThan(6)
})
