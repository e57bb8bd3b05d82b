import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Transport } from 'singletable'
import { createEngine, type Engine } from 'singletable/engine'
import { compileSchema, ServiceError, systemEnvironment } from 'singletable/tools'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { diffSchemas } from '../../../packages/kit/src/migrate/diff-schemas.ts'
import { Journal } from '../../../packages/kit/src/migrate/journal.ts'
import { writeMigration } from '../../../packages/kit/src/migrate/write-migration.ts'
import { ChangeCauses } from '../../../packages/kit/src/recorder/change-causes.ts'
import { PatternCalls } from '../../../packages/kit/src/recorder/pattern-calls.ts'
import { writeRecording } from '../../../packages/kit/src/recorder/recording-file.ts'
import type { StreamEvent } from '../../../packages/kit/src/studio/api/contract.ts'
import { splitRecords } from '../../../packages/kit/src/studio/web/state/split-records.ts'
import { type OpenApp, openApp, schema } from './open-app.ts'

let app: OpenApp
let engine: Engine
beforeEach(async () => {
  engine = createEngine()
  app = await openApp(engine)
  const { User, Post } = app.table.entities
  await User.put({ username: 'ada', email: 'ada@example.com' })
  for (const postId of ['p1', 'p2']) {
    await Post.create({ username: 'ada', postId, title: `Post ${postId}`, status: 'live' })
  }
})
afterEach(async () => {
  expect(app.faults).toEqual([])
  await engine.close()
})

/** The events that the server sends, one by one. */
async function* eventsOf(response: Response): AsyncGenerator<StreamEvent, void, undefined> {
  const decoder = new TextDecoderStream()
  let rest = ''
  for await (const text of response.body!.pipeThrough(decoder)) {
    const parts = (rest + text).split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) yield JSON.parse(part.replace(/^data: /, ''))
  }
}

async function next(events: AsyncGenerator<StreamEvent, void, undefined>): Promise<StreamEvent> {
  const { value } = await events.next()
  if (!value) throw new Error('The stream has ended.')
  return value
}

describe('the stream', () => {
  test('a table without one says so, and the studio can start it', async () => {
    const events = eventsOf(await app.get('/api/stream'))
    expect(await next(events)).toEqual({ kind: 'off' })
    await events.return()
    expect(await app.call('/api/start-stream')).toEqual({ ok: true })
    const again = eventsOf(await app.get('/api/stream'))
    expect(await next(again)).toEqual({ kind: 'following', images: 'NEW_AND_OLD_IMAGES' })
    await again.return()
  })

  test('each change comes with its entity and what differs, as the entity reads it', async () => {
    await app.call('/api/start-stream')
    const events = eventsOf(await app.get('/api/stream'))
    expect(await next(events)).toMatchObject({ kind: 'following' })
    const { Post } = app.table.entities
    const first = next(events)
    // The place in the stream is taken by the first read of it.
    await new Promise((resolve) => setTimeout(resolve, 50))
    await Post.update({ username: 'ada', postId: 'p1' }).set({
      title: 'Another',
      tags: new Set(['x']),
    })
    expect(await first).toMatchObject({
      kind: 'change',
      change: {
        kind: 'modify',
        entity: 'Post',
        isExpiry: false,
        key: { pk: { S: 'USER#ada' }, sk: { S: 'POST#p1' } },
        values: [
          { name: 'title', before: 'Post p1', after: 'Another' },
          { name: 'tags', before: null, after: '["x"]' },
        ],
      },
    })
    await events.return()
  })

  test('each change says what caused it: a call and its pattern here, an operation elsewhere', async () => {
    const causes = new ChangeCauses()
    const shared = createEngine()
    const open = await openApp(shared, { causes })
    await open.table.entities.User.put({ username: 'ada', email: 'ada@example.com' })
    await open.call('/api/start-stream')
    const events = eventsOf(await open.get('/api/stream'))
    expect(await next(events)).toMatchObject({ kind: 'following' })
    const first = next(events)
    await new Promise((resolve) => setTimeout(resolve, 50))
    const strings = { username: 'ada', postId: 'p1', title: 'New', status: 'live' }
    const create = { kind: 'create', entity: 'Post', strings } as const
    expect(await open.call('/api/change', { change: create })).toMatchObject({ state: 'saved' })
    const put = (sk: string) => ({
      ...{ operation: 'PutItem' as const, by: 'program' as const },
      request: { TableName: 'Blog', Item: { pk: { S: 'x' }, sk: { S: sk } } },
    })
    // As dev sends what comes over HTTP; and a writer that nobody watches.
    await causes.follow(put('1'), (onStreamRecord) =>
      shared.send('PutItem', put('1').request, { onStreamRecord }),
    )
    await shared.send('PutItem', put('2').request)
    const seen = [await first]
    while (seen.length < 4) seen.push(await next(events))
    const found = seen.map((event) => event.kind === 'change' && event.change)
    const causeOf = (sk: string) => {
      const change = found.find((each) => each && each.key.sk?.S === sk)
      return change ? change.cause : undefined
    }
    expect(causeOf('POST#p1')).toEqual({
      ...{ operation: 'TransactWriteItems', by: 'studio', call: 'Post.create()', pattern: null },
    })
    // The counter of posts follows from the same call.
    expect(causeOf('USER')).toEqual(causeOf('POST#p1'))
    expect(causeOf('1')).toEqual({
      ...{ operation: 'PutItem', by: 'program', call: null, pattern: null },
    })
    expect(causeOf('2')).toBeNull()
    await events.return()
    await shared.close()
  })

  test('a read-only studio and one on AWS start none', async () => {
    const readOnly = await openApp(createEngine(), { isReadOnly: true })
    expect(await readOnly.refused('/api/start-stream')).toMatchObject({ code: 'READ_ONLY' })
    const aws = await openApp(createEngine(), { isAws: true })
    expect((await aws.refused('/api/start-stream')).fix).toContain('singletable table apply')
  })
})

describe('where patterns were run', () => {
  test('is shown with its source: recorded tests, this studio, other programs', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'studio-runs-'))
    const recording = path.join(folder, 'recording.json')
    const programs = new PatternCalls()
    const open = await openApp(createEngine(), { recording, programs })
    expect(await open.call('/api/runs')).toEqual({ recording: null, isShared: true, patterns: [] })
    const shape = {
      ...{ operation: 'Query', index: 'primary', key: null, filter: null, pattern: 'postsOfUser' },
      ...{ entity: 'Post', verb: 'query', count: 3, itemsRead: 1, itemsReturned: 1 },
    }
    writeRecording(recording, { shapes: [shape, { ...shape, pattern: 'gone' }] })
    programs.note('postsByStatus', 12)
    for (const username of ['ada', 'bob']) {
      await open.call('/api/pattern', { pattern: 'user', input: { username } })
    }
    // Seeing what would be sent is not a run.
    await open.call('/api/plan', { pattern: 'postsByStatus', input: { status: 'live' } })
    const runs = await open.call('/api/runs')
    expect(runs.recording).toMatchObject({ file: 'recording.json', problem: null })
    expect(runs.patterns).toEqual([
      { pattern: 'postsOfUser', recorded: 3, studio: null, programs: null },
      { pattern: 'postsByStatus', recorded: null, studio: null, programs: { calls: 1, p95Ms: 12 } },
      {
        ...{ pattern: 'user', recorded: null, programs: null },
        studio: { calls: 2, p95Ms: expect.any(Number) },
      },
    ])
    writeFileSync(recording, '{}')
    expect((await open.call('/api/runs')).recording?.problem).toContain('"format"')
    rmSync(folder, { recursive: true })
  })
})

test('requests are counted by the partition that they name', async () => {
  expect((await app.call('/api/traffic', { index: 'gsi1' })).partitions).toEqual([])
  for (let n = 0; n < 3; n++) {
    await app.call('/api/query', { index: 'gsi1', hash: ['STATUS#live'], limit: 1 })
  }
  await app.call('/api/pattern', { pattern: 'postsByStatus', input: { status: 'draft' } })
  const { partitions, isShared } = await app.call('/api/traffic', { index: 'gsi1' })
  expect(partitions).toMatchObject([
    { hash: ['STATUS#live'], reads: 3, readUnits: 1.5, writes: 0, writeUnits: 0 },
    { hash: ['STATUS#draft'], reads: 1, readUnits: 0.5, writes: 0, writeUnits: 0 },
  ])
  const before = await app.call('/api/traffic', { index: 'gsi1', minutesAgo: 9 })
  expect(before.partitions).toEqual([])
  expect(before.history.reduce((sum, { reads }) => sum + reads, 0)).toBe(2)
  for (const minutesAgo of [-1, 0.5, 'x']) {
    expect(await app.refused('/api/traffic', { index: 'gsi1', minutesAgo })).toMatchObject({
      status: 400,
    })
  }
  expect(isShared).toBe(false)
  const strings = { username: 'eve', email: 'eve@example.com' }
  await app.call('/api/change', { change: { kind: 'create', entity: 'User', strings } })
  const written = (await app.call('/api/traffic', { index: 'primary' })).partitions
  const eve = written.find(({ hash }) => hash[0] === 'USER#eve')
  expect(eve).toMatchObject({ writes: 1 })
  expect(eve?.writeUnits).toBeGreaterThan(0)
  expect(await app.refused('/api/traffic', { index: 'none' })).toMatchObject({ status: 400 })
})

describe('migrations', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'studio-migrations-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  test('are listed with their steps and what they cost, and tried without writing', async () => {
    const first = writeMigration({
      directory,
      name: 'first',
      nowMs: 0,
      parents: [],
      definition: schema,
      changes: [],
    })
    const open = await openApp(createEngine(), { migrations: directory })
    const { migrations, lock, problems } = await open.call('/api/migrations')
    expect(migrations).toMatchObject([
      { id: first, status: 'pending', steps: [], readUnits: 0, writeUnits: 0, progress: null },
    ])
    expect([lock, problems]).toEqual([null, []])
    await open.table.entities.User.put({ username: 'ada', email: 'ada@example.com' })
    expect(await open.call('/api/try-migration', { id: first })).toMatchObject({
      changed: 0,
      problems: 0,
      isWhole: true,
    })
    expect(await open.refused('/api/try-migration', { id: '../x' })).toMatchObject({
      status: 400,
      what: 'There is no migration "../x".',
    })
  })

  test('the next one shows what it changes, and one that runs how far it is', async () => {
    const { at, ...attributes } = schema.models.Post.attributes
    const before = {
      ...schema,
      models: {
        ...schema.models,
        Post: { ...schema.models.Post, attributes: { ...attributes, postedAt: at } },
      },
    }
    const shared = { directory, changes: [] }
    const first = { ...shared, name: 'first', nowMs: 0, parents: [], definition: before }
    const parent = writeMigration(first)
    const changes = diffSchemas(compileSchema(before), compileSchema(schema), {
      renames: new Map([['Post.postedAt', 'at']]),
      removals: new Set(),
    })
    const id = writeMigration({
      ...{ directory, name: 'rename', nowMs: 1000, parents: [parent], definition: schema },
      changes,
    })
    const own = createEngine()
    const open = await openApp(own, { migrations: directory })
    const { User, Post } = open.table.entities
    await User.put({ username: 'ada', email: 'ada@example.com' })
    await Post.create({ username: 'ada', postId: 'p1', title: 'x', status: 'live' })
    await own.send('UpdateItem', {
      TableName: 'Blog',
      Key: { pk: { S: 'USER#ada' }, sk: { S: 'POST#p1' } },
      UpdateExpression: 'SET postedAt = :at',
      ExpressionAttributeValues: { ':at': { S: '2026-01-01T00:00:00.000Z' } },
    })
    const trial = await open.call('/api/try-migration', { id })
    expect(trial).toMatchObject({ changed: 1, problems: 0, isWhole: true })
    expect(trial.examples[0]?.after[0]).toMatchObject({ at: { S: '2026-01-01T00:00:00.000Z' } })

    const journal = new Journal({
      transport: own,
      tableName: 'Blog',
      schema: compileSchema(schema),
      environment: systemEnvironment,
      owner: 'a test',
    })
    await journal.acquire()
    await journal.record(id, {
      ...{ state: 'running', checksum: 'x', startedAt: '2026-01-01T00:00:00.000Z' },
      ...{ segments: 1, step: 0, pass: 0 },
    })
    const { migrations, lock } = await open.call('/api/migrations')
    expect(lock?.owner).toContain('a test')
    expect(lock?.isLeft).toBe(false)
    expect(migrations[1]).toMatchObject({
      id,
      status: 'running',
      steps: ['renameAttribute(Post, postedAt, at)'],
      progress: { stage: 0, stages: 1, pass: 0, read: 0, changed: 0 },
    })
  })

  /** Writes of items wait for it. */
  let hold: Promise<void> | undefined
  /** A migration that renames an attribute of posts, and a table with as many of them. */
  const renaming = async (
    posts: number,
    options: object = {},
  ): Promise<{ open: OpenApp; own: Engine; ids: readonly string[] }> => {
    const { at, ...attributes } = schema.models.Post.attributes
    const models = {
      ...schema.models,
      Post: { ...schema.models.Post, attributes: { ...attributes, postedAt: at } },
    }
    const before = { ...schema, models }
    const first = { directory, name: 'first', nowMs: 0, parents: [], changes: [] }
    const parent = writeMigration({ ...first, definition: before })
    const renames = new Map([['Post.postedAt', 'at']])
    const changes = diffSchemas(compileSchema(before), compileSchema(schema), {
      renames,
      removals: new Set(),
    })
    const second = { directory, name: 'rename', nowMs: 1000, parents: [parent], changes }
    const id = writeMigration({ ...second, definition: schema })
    const own = createEngine()
    const transport: Transport = {
      send: async (operation, request, sendOptions) => {
        const isWrite = !/^(Get|Query|Scan|Batch?Get|Describe)/.test(operation)
        if (isWrite && JSON.stringify(request).includes('USER#ada')) await hold
        return own.send(operation, request, sendOptions)
      },
    }
    const open = await openApp(transport, { migrations: directory, ...options })
    for (let n = 0; n < posts; n++) {
      await own.send('PutItem', {
        TableName: 'Blog',
        Item: {
          ...{ pk: { S: 'USER#ada' }, sk: { S: `POST#p${n}` }, _type: { S: 'Post' } },
          ...{ username: { S: 'ada' }, postId: { S: `p${n}` }, title: { S: 'x' } },
          ...{ status: { S: 'live' }, postedAt: { S: '2026-01-01T00:00:00.000Z' } },
          ...{ gsi1pk: { S: 'STATUS#live' }, gsi1sk: { S: `POST#p${n}` } },
        },
      })
    }
    return { open, own, ids: [parent, id] }
  }
  const applied = async (open: OpenApp): Promise<readonly string[]> =>
    (await open.call('/api/migrations')).migrations.map(({ status }) => status)
  const renamed = async (own: Engine): Promise<number> => {
    const { Items } = await own.send('Scan', { TableName: 'Blog' })
    return Items?.filter(({ at }) => at !== undefined).length ?? 0
  }

  test('are carried out from the page, until all are applied', async () => {
    const { open, own } = await renaming(5)
    expect(await open.call('/api/run-migrations')).toEqual({ ok: true })
    await expect.poll(() => applied(open)).toEqual(['applied', 'applied'])
    expect(await renamed(own)).toBe(5)
    expect(await open.call('/api/migrations')).toMatchObject({ run: null, lock: null })
    expect(await open.refused('/api/run-migrations')).toMatchObject({
      what: 'All migrations are applied.',
    })
    expect(open.faults).toEqual([])
  })

  test('are paused and continued; a second run is refused meanwhile', async () => {
    const { open, own, ids } = await renaming(3)
    let go: () => void = () => {}
    hold = new Promise((resolve) => {
      go = resolve
    })
    await open.call('/api/run-migrations')
    await expect.poll(() => applied(open)).toEqual(['applied', 'running'])
    const { run, lock } = await open.call('/api/migrations')
    expect(run).toMatchObject({ id: ids[1] })
    expect(lock).toMatchObject({ isLeft: false, owner: expect.stringContaining('studio of') })
    expect(await open.refused('/api/run-migrations')).toMatchObject({
      what: 'Migrations are running already.',
    })
    const paused = open.call('/api/pause-migrations')
    go()
    expect(await paused).toEqual({ ok: true })
    expect(await applied(open)).toEqual(['applied', 'paused'])
    expect((await open.call('/api/migrations')).lock).toBeNull()
    await open.call('/api/run-migrations')
    await expect.poll(() => applied(open)).toEqual(['applied', 'applied'])
    expect(await renamed(own)).toBe(3)
  })

  test('that fail say why, and can be continued', async () => {
    const { open, own } = await renaming(1)
    hold = Promise.reject(new ServiceError('AccessDeniedException', 'You may not write.'))
    hold.catch(() => {})
    await open.call('/api/run-migrations')
    await expect
      .poll(async () => (await open.call('/api/migrations')).run?.failure)
      .toMatchObject({ code: 'AccessDeniedException', what: 'You may not write.' })
    expect((await open.call('/api/migrations')).lock).toBeNull()
    expect(await renamed(own)).toBe(0)
    hold = undefined
    await open.call('/api/run-migrations')
    await expect.poll(() => applied(open)).toEqual(['applied', 'applied'])
    expect((await open.call('/api/migrations')).run).toBeNull()
    expect(open.faults).toEqual([])
  })

  test('are not run read-only, nor on AWS without the typed name and a way back', async () => {
    const { open: readOnly } = await renaming(0, { isReadOnly: true })
    for (const path of ['/api/run-migrations', '/api/pause-migrations'] as const) {
      expect(await readOnly.refused(path)).toMatchObject({ status: 403, code: 'READ_ONLY' })
    }
    const own = createEngine()
    const aws = await openApp(own, { migrations: directory, isAws: true })
    expect(await aws.refused('/api/run-migrations')).toMatchObject({ code: 'TABLE_UNCONFIRMED' })
    const table = { table: 'Blog' }
    expect(await aws.refused('/api/run-migrations', table)).toMatchObject({
      what: "The table can't be restored to an earlier time: point-in-time recovery is off.",
    })
    await own.send('UpdateContinuousBackups', {
      TableName: 'Blog',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    })
    await aws.call('/api/run-migrations', table)
    await expect.poll(() => applied(aws)).toEqual(['applied', 'applied'])
  })

  test('a project without a folder has none', async () => {
    expect(await app.call('/api/migrations')).toMatchObject({ migrations: [], problems: [] })
  })
})

describe('export', () => {
  const lines = async (query: string): Promise<readonly string[]> => {
    const response = await app.get(`/api/export?${query}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="Blog/)
    return (await response.text()).trimEnd().split('\n')
  }

  test('the table, an entity and a partition come in three formats', async () => {
    expect((await lines('format=dynamodb')).length).toBe(4)
    expect((await lines('format=dynamodb&entity=Post')).map((each) => JSON.parse(each))).toEqual([
      { Item: expect.objectContaining({ sk: { S: 'POST#p1' } }) },
      { Item: expect.objectContaining({ sk: { S: 'POST#p2' } }) },
    ])
    const pk = encodeURIComponent(JSON.stringify(['STATUS#live']))
    const decoded = await lines(`format=json&index=gsi1&pk=${pk}`)
    expect(decoded.map((each) => JSON.parse(each))).toMatchObject([
      { entity: 'Post', title: 'Post p1' },
      { entity: 'Post', title: 'Post p2' },
    ])
    const [header, ...rows] = await lines('format=csv&entity=User')
    expect(header).toContain('username')
    expect(rows.length).toBe(1)
  })

  test('what a pattern gives is exported with all of its pages', async () => {
    const input = encodeURIComponent(JSON.stringify({ username: 'ada' }))
    const decoded = await lines(`format=json&pattern=postsOfUser&input=${input}`)
    expect(decoded.map((each) => JSON.parse(each))).toMatchObject([
      { entity: 'Post', postId: 'p1' },
      { entity: 'Post', postId: 'p2' },
    ])
    const { Post } = app.table.entities
    await Post.create({ username: 'ada', postId: 'p3', title: '=1+1', status: 'live' })
    const [header, ...rows] = await lines(`format=csv&pattern=postsOfUser&input=${input}`)
    expect(header).toMatch(/^entity,username,postId,title,/)
    expect(rows[2]).toContain("'=1+1")
    expect((await app.get('/api/export?format=csv&pattern=addPost')).status).toBe(400)
  })

  test('an unknown format, entity or partition is refused', async () => {
    for (const query of [
      'format=exe',
      'format=csv&entity=None',
      'format=csv&pk=[]',
      'format=csv&pk=x',
    ]) {
      expect((await app.get(`/api/export?${query}`)).status).toBe(400)
    }
  })
})

describe('import', () => {
  const post = (postId: string, title: string): string =>
    `${JSON.stringify({
      Item: {
        pk: { S: 'USER#ada' },
        sk: { S: `POST#${postId}` },
        _type: { S: 'Post' },
        username: { S: 'ada' },
        postId: { S: postId },
        title: { S: title },
        status: { S: 'live' },
      },
    })}\n`
  const request = { format: 'dynamodb', line: 0, replaces: false, isDryRun: false }

  test('a dry run says what would become of each item, and writes nothing', async () => {
    const text = post('p1', 'Other') + post('p3', 'New') + post('p2', 'Post p2')
    const outcome = await app.call('/api/import', { ...request, text, isDryRun: true })
    expect(outcome).toMatchObject({ read: 3, created: 1, conflicts: 1, same: 1, refused: 0 })
    expect(outcome.conflictKeys).toEqual(['line 1: USER#ada · POST#p1'])
    expect((await app.table.entities.Post.query({ username: 'ada' })).length).toBe(2)
  })

  test('items are written through the library, so that counters follow', async () => {
    const text = post('p1', 'Other') + post('p3', 'New')
    expect(await app.call('/api/import', { ...request, text })).toMatchObject({
      created: 1,
      conflicts: 1,
    })
    const { User, Post } = app.table.entities
    expect((await User.get({ username: 'ada' }))?.posts).toBe(3)
    expect((await Post.get({ username: 'ada', postId: 'p1' }))?.title).toBe('Post p1')
    expect(await app.call('/api/import', { ...request, text, replaces: true })).toMatchObject({
      replaced: 1,
      same: 1,
    })
    expect((await Post.get({ username: 'ada', postId: 'p1' }))?.title).toBe('Other')
    expect((await User.get({ username: 'ada' }))?.posts).toBe(3)
  })

  test('what was exported is there already, and guards and strange items are left out', async () => {
    const text = await (await app.get('/api/export?format=dynamodb')).text()
    const strange = '{"Item":{"pk":{"S":"x"},"sk":{"S":"y"}}}\n'
    const wrong = post('p9', 'x').replace('"live"', '"gone"')
    const outcome = await app.call('/api/import', { ...request, text: text + strange + wrong })
    expect(outcome).toMatchObject({ read: 6, same: 3, skipped: 2, refused: 1, created: 0 })
    expect(outcome.problems[0]).toBe('line 5: no entity has such a key; it is left out')
    expect(outcome.problems[1]).toMatch(/^line 6: .*status/)
  })

  test('a line that is not an item is refused with its number', async () => {
    const failure = await app.refused('/api/import', { ...request, text: 'nothing\n' })
    expect(failure).toMatchObject({ status: 400, where: 'the file:1' })
  })

  test('on AWS the name of the table has to be typed', async () => {
    const aws = await openApp(createEngine(), { isAws: true })
    const body = { ...request, text: post('p1', 'x') }
    expect(await aws.refused('/api/import', body)).toMatchObject({ code: 'TABLE_UNCONFIRMED' })
    await aws.table.entities.User.put({ username: 'ada', email: 'ada@example.com' })
    expect(await aws.call('/api/import', { ...body, table: 'Blog' })).toMatchObject({ created: 1 })
  })

  test('a read-only studio imports nothing', async () => {
    const readOnly = await openApp(createEngine(), { isReadOnly: true })
    const body = { ...request, text: post('p1', 'x') }
    expect(await readOnly.refused('/api/import', body)).toMatchObject({ code: 'READ_ONLY' })
    expect(await readOnly.call('/api/import', { ...body, isDryRun: true })).toMatchObject({
      created: 1,
    })
  })
})

test('a file is cut where records end, and each part of a CSV file has its header', async () => {
  const row = (n: number): string => `${n},"two\nlines ${'x'.repeat(400)}"\n`
  const text = `id,note\n${Array.from({ length: 2000 }, (_, n) => row(n)).join('')}`
  const parts = []
  const chunks = (async function* () {
    for (let at = 0; at < text.length; at += 10_007) yield text.slice(at, at + 10_007)
  })()
  for await (const part of splitRecords(chunks, true)) parts.push(part)
  expect(parts.length).toBeGreaterThan(2)
  expect(parts.every((part) => part.text.startsWith('id,note\n'))).toBe(true)
  const joined = parts.map((part, at) => (at === 0 ? part.text : part.text.slice(8))).join('')
  expect(joined).toBe(text)
  // Line numbers of the second part count from the beginning of the file.
  const second = parts[1]
  const firstId = Number(/\n(\d+),/.exec(second?.text ?? '')?.[1])
  expect(second?.line).toBe(firstId * 2)
})
