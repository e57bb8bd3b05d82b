import { spawnSync } from 'node:child_process'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { build } from 'esbuild'
import {
  type AttributeDefinition,
  defineSchema,
  EntityMismatchError,
  InputError,
  ItemExistsError,
  ItemNotFoundError,
  type SchemaDefinition,
  Table,
  VersionConflictError,
} from 'singletable'
import { expect } from 'vitest'
import { ROOT } from '../architecture/package-manifest.ts'
import { type CorpusCase, row, type Setup } from './corpus-case.ts'
import { failureOf, type LibraryOptions, libraryTable, refuses } from './library-table.ts'

const text = { type: String, required: true } as const

const WorkSchema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byOwner: { hash: 'gsi1pk', sort: 'gsi1sk' },
  },
  models: {
    Task: {
      key: { pk: 'PROJECT#${project}', sk: 'TASK#${id}' },
      index: { gsi1pk: 'OWNER#${owner}', gsi1sk: 'STATUS#${status}#${id}' },
      attributes: {
        project: text,
        id: text,
        owner: { type: String },
        status: { type: String, enum: ['open', 'done'], default: 'open' },
        source: { type: String, readonly: true },
        hours: { type: Number },
        tags: { type: Array, items: { type: String }, default: ['new'] },
        free: { type: 'any' },
      },
    },
    Page: {
      key: { pk: 'PROJECT#${project}', sk: 'PAGE#${name}' },
      attributes: {
        project: text,
        name: text,
        body: { type: String },
        version: { type: Number, version: true },
      },
    },
    Session: {
      key: { pk: 'SESSION#${token}', sk: 'SESSION' },
      attributes: { token: text, user: { type: String }, expiresAt: { type: Date, ttl: true } },
    },
  },
})

const open = ({ engine }: Setup, options: LibraryOptions<typeof WorkSchema> = {}) =>
  libraryTable(engine, WorkSchema, options)

const KEY = { project: 'moon', id: '1' }

/** Freezes data of objects and arrays, however deep. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) frozen(member)
  return Object.freeze(value)
}

/** Attributes whose functions do what they must not. */
const functionSchema = (attribute: object): SchemaDefinition => ({
  indexes: { primary: { hash: 'pk' } },
  models: {
    // Some of the definitions are such as types would refuse.
    Thing: {
      key: { pk: 'THING#${id}' },
      attributes: { id: text, value: attribute as AttributeDefinition },
    },
  },
})

/** A table called after its end or in a wrong way, and what comes of it. */
export const libraryLifeCases: readonly CorpusCase[] = [
  row('L1', 'a table whose engine is closed says so, and does not try again', async (setup) => {
    const { table, sent } = await open(setup)
    const { Task } = table.entities
    await setup.engine.close()
    await refuses(() => Task.get(KEY).execute(), 'ENGINE_CLOSED')
    await refuses(() => Task.put(KEY).execute(), 'ENGINE_CLOSED')
    await refuses(() => Task.query({ project: 'moon' }).execute(), 'ENGINE_CLOSED')
    expect(sent).toHaveLength(3)
  }),
  row(
    'L3',
    'a call that was given up before it was made rejects, and sends nothing',
    async (setup) => {
      const { table, sent } = await open(setup)
      const { Task, Page } = table.entities
      const reason = new Error('never mind')
      const options = { signal: AbortSignal.abort(reason) }
      const put = Task.put(KEY)
      for (const call of [
        () => put.execute(options),
        () => Task.get(KEY).execute(options),
        () => Task.update(KEY).set({ status: 'done' }).execute(options),
        () => Task.update(KEY).set({ id: '2' }).execute(options),
        () => Task.delete(KEY).execute(options),
        () => Task.query({ project: 'moon' }).execute(options),
        () => Task.query({ project: 'moon' }).count(options),
        () => Task.query({ project: 'moon' }).iterate(options).next(),
        () => Task.scan().parallel(4).execute(options),
        () => Task.batchWrite([KEY]).execute(options),
        () => Task.batchGet([KEY]).execute(options),
        () => table.batchWrite([put]).execute(options),
        () => table.transactWrite().addPut(put).execute(options),
        () =>
          table
            .transactGet()
            .addGet(Page.get({ project: 'moon', name: 'a' }))
            .execute(options),
      ]) {
        expect(await failureOf(call)).toBe(reason)
      }
      expect(sent).toEqual([])
    },
  ),
  row('L4', 'a deadline that is not a time is refused', async (setup) => {
    const { loose, table, sent } = await open(setup)
    for (const deadlineMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, '10', {}]) {
      await refuses(() => loose.Task.get(KEY).execute({ deadlineMs }), 'OPTION_INVALID')
      await refuses(() => loose.Task.put(KEY).execute({ deadlineMs }), 'OPTION_INVALID')
      await refuses(() => loose.Task.scan().execute({ deadlineMs }), 'OPTION_INVALID')
      const options = { name: 'x', schema: WorkSchema, client: setup.engine, deadlineMs } as never
      await refuses(() => new Table(options), 'OPTION_INVALID')
    }
    expect(sent).toEqual([])
    expect(await table.entities.Task.get(KEY).execute({ deadlineMs: undefined })).toBeUndefined()
  }),
  row('L5', 'a client that retries by itself does not multiply the attempts', async (setup) => {
    await open(setup)
    const client = new DynamoDBClient({ ...setup.engine.clientConfig(), maxAttempts: 5 })
    try {
      const retry = { attemptsMax: 3, delayMsBase: 0, delayMsMax: 0 }
      const { Task } = new Table({ name: 'library', schema: WorkSchema, client, retry }).entities
      const fault = setup.engine.faults.add({ kind: 'throttle', operation: 'GetItem' })
      await refuses(() => Task.get(KEY).execute(), 'THROTTLED')
      expect(fault.hits).toBe(3)
    } finally {
      client.destroy()
    }
  }),
  row('L6', 'an update of what is not there makes no item', async (setup) => {
    const { table, items } = await open(setup)
    const { Task } = table.entities
    for (const update of [
      Task.update(KEY).set({ hours: 1 }),
      Task.update(KEY).add('hours', 1),
      Task.update(KEY).remove('hours'),
      Task.update(KEY).append('tags', ['x']),
      Task.update(KEY).set({ status: 'done' }),
      Task.update(KEY).set({ status: 'done', owner: 'ann' }),
      Task.update(KEY).set({ id: '2' }),
      Task.update(KEY).given({ hours: undefined }).set({ owner: 'ann', status: 'open' }),
    ]) {
      expect(await failureOf(() => update.execute())).toBeInstanceOf(ItemNotFoundError)
    }
    await failureOf(() =>
      table
        .transactWrite()
        .addUpdate(Task.update(KEY).set({ hours: 1 }))
        .execute(),
    )
    expect(await items()).toEqual([])
  }),
  row(
    'L7',
    'a create whose answer was lost is made once, and not called refused',
    async (setup) => {
      const { table, sent, items } = await open(setup)
      const { Task } = table.entities
      setup.engine.faults.add({ kind: 'error', when: 'after', operation: 'PutItem', count: 1 })
      const error = await failureOf(() => Task.create({ ...KEY }).execute())
      expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN' })
      expect(sent).toHaveLength(2)
      expect(await items()).toHaveLength(1)
    },
  ),
  row(
    'L7',
    'a create whose answer was lost does not take the item of another for its own',
    async (setup) => {
      const { table } = await open(setup)
      const { Task } = table.entities
      await Task.put({ ...KEY, owner: 'bob' }).execute()
      setup.engine.faults.add({ kind: 'error', when: 'before', operation: 'PutItem', count: 1 })
      const error = await failureOf(() => Task.create({ ...KEY, owner: 'ann' }).execute())
      expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN' })
      expect((await Task.get(KEY).execute())?.owner).toBe('bob')
    },
  ),
  row('L8', 'a write for another version is refused with the current item', async (setup) => {
    const { table } = await open(setup)
    const { Page } = table.entities
    const key = { project: 'moon', name: 'plan' }
    const first = await Page.put(key).execute()
    await Page.put({ ...first, body: 'second' }).execute()
    const current = { ...key, body: 'second', version: 2 }
    for (const call of [
      () => Page.put({ ...first, body: 'late' }).execute(),
      () => Page.update(key).set({ body: 'late' }).ifVersion(1).execute(),
      () => Page.delete(key).ifVersion(1).execute(),
    ]) {
      const error = await failureOf(call)
      expect(error).toBeInstanceOf(VersionConflictError)
      expect(error.item).toEqual(current)
    }
    expect(await failureOf(() => Page.put(key).execute())).toBeInstanceOf(ItemExistsError)
    expect(await Page.get(key).execute()).toEqual(current)
  }),
  row('L9', 'a global index is not read consistently', async (setup) => {
    const { table, loose, sent } = await open(setup)
    const { Task } = table.entities
    await refuses(
      // @ts-expect-error byOwner is a global index, and no global index can be read consistently.
      () => Task.query({ owner: 'ann' }).useIndex('byOwner').consistentRead().execute(),
      'PLAN_INVALID',
    )
    await refuses(
      () => loose.Task.query({ owner: 'ann' }).consistentRead().execute(),
      'PLAN_INVALID',
    )
    await refuses(
      () => loose.Task.query({ owner: 'ann' }).consistentRead().useIndex('byOwner').execute(),
      'PLAN_INVALID',
    )
    await refuses(
      () => loose.Task.scan().useIndex('byOwner').consistentRead().execute(),
      'PLAN_INVALID',
    )
    expect(sent).toEqual([])
    expect(await Task.query({ project: 'moon' }).consistentRead().execute()).toEqual([])
  }),
  row(
    'L10',
    'an attribute that is not declared is refused, with the name that may be meant',
    async (setup) => {
      const { loose, sent } = await open(setup)
      for (const call of [
        () => loose.Task.put({ ...KEY, ownr: 'ann' }).execute(),
        () => loose.Task.create({ ...KEY, ownr: 'ann' }).execute(),
        () => loose.Task.batchWrite([KEY, { ...KEY, id: '2', ownr: 'ann' }]).execute(),
        () => loose.Task.update(KEY).set({ ownr: 'ann' }).execute(),
        () => loose.Task.upsert(KEY).set({ ownr: 'ann' }).execute(),
        () => loose.Task.update(KEY).set({ hours: 1 }).given({ ownr: 'ann' }).execute(),
        () => loose.Task.get({ ...KEY, ownr: 'ann' }).execute(),
        () => loose.Task.query({ project: 'moon', ownr: 'ann' }).execute(),
      ]) {
        const error = await refuses(call, 'INPUT_INVALID')
        expect(error.message).toContain('ownr')
        expect(error.message).toContain('owner')
      }
      expect(sent).toEqual([])
    },
  ),
  row('L11', 'an attribute that is readonly can be given once', async (setup) => {
    const { loose, table, sent } = await open(setup)
    const { Task } = loose
    await Task.put({ ...KEY, source: 'mail' }).execute()
    sent.length = 0
    for (const update of [
      () => Task.update(KEY).set({ source: 'web' }),
      () => Task.update(KEY).set('source', 'web'),
      () => Task.update(KEY).setDefault({ source: 'web' }),
      () => Task.update(KEY).remove('source'),
    ]) {
      await refuses(() => update().execute(), 'INPUT_INVALID')
      await refuses(() => table.transactWrite().addUpdate(update()).execute(), 'INPUT_INVALID')
    }
    expect(sent).toEqual([])
    await Task.upsert(KEY).set({ source: 'web', hours: 1 }).execute()
    expect(await Task.get(KEY).execute()).toMatchObject({ source: 'mail', hours: 1 })
  }),
  row('L12', 'a value outside its enum is refused', async (setup) => {
    const { loose, sent } = await open(setup)
    for (const status of ['closed', 'OPEN', 'open ', '', 'toString', 0, ['open']]) {
      for (const call of [
        () => loose.Task.put({ ...KEY, status }).execute(),
        () => loose.Task.update(KEY).set({ status }).execute(),
        () => loose.Task.upsert(KEY).set({ status }).execute(),
        () => loose.Task.update(KEY).set({ hours: 1 }).given({ status }).execute(),
        () => loose.Task.query({ owner: 'ann', status }).execute(),
      ]) {
        await refuses(call, 'INPUT_INVALID', 'KEY_COMPONENT_INVALID')
      }
    }
    expect(sent).toEqual([])
  }),
  row(
    'L13',
    'an item of another model under the key is refused, and not taken for one',
    async (setup) => {
      const { table, store } = await open(setup)
      const { Task } = table.entities
      const key = { pk: { S: 'PROJECT#moon' }, sk: { S: 'TASK#1' } }
      for (const type of [{ S: 'Page' }, { S: 'Unheard' }, { N: '1' }]) {
        await store({ ...key, _type: type, project: { S: 'moon' }, id: { S: '1' } })
        for (const call of [
          () => Task.get(KEY).execute(),
          () => Task.batchGet([KEY]).execute(),
          () => table.transactGet().addGet(Task.get(KEY)).execute(),
        ]) {
          const error = await failureOf(call)
          expect(error).toBeInstanceOf(EntityMismatchError)
          expect(error.key).toEqual(key)
        }
        expect(await Task.query({ project: 'moon' }).execute()).toEqual([])
        expect(await Task.scan().execute()).toEqual([])
      }
    },
  ),
  row('L17', 'an item whose time is over is not there, also while it is stored', async (setup) => {
    const { environment } = setup
    const { table, items } = await open(setup, {
      environment: {
        now: () => environment.now(),
        randomBytes: (count) => new Uint8Array(count),
        schedule: (callback, delayMs) => environment.schedule(callback, delayMs),
      },
    })
    const { Session } = table.entities
    const key = { token: 't' }
    const expiresAt = new Date(Math.ceil(environment.now() / 1000) * 1000 + 60_000)
    await Session.put({ ...key, user: 'ann', expiresAt }).execute()
    expect((await Session.get(key).execute())?.user).toBe('ann')
    environment.jump(expiresAt.getTime())
    expect(await Session.get(key).execute()).toBeUndefined()
    expect(await Session.get(key).select(['user']).execute()).toBeUndefined()
    expect(await Session.batchGet([key]).execute()).toEqual([undefined])
    expect(await table.transactGet().addGet(Session.get(key)).execute()).toEqual([undefined])
    expect(await Session.query(key).execute()).toEqual([])
    expect(await Session.query(key).count()).toBe(0)
    expect(await Session.scan().execute()).toEqual([])
    expect(await items()).toHaveLength(1)
    expect((await Session.get(key).includeExpired().execute())?.user).toBe('ann')
    expect(
      await failureOf(() => Session.update(key).set({ user: 'eve' }).execute()),
    ).toBeInstanceOf(ItemNotFoundError)
    await Session.create({ ...key, user: 'bob' }).execute()
    expect(await Session.get(key).execute()).toEqual({ ...key, user: 'bob' })
  }),
  row(
    'L19',
    'a function of the schema that throws ends the call before anything is sent',
    async ({ engine }) => {
      const problem = new Error('out of order')
      const throwing = () => {
        throw problem
      }
      const standard = { '~standard': { version: 1, vendor: 'test', validate: throwing } }
      const definitions = {
        validate: { type: String, validate: throwing },
        standard: { type: String, validate: standard },
        default: { type: String, default: throwing },
        generate: { type: String, generate: throwing },
      }
      for (const [name, definition] of Object.entries(definitions)) {
        const { loose, sent } = await libraryTable(engine, functionSchema(definition), {
          name: `f-${name}`,
        })
        const supplied = name === 'default' || name === 'generate'
        const input = supplied ? { id: '1' } : { id: '1', value: 'x' }
        for (const call of [
          () => loose.Thing.put(input).execute(),
          () => loose.Thing.create(input).execute(),
          () => loose.Thing.batchWrite([input]).execute(),
          ...(supplied
            ? []
            : [() => loose.Thing.update({ id: '1' }).set({ value: 'x' }).execute()]),
        ]) {
          const error = await failureOf(call)
          if (supplied) expect(error).toBe(problem)
          else {
            expect(error).toBeInstanceOf(InputError)
            expect(error.cause).toBe(problem)
          }
        }
        expect(sent).toEqual([])
      }
    },
  ),
  row('L20', 'a function of the schema that answers later is refused', async ({ engine }) => {
    const later = async () => 'x'
    const failing = async () => {
      throw new Error('too late')
    }
    const standard = { '~standard': { version: 1, vendor: 'test', validate: later } }
    const definitions = {
      validate: { type: String, validate: later },
      failing: { type: String, validate: failing },
      standard: { type: String, validate: standard },
      default: { type: String, default: later },
      anything: { type: 'any', default: later },
      generate: { type: String, generate: later },
    }
    for (const [name, definition] of Object.entries(definitions)) {
      const { loose, sent } = await libraryTable(engine, functionSchema(definition), {
        name: `f-${name}`,
      })
      const supplied = 'default' in definition || 'generate' in definition
      const input = supplied ? { id: '1' } : { id: '1', value: 'x' }
      await refuses(() => loose.Thing.put(input).execute(), 'INPUT_INVALID')
      await refuses(() => loose.Thing.batchWrite([input]).execute(), 'INPUT_INVALID')
      expect(sent).toEqual([])
    }
  }),
  row(
    'L21',
    'what happens to an input after the call does not happen to the item',
    async (setup) => {
      const { table, items } = await open(setup)
      const { Task } = table.entities
      const input = () => ({ ...KEY, owner: 'ann', tags: ['a'], free: { deep: [1] } })
      type Input = ReturnType<typeof input>
      const spoil = (given: Input) => {
        given.id = '9'
        given.owner = 'eve'
        given.tags.push('b')
        given.free.deep.push(2)
      }
      const expected = { ...input(), status: 'open' }
      const writes: ((given: Input) => Promise<unknown>)[] = [
        (given) => Task.put(given).execute(),
        (given) => Task.create(given).execute(),
        (given) => Task.batchWrite([given]).execute(),
        (given) => table.batchWrite([Task.put(given)]).execute(),
        (given) => table.transactWrite().addPut(Task.put(given)).execute(),
      ]
      for (const write of writes) {
        const given = input()
        const running = write(given)
        spoil(given)
        await running
        expect(await Task.get(KEY).execute()).toEqual(expected)
        expect(await items()).toHaveLength(1)
        await Task.delete(KEY).execute()
      }
      // Of these, the second reads the item before it writes, and the third moves it.
      const { project, id, ...rest } = input()
      for (const change of [{ hours: 1 }, { status: 'done' as const }, { id: '2' }]) {
        await Task.put({ project, id, owner: 'bob' }).execute()
        const given = { ...structuredClone(rest), ...change }
        const key = { project, id }
        const running = Task.update(key).set(given).execute()
        given.owner = 'eve'
        given.tags.push('b')
        given.free.deep.push(2)
        key.id = '9'
        await running
        const stored = await Task.get({ project, id, ...change }).execute()
        expect(stored).toEqual({ ...expected, ...change })
        await Task.delete({ project, id, ...change }).execute()
      }
      expect(await items()).toEqual([])
    },
  ),
  row(
    'L21',
    'what happens to an output does not happen to the schema, the input or other items',
    async (setup) => {
      const { table } = await open(setup)
      const { Task } = table.entities
      const first = await Task.put(KEY).execute()
      first.tags?.push('changed')
      const second = await Task.put({ ...KEY, id: '2' }).execute()
      expect(second.tags).toEqual(['new'])
      const free = { list: [1] }
      const third = await Task.put({ ...KEY, id: '3', free }).execute()
      ;(third.free as { list: number[] }).list.push(2)
      expect(free).toEqual({ list: [1] })
    },
  ),
  row('L22', 'frozen inputs and a frozen schema are taken', async ({ engine }) => {
    const { table } = await libraryTable(engine, frozen(structureOf(WorkSchema)), {
      name: 'frozen',
    })
    const { Task } = table.entities
    const input = frozen({ ...KEY, owner: 'ann', tags: ['a'], free: { deep: [{ x: 1 }] } })
    await Task.put(input).execute()
    await Task.batchWrite(frozen([{ ...input, id: '2' }])).execute()
    await Task.update(frozen({ ...KEY }))
      .set(frozen({ status: 'done', free: { deep: [] } }))
      .append('tags', frozen(['b']))
      .given(frozen({ owner: 'ann' }))
      .execute()
    const found = await Task.query(frozen({ project: 'moon' })).execute()
    expect(found.map(({ status, tags }) => [status, tags])).toEqual([
      ['done', ['a', 'b']],
      ['open', ['a']],
    ])
    expect(await Task.batchGet(frozen([{ ...KEY }])).execute()).toHaveLength(1)
  }),
  row('L23', 'a batch that nobody waits for is finished before the process ends', async () => {
    const program = `
      import { Table } from 'singletable'
      import { createEngine } from 'singletable/engine'
      const engine = createEngine()
      const schema = {
        indexes: { primary: { hash: 'pk' } },
        models: { Note: { key: { pk: 'NOTE#\${id}' }, attributes: { id: { type: String } } } },
      }
      const table = new Table({ name: 'notes', schema, client: engine })
      await table.create()
      engine.faults.add({ kind: 'unprocessed', operation: 'BatchWriteItem', count: 75 })
      const notes = Array.from({ length: 30 }, (_, index) => ({ id: String(index) }))
      let outcome = 'lost'
      table.entities.Note.batchWrite(notes).execute().then(
        () => table.entities.Note.scan().count().then((count) => { outcome = 'stored ' + count }),
      )
      process.on('exit', () => console.log(outcome))
    `
    const { outputFiles } = await build({
      stdin: { contents: program, resolveDir: ROOT, loader: 'ts' },
      bundle: true,
      write: false,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      conditions: ['singletable-source'],
      external: ['@aws-sdk/*'],
    })
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-'], {
      input: outputFiles[0]?.text ?? '',
      encoding: 'utf8',
    })
    expect(stdout, stderr).toBe('stored 30\n')
  }),
  row('L24', 'ids go up while the clock goes back', async ({ engine }) => {
    let now = Date.UTC(2026, 0, 1, 12)
    const ids = { type: String, generate: 'ulid' } as const
    const schema = defineSchema({
      indexes: { primary: { hash: 'pk', sort: 'sk' } },
      models: {
        Post: {
          key: { pk: 'POSTS', sk: 'POST#${id}' },
          attributes: {
            id: ids,
            other: { type: String, generate: 'uuid7' },
            order: { type: Number },
          },
        },
      },
    })
    const { table } = await libraryTable(engine, schema, {
      environment: {
        now: () => now,
        randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
        schedule(callback) {
          const timer = setTimeout(callback)
          return () => clearTimeout(timer)
        },
      },
    })
    const { Post } = table.entities
    const others: string[] = []
    const steps = [0, 0, 1, -3_600_000, 0, 5, -60_000, 3_700_000, -1, 0]
    for (const [order, step] of steps.entries()) {
      now += step
      const { other } = await Post.put({ order }).execute()
      others.push(other as string)
    }
    const posts = await Post.scan().execute()
    const byId = posts.sort((a, b) => (a.id < b.id ? -1 : 1))
    expect(byId.map(({ order }) => order)).toEqual(steps.map((_, order) => order))
    expect(others).toEqual([...others].sort())
    expect(new Set(others).size).toBe(steps.length)
  }),
]

/** A copy of a schema's objects and lists, with the same types and functions in it. */
function structureOf<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(structureOf) as T
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, structureOf(member)]),
  ) as T
}
