import { runInNewContext } from 'node:vm'
import { createEngine, type Engine } from 'singletable/engine'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Answers } from '../../../packages/kit/src/studio/api/contract.ts'
import { type OpenApp, openApp } from './open-app.ts'

describe('the API of the studio', () => {
  let app: OpenApp
  let engine: Engine
  beforeEach(async () => {
    engine = createEngine()
    app = await openApp(engine)
    const { User, Post } = app.table.entities
    await User.put({ username: 'ada', email: 'ada@example.com' })
    await User.put({ username: 'bob', email: 'bob@example.com' })
    for (const n of [1, 2, 3]) {
      const status = n === 3 ? 'draft' : 'live'
      await Post.create({ username: 'ada', postId: `p${n}`, title: `Post ${n}`, status })
    }
  })
  afterEach(async () => {
    expect(app.faults).toEqual([])
    await engine.close()
  })

  test('describes the schema, its patterns and what the rules say of it', async () => {
    const design = await app.call('/api/design')
    expect(design.entities.map(({ name }) => name)).toEqual(['User', 'Post'])
    const post = design.entities.find(({ name }) => name === 'Post')
    expect(post?.indexes[1]).toEqual({
      index: 'gsi1',
      hash: [{ name: 'gsi1pk', segments: [{ text: 'STATUS#' }, { attribute: 'status' }] }],
      sort: [{ name: 'gsi1sk', segments: [{ text: 'POST#' }, { attribute: 'postId' }] }],
      when: null,
    })
    expect(post?.attributes.find(({ name }) => name === 'status')).toMatchObject({
      input: 'select',
      options: ['draft', 'live'],
      isRequired: true,
    })
    const patterns = new Map(design.patterns.map((each) => [each.name, each]))
    expect(patterns.get('postsOfUser')).toMatchObject({
      isRunnable: true,
      index: 'primary',
      inputs: [
        { name: 'username', isRequired: true, kind: 'value' },
        { name: 'postId', isRequired: false, kind: 'range' },
      ],
    })
    expect(patterns.get('addPost')?.isRunnable).toBe(false)
    const put = design.findings.find(({ code }) => code === 'W05')
    expect(put?.diff[0]).toMatchObject({ file: 'open-app.ts' })
    expect(put?.diff[0]?.lines.filter(({ mark }) => mark !== ' ')).toEqual([
      { mark: '-', text: "    addPost: { op: 'put', entity: 'Post' }," },
      { mark: '+', text: "    addPost: { op: 'create', entity: 'Post' }," },
    ])
  })

  test('counts the items of each entity and index, guards of unique values apart', async () => {
    const { counted } = await app.call('/api/overview')
    const items = Object.fromEntries(
      counted?.entities.map(({ entity, items }) => [entity ?? 'none', items]) ?? [],
    )
    expect(items).toEqual({ User: 2, Post: 3, none: 2 })
    expect(counted?.indexes).toEqual([
      { index: 'primary', items: 7 },
      { index: 'gsi1', items: 3 },
    ])
    expect(counted?.isWhole).toBe(true)
  })

  test('finds the largest partitions of an index', async () => {
    const heat = await app.call('/api/heat', { index: 'gsi1' })
    expect(heat).toMatchObject({ partitionCount: 2, items: 3, isWhole: true })
    expect(heat.partitions.map(({ hash, items }) => [hash, items])).toEqual([
      [['STATUS#live'], 2],
      [['STATUS#draft'], 1],
    ])
  })

  test('pages through a table and gives every item once', async () => {
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: Answers['/api/scan'] = await app.call('/api/scan', {
        index: 'primary',
        limit: 2,
        ...(cursor !== null && { cursor }),
      })
      seen.push(...page.items.map(({ item }) => `${item.pk?.S}/${item.sk?.S}`))
      cursor = page.cursor
    } while (cursor !== null)
    expect(new Set(seen).size).toBe(7)
    expect(seen.length).toBe(7)
  })

  test('reads a partition of an index with each condition on the sort key', async () => {
    const ask = async (op: string, ...values: string[]): Promise<string[]> => {
      const { items } = await app.call('/api/query', {
        index: 'primary',
        limit: 100,
        hash: ['USER#ada'],
        sort: { op, values },
      })
      return items.map(({ item }) => item.sk?.S ?? '')
    }
    expect(await ask('=', 'POST#p2')).toEqual(['POST#p2'])
    expect(await ask('begins_with', 'POST#')).toEqual(['POST#p1', 'POST#p2', 'POST#p3'])
    expect(await ask('between', 'POST#p1', 'POST#p2')).toEqual(['POST#p1', 'POST#p2'])
    expect(await ask('<', 'POST#p2')).toEqual(['POST#p1'])
    expect(await ask('<=', 'POST#p2')).toEqual(['POST#p1', 'POST#p2'])
    expect(await ask('>', 'POST#p2')).toEqual(['POST#p3', 'USER'])
    expect(await ask('>=', 'POST#p3')).toEqual(['POST#p3', 'USER'])
    const reversed = await app.call('/api/query', {
      index: 'gsi1',
      limit: 1,
      hash: ['STATUS#live'],
      isReversed: true,
    })
    expect(reversed.items.map(({ entity, item }) => [entity, item.sk?.S])).toEqual([
      ['Post', 'POST#p2'],
    ])
    expect(reversed.spent).toMatchObject({ index: 'gsi1', itemsReturned: 1, requests: 1 })
  })

  test('filters by any attribute, with every operator', async () => {
    const ask = async (
      attribute: string,
      op: string,
      values: readonly string[],
      type = 'S',
    ): Promise<string[]> => {
      const filters = [{ attribute, op, type, values }]
      const hash = ['USER#ada']
      const { items } = await app.call('/api/query', { index: 'primary', limit: 99, hash, filters })
      const all = await app.call('/api/scan', { index: 'primary', limit: 99, filters })
      const found = items.map(({ item }) => item.sk?.S ?? '')
      expect(all.items.map(({ item }) => item.sk?.S)).toEqual(expect.arrayContaining(found))
      return found
    }
    expect(await ask('title', '=', ['Post 2'])).toEqual(['POST#p2'])
    expect(await ask('title', '<>', ['Post 2'])).toEqual(['POST#p1', 'POST#p3', 'USER'])
    expect(await ask('title', 'begins_with', ['Post'])).toEqual(['POST#p1', 'POST#p2', 'POST#p3'])
    expect(await ask('title', 'contains', ['3'])).toEqual(['POST#p3'])
    expect(await ask('title', 'between', ['Post 1', 'Post 2'])).toEqual(['POST#p1', 'POST#p2'])
    expect(await ask('title', 'exists', [])).toEqual(['POST#p1', 'POST#p2', 'POST#p3'])
    expect(await ask('title', 'not exists', [])).toEqual(['USER'])
    expect(await ask('posts', '>=', ['3'], 'N')).toEqual(['USER'])
    expect(await ask('posts', '=', ['3'], 'S')).toEqual([])
    for (const filters of [
      'x',
      [{ attribute: 'a', op: 'drop', type: 'S', values: [] }],
      [{ attribute: 'a', op: '=', type: 'B', values: ['x'] }],
      [{ attribute: 'a', op: '=', type: 'S', values: [] }],
      Array.from({ length: 11 }, () => ({ attribute: 'a', op: 'exists', type: 'S', values: [] })),
    ]) {
      const body = { index: 'primary', limit: 1, filters }
      expect((await app.refused('/api/scan', body)).status).toBe(400)
    }
  })

  test('runs a SELECT, and refuses any other statement', async () => {
    const page = await app.call('/api/statement', {
      statement: `SELECT * FROM "Blog" WHERE pk = 'USER#bob'`,
      limit: 10,
    })
    expect(page.items.map(({ entity }) => entity)).toEqual(['User'])
    const refused = await app.refused('/api/statement', {
      statement: `DELETE FROM "Blog" WHERE pk = 'USER#bob' AND sk = 'USER'`,
      limit: 10,
    })
    expect(refused).toMatchObject({ status: 400, what: 'Only a SELECT can be run here.' })
    expect(await app.table.entities.User.get({ username: 'bob' })).toBeDefined()
  })

  test('shows an item in each index with what is not projected', async () => {
    const { detail } = await app.call('/api/item', {
      key: { pk: { S: 'USER#ada' }, sk: { S: 'POST#p1' } },
    })
    expect(detail?.strings).toMatchObject({ postId: 'p1', title: 'Post 1', status: 'live' })
    const copy = detail?.indexes.find(({ index }) => index === 'gsi1')
    expect(copy).toMatchObject({ state: 'present', hash: 'STATUS#live', sort: 'POST#p1' })
    expect(copy?.attributes).toContain('title')
    expect(copy?.attributes).not.toContain('status')
    const user = await app.call('/api/item', { key: { pk: { S: 'USER#ada' }, sk: { S: 'USER' } } })
    expect(user.detail?.indexes.map(({ state }) => state)).toEqual(['present', 'absent'])
    expect(await app.call('/api/item', { key: { pk: { S: 'x' }, sk: { S: 'y' } } })).toEqual({
      detail: null,
    })
  })

  test('says where an item lacks the keys that its entity gives it', async () => {
    const Key = { pk: { S: 'USER#ada' }, sk: { S: 'POST#p1' } }
    await engine.send('UpdateItem', {
      TableName: 'Blog',
      Key,
      UpdateExpression: 'REMOVE gsi1pk',
    })
    const { detail } = await app.call('/api/item', { key: Key })
    expect(detail?.indexes[1]).toMatchObject({ index: 'gsi1', state: 'missing' })
  })

  test('runs patterns with typed input, and says what they took', async () => {
    const all = await app.call('/api/pattern', {
      pattern: 'postsOfUser',
      input: { username: 'ada' },
    })
    expect(
      all.groups.map(({ entity, rows }) => [entity, rows.map(({ postId }) => postId)]),
    ).toEqual([['Post', ['p1', 'p2', 'p3']]])
    expect(all.spent).toMatchObject({ itemsRead: 3, itemsReturned: 3, requests: 1 })
    const some = await app.call('/api/pattern', {
      pattern: 'postsOfUser',
      input: { username: 'ada', postId: { from: 'p2', to: '' } },
    })
    expect(some.groups[0]?.rows.map(({ postId }) => postId)).toEqual(['p2', 'p3'])
    const page = await app.call('/api/pattern', {
      pattern: 'postsOfUser',
      input: { username: 'ada' },
      limit: 2,
    })
    const rest = await app.call('/api/pattern', {
      pattern: 'postsOfUser',
      input: { username: 'ada' },
      limit: 2,
      cursor: page.cursor ?? '',
    })
    expect([...(page.groups[0]?.rows ?? []), ...(rest.groups[0]?.rows ?? [])].length).toBe(3)
    const one = await app.call('/api/pattern', { pattern: 'user', input: { username: 'bob' } })
    expect(one.groups[0]?.rows[0]).toMatchObject({ email: 'bob@example.com' })
    const none = await app.call('/api/pattern', { pattern: 'user', input: { username: 'eve' } })
    expect(none.groups).toEqual([])
  })

  test('shows the request and the call of a pattern, and sends nothing', async () => {
    const plan = await app.call('/api/plan', {
      pattern: 'postsOfUser',
      input: { username: 'ada', postId: { beginsWith: 'p' } },
    })
    expect(plan.operation).toBe('Query')
    expect(plan.code.map(({ language }) => language)).toEqual([
      'TypeScript',
      'AWS SDK',
      'AWS CLI',
      'PartiQL',
      'Request',
    ])
    expect(plan.code[0]?.text).toBe(
      "const result = await table.patterns.postsOfUser({\n  username: 'ada',\n  postId: { beginsWith: 'p' },\n})",
    )
  })

  test('what can be copied works as it is: the request of the SDK and the statement', async () => {
    for (const input of [
      { username: 'ada' },
      { username: 'ada', postId: { beginsWith: 'p' } },
      { username: 'ada', postId: { from: 'p2', to: 'p3' } },
      { username: "o'hara" },
    ]) {
      const request = { pattern: 'postsOfUser', input }
      const plan = await app.call('/api/plan', request)
      const code = new Map(plan.code.map(({ language, text }) => [language, text]))
      const { groups } = await app.call('/api/pattern', request)
      const expected = groups[0]?.rows.map(({ postId }) => postId) ?? []
      const sent = await engine.send('Query', JSON.parse(code.get('Request') ?? ''))
      expect(sent.Items?.map(({ postId }) => postId?.S)).toEqual(expected)
      const argument = /Command\((\{.*\})\)\)$/s.exec(code.get('AWS SDK') ?? '')?.[1]
      expect(runInNewContext(`(${argument})`)).toEqual(JSON.parse(code.get('Request') ?? ''))
      expect(code.get('AWS CLI')).toMatch(/^aws dynamodb query --cli-input-json '\{/)
      const { items } = await app.call('/api/statement', {
        statement: code.get('PartiQL'),
        limit: 100,
      })
      expect(items.map(({ item }) => item.postId?.S)).toEqual(expected)
    }
    const one = await app.call('/api/plan', { pattern: 'user', input: { username: 'ada' } })
    expect(one.code.find(({ language }) => language === 'PartiQL')?.text).toBe(
      `SELECT *\nFROM "Blog"\nWHERE "pk" = 'USER#ada'\n  AND "sk" = 'USER'`,
    )
    const indexed = await app.call('/api/plan', {
      pattern: 'postsByStatus',
      input: { status: 'live' },
    })
    expect(indexed.code.find(({ language }) => language === 'PartiQL')?.text).toContain(
      'FROM "Blog"."gsi1"',
    )
  })

  test('a statement can read no other table, however it is written', async () => {
    await engine.send('CreateTable', {
      TableName: 'Other',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    })
    for (const statement of [
      'SELECT * FROM "Other"',
      'select * from Other',
      `SELECT 'from "Blog"' FROM "Other"`,
      'SELECT * -- FROM "Blog"\n FROM "Other"',
      'SELECT * /* FROM "Blog" */ FROM "Other"',
      'SELECT *',
    ]) {
      const { what, status } = await app.refused('/api/statement', { statement, limit: 1 })
      expect([statement, status]).toEqual([statement, 400])
      expect(what).toMatch(/only Blog is shown here|Only a SELECT/)
    }
  })

  test('an attribute that names another item says which, and its key can be made', async () => {
    const { entities } = await app.call('/api/design')
    const names = (entity: string): object =>
      Object.fromEntries(
        entities
          .find(({ name }) => name === entity)
          ?.attributes.flatMap(({ name, refersTo }) => (refersTo ? [[name, refersTo]] : [])) ?? [],
      )
    expect(names('Post')).toEqual({ username: { entity: 'User', by: { username: 'username' } } })
    expect(names('User')).toEqual({})
    expect(await app.call('/api/key', { entity: 'User', strings: { username: 'ada' } })).toEqual({
      key: { pk: { S: 'USER#ada' }, sk: { S: 'USER' } },
    })
    const { status } = await app.refused('/api/key', { entity: 'Post', strings: { postId: '1' } })
    expect(status).toBe(400)
  })

  test('items are saved as a fixture that can be loaded, without what the library keeps', async () => {
    const { items } = await app.call('/api/scan', { index: 'primary', limit: 100 })
    const { name, text } = await app.call('/api/fixture', {
      items: items.map(({ item }) => item),
    })
    expect(name).toBe('fixtures.ts')
    const { seed } = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
      seed: Record<string, object[]>
    }
    expect(seed.User).toEqual([
      { username: 'ada', email: 'ada@example.com' },
      { username: 'bob', email: 'bob@example.com' },
    ])
    expect(seed.Post?.length).toBe(3)
    expect(await app.refused('/api/fixture', { items: [] })).toMatchObject({ status: 400 })
  })

  test('a call of a pattern is saved as a test with its answer', async () => {
    const { name, text } = await app.call('/api/pattern-test', {
      pattern: 'user',
      input: { username: 'bob' },
    })
    expect(name).toBe('user.test.ts')
    expect(text).toContain("table.patterns['user']({ username: 'bob' })")
    expect(text).toContain("email: 'bob@example.com'")
  })

  test('what was saved can be taken back, counters and guards included', async () => {
    const change = async (body: object): Promise<object> => {
      const outcome = await app.call('/api/change', { change: body })
      expect(outcome).toMatchObject({ state: 'saved' })
      return ('undo' in outcome ? outcome.undo : null) ?? {}
    }
    const all = async (): Promise<unknown> =>
      (await engine.send('Scan', { TableName: 'Blog' })).Items
    const before = await all()
    const key = { pk: { S: 'USER#ada' }, sk: { S: 'POST#p1' } }
    const post = (await app.call('/api/item', { key })).detail?.found.item
    const strings = { title: 'Other', tags: '["x"]', status: 'draft' }
    await change(await change({ kind: 'update', entity: 'Post', before: post, strings }))
    await change(await change({ kind: 'delete', entity: 'Post', before: post }))
    const user = { username: 'eve', email: 'eve@example.com' }
    await change(await change({ kind: 'create', entity: 'User', strings: user }))
    expect(await all()).toEqual(before)
  })

  test('a change says what goes with it', async () => {
    const key = { pk: { S: 'USER#ada' }, sk: { S: 'POST#p1' } }
    const before = (await app.call('/api/item', { key })).detail?.found.item
    const change = { kind: 'delete', entity: 'Post', before }
    expect(await app.call('/api/change', { change, isDryRun: true })).toMatchObject({
      notes: ['counters: User.posts', 'entries in: gsi1'],
    })
  })

  test('refuses patterns that write, unknown names and wrong values, with a fix', async () => {
    expect(await app.refused('/api/pattern', { pattern: 'addPost', input: {} })).toMatchObject({
      status: 400,
      what: "addPost can't be run here: its operation is put.",
    })
    expect(await app.refused('/api/pattern', { pattern: 'none', input: {} })).toMatchObject({
      what: 'There is no pattern "none".',
    })
    const missing = await app.refused('/api/pattern', { pattern: 'postsOfUser', input: {} })
    expect(missing.what).toContain('username')
    expect(await app.refused('/api/scan', { index: 'gsi9', limit: 1 })).toMatchObject({
      what: 'There is no index "gsi9".',
      fix: 'name one of primary, gsi1',
    })
    for (const body of [{}, { index: 1 }, { index: 'primary', limit: 0 }, [], { limit: 1e9 }]) {
      expect((await app.refused('/api/scan', body)).status).toBe(400)
    }
  })

  test('changes an item through the library, so that counters and guards follow', async () => {
    const key = { pk: { S: 'USER#ada' }, sk: { S: 'POST#p1' } }
    const before = (await app.call('/api/item', { key })).detail?.found.item
    const change = {
      kind: 'update',
      entity: 'Post',
      before,
      strings: { status: 'draft', tags: '["a"]' },
    }
    expect(await app.call('/api/change', { change, isDryRun: true })).toMatchObject({
      state: 'planned',
    })
    expect((await app.call('/api/item', { key })).detail?.strings.status).toBe('live')
    expect(await app.call('/api/change', { change })).toMatchObject({ state: 'saved' })
    const after = (await app.call('/api/item', { key })).detail
    expect(after?.strings).toMatchObject({ status: 'draft', tags: '["a"]' })
    expect(after?.found.item.gsi1pk).toEqual({ S: 'STATUS#draft' })

    const created = {
      kind: 'create',
      entity: 'Post',
      strings: { username: 'ada', postId: 'p4', title: 'New', status: 'live' },
    }
    expect(await app.call('/api/change', { change: created })).toMatchObject({ state: 'saved' })
    expect((await app.table.entities.User.get({ username: 'ada' }))?.posts).toBe(4)
    const removed = { kind: 'delete', entity: 'Post', before: after?.found.item }
    expect(await app.call('/api/change', { change: removed })).toMatchObject({ state: 'saved' })
    expect((await app.table.entities.User.get({ username: 'ada' }))?.posts).toBe(3)
  })

  test('a change of an item that somebody else changed is a conflict, and nothing is written', async () => {
    const key = { pk: { S: 'USER#ada' }, sk: { S: 'POST#p1' } }
    const before = (await app.call('/api/item', { key })).detail?.found.item
    await app.table.entities.Post.update({ username: 'ada', postId: 'p1' }).set({ title: 'Theirs' })
    for (const kind of ['update', 'delete']) {
      const change = { kind, entity: 'Post', before, strings: { title: 'Ours' } }
      const outcome = await app.call('/api/change', { change })
      expect(outcome).toMatchObject({ state: 'conflict', now: { title: { S: 'Theirs' } } })
    }
    expect((await app.call('/api/item', { key })).detail?.strings.title).toBe('Theirs')
  })

  test('a value that the schema refuses is reported with its attribute, and nothing is written', async () => {
    const strings = { username: 'ada', postId: 'p9', title: 'x', status: 'gone' }
    const outcome = await app.call('/api/change', {
      change: { kind: 'create', entity: 'Post', strings },
    })
    expect(outcome).toMatchObject({ state: 'failed' })
    expect(JSON.stringify(outcome)).toContain('status')
    const twice = { username: 'eve', email: 'ada@example.com' }
    const taken = await app.call('/api/change', {
      change: { kind: 'create', entity: 'User', strings: twice },
    })
    expect(taken).toMatchObject({ state: 'failed', failure: { code: 'UNIQUE_TAKEN' } })
  })
})

test('a read-only studio plans changes and makes none', async () => {
  const engine = createEngine()
  const app = await openApp(engine, { isReadOnly: true })
  const change = { kind: 'create', entity: 'User', strings: { username: 'ada', email: 'a@b.c' } }
  expect(await app.call('/api/change', { change, isDryRun: true })).toMatchObject({
    state: 'planned',
  })
  expect(await app.refused('/api/change', { change })).toMatchObject({
    status: 403,
    code: 'READ_ONLY',
  })
  expect(await app.table.entities.User.scan()).toEqual([])
  await engine.close()
})

test('on AWS items are counted only when somebody asks for it', async () => {
  const engine = createEngine()
  const app = await openApp(engine, { isAws: true })
  expect((await app.call('/api/overview')).counted).toBe(null)
  expect((await app.call('/api/overview', { counts: true })).counted).not.toBe(null)
  await engine.close()
})

test('on AWS a change needs the name of the table, and without it nothing is written', async () => {
  const engine = createEngine()
  const app = await openApp(engine, { isAws: true })
  const change = { kind: 'create', entity: 'User', strings: { username: 'ada', email: 'a@b.c' } }
  for (const table of [undefined, '', 'blog', 'Blog2']) {
    expect(await app.refused('/api/change', { change, table })).toMatchObject({
      status: 403,
      code: 'TABLE_UNCONFIRMED',
    })
  }
  expect(await app.table.entities.User.scan()).toEqual([])
  expect(await app.call('/api/change', { change, isDryRun: true })).toMatchObject({
    state: 'planned',
  })
  expect(await app.call('/api/change', { change, table: 'Blog' })).toMatchObject({ state: 'saved' })
  await engine.close()
})

test('values that JavaScript has no type for come back unchanged', async () => {
  const engine = createEngine()
  const app = await openApp(engine)
  const item = {
    pk: { S: 'odd #/%,😀' },
    sk: { S: '\u202eabc' },
    digits: { N: '12345678901234567890123456789012345678' },
    empty: { S: '' },
    bytes: { B: 'AAEC/w==' },
    numbers: { NS: ['1', '0.1', '99999999999999999999'] },
    nested: { M: { list: { L: [{ NULL: true }, { BOOL: false }] } } },
  }
  await engine.send('PutItem', { TableName: 'Blog', Item: item as never })
  const { detail } = await app.call('/api/item', { key: { pk: item.pk, sk: item.sk } })
  expect(detail?.found).toMatchObject({ entity: null, item })
  const page = await app.call('/api/query', { index: 'primary', limit: 5, hash: [item.pk.S] })
  expect(page.items[0]?.item).toEqual(item)
  await engine.close()
})

test('a table that is gone is reported with what makes it', async () => {
  const engine = createEngine()
  const gone = await openApp(engine)
  await engine.send('DeleteTable', { TableName: 'Blog' })
  const failure = await gone.refused('/api/scan', { index: 'primary', limit: 1 })
  expect(failure).toMatchObject({
    code: 'ResourceNotFoundException',
    fix: 'look whether the table is there; singletable table create makes it',
  })
})
