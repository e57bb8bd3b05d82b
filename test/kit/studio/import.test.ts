import { defineSchema } from 'singletable'
import { createEngine } from 'singletable/engine'
import { compileSchema } from 'singletable/tools'
import { beforeEach, describe, expect, test } from 'vitest'
import { tableShape } from '../../../packages/kit/src/infra/table-shape.ts'
import { workbenchModel } from '../../../packages/kit/src/infra/workbench.ts'
import {
  FILE_PART_CHARACTERS_MAX,
  MAPPED_COLUMNS_MAX,
} from '../../../packages/kit/src/studio/api/read-body.ts'
import { type OpenApp, openApp, schema } from './open-app.ts'

let app: OpenApp
beforeEach(async () => {
  app = await openApp(createEngine())
})

const PEOPLE = 'username,e-mail,legacy\nada,ada@example.com,x\nbob,bob@example.com,y\n'
const people = {
  format: 'csv',
  name: 'users.csv',
  text: PEOPLE,
  line: 0,
  replaces: false,
  isDryRun: true,
}
const mapping = {
  entity: 'User',
  columns: { username: 'username', 'e-mail': 'email', legacy: null },
} as const

describe('a file of rows', () => {
  test('is described with the types of its columns, and with the entity that fits', async () => {
    const view = await app.call('/api/file', people)
    expect(view.kind).toBe('rows')
    expect(view.columns).toEqual([
      { name: 'username', type: 'text', examples: ['ada', 'bob'] },
      { name: 'e-mail', type: 'text', examples: ['ada@example.com', 'bob@example.com'] },
      { name: 'legacy', type: 'text', examples: ['x', 'y'] },
    ])
    expect(view.proposals[0]).toEqual({
      entity: 'User',
      // The counter of posts is not there to be given.
      attributes: ['username', 'email'],
      columns: { username: 'username', 'e-mail': 'email' },
    })
  })

  test('gets the entity of its columns where its name says none, and ids their entity', async () => {
    const text = '{"username":"ada","id":"7","title":"A","status":"live"}\n'
    const view = await app.call('/api/file', { format: 'json', name: 'dump.jsonl', text })
    expect(view.proposals[0]).toMatchObject({
      entity: 'Post',
      columns: { username: 'username', title: 'title', status: 'status', id: 'postId' },
    })
  })

  test('becomes items with their keys, shown before anything is written', async () => {
    const outcome = await app.call('/api/import', { ...people, mapping })
    expect(outcome).toMatchObject({ read: 2, created: 2, refused: 0, unmapped: [] })
    expect(outcome.preview[0]).toMatchObject({
      at: 'users.csv:2',
      entity: 'User',
      state: 'new',
      item: { pk: { S: 'USER#ada' }, sk: { S: 'USER' }, email: { S: 'ada@example.com' } },
    })
    expect(await app.table.entities.User.scan()).toEqual([])
    expect(await app.call('/api/import', { ...people, mapping, isDryRun: false })).toMatchObject({
      created: 2,
      preview: [],
      keys: [],
    })
    expect((await app.table.entities.User.get({ username: 'bob' }))?.email).toBe('bob@example.com')
  })

  test('has each column mapped or left out by name; a row with another column is refused', async () => {
    const { legacy, ...columns } = mapping.columns
    const request = { ...people, mapping: { ...mapping, columns } }
    const outcome = await app.call('/api/import', request)
    expect(outcome).toMatchObject({ created: 0, refused: 2, unmapped: ['legacy'] })
    expect(outcome.problems[0]).toBe('users.csv:2: The column "users.legacy" is not mapped.')
    expect(legacy).toBeNull()
  })

  test('names the keys that rows take, so that two rows with one key or unique value are found', async () => {
    const text = `${PEOPLE}ada,other@example.com,z\ncleo,bob@example.com,z\n`
    const { keys } = await app.call('/api/import', { ...people, text, mapping })
    const taken = keys.map(({ key, what, at }) => `${at} ${what} ${key}`)
    expect(taken.filter((each) => each.includes('["USER#ada","USER"]'))).toEqual([
      'users.csv:2 key ["USER#ada","USER"]',
      'users.csv:4 key ["USER#ada","USER"]',
    ])
    const emails = keys.filter(({ what, key }) => what === 'unique value' && key.includes('bob@'))
    expect(emails.map(({ at }) => at)).toEqual(['users.csv:3', 'users.csv:5'])
  })

  test('says which keys the table has already, and replaces only what the file has', async () => {
    const { User, Post } = app.table.entities
    await User.put({ username: 'ada', email: 'old@example.com' })
    await Post.put({ username: 'ada', postId: '1', title: 'A', status: 'live' })
    const first = await app.call('/api/import', { ...people, mapping })
    expect(first).toMatchObject({ created: 1, conflicts: 1 })
    expect(first.preview.map(({ state }) => state)).toEqual(['conflict', 'new'])
    expect(first.conflictKeys).toEqual(['users.csv:2: USER#ada · USER'])
    const write = { ...people, mapping, isDryRun: false, replaces: true }
    expect(await app.call('/api/import', write)).toMatchObject({ created: 1, replaced: 1 })
    expect(await User.get({ username: 'ada' })).toMatchObject({
      email: 'ada@example.com',
      posts: 1,
    })
    expect(await app.call('/api/import', { ...people, mapping })).toMatchObject({ same: 2 })
  })

  test('has line numbers of the whole file, in a later part too', async () => {
    const text = 'username,e-mail,legacy\n"ada\n",,x\n'
    const outcome = await app.call('/api/import', { ...people, text, line: 40, mapping })
    expect(outcome.problems).toEqual([expect.stringMatching(/^users\.csv:42 \(User\): .*email/)])
    const wrong = await app.refused('/api/import', { ...people, text: 'a\n"', line: 40, mapping })
    expect(wrong.where).toBe('users.csv:42')
  })

  test('a mapping that can not hold is refused as a whole', async () => {
    const refusal = async (columns: object, entity = 'User'): Promise<string> =>
      (await app.refused('/api/import', { ...people, mapping: { entity, columns } })).what
    expect(await refusal({ username: 'username', legacy: 'username' })).toBe(
      'Two columns are "username".',
    )
    expect(await refusal({ legacy: 'posts' })).toBe(
      '"posts" is kept by the library, so no column can give it.',
    )
    expect(await refusal({ legacy: 'emial' })).toMatch(/not an attribute of User \(did you mean/)
    expect(await refusal({}, 'Nobody')).toMatch(/"Nobody" is not a model/)
    const rows = await app.refused('/api/import', { ...people, format: 'json' })
    expect(rows.what).toBe('Rows of JSON have no mapping.')
  })

  test('is not written read-only, nor on AWS without the typed name of the table', async () => {
    const write = { ...people, mapping, isDryRun: false }
    const readOnly = await openApp(createEngine(), { isReadOnly: true })
    expect(await readOnly.refused('/api/import', write)).toMatchObject({ code: 'READ_ONLY' })
    const aws = await openApp(createEngine(), { isAws: true })
    expect(await aws.refused('/api/import', write)).toMatchObject({ code: 'TABLE_UNCONFIRMED' })
    expect(await aws.table.entities.User.scan()).toEqual([])
  })
})

describe('limits of a file', () => {
  test('a part may have 800,000 characters and no more', async () => {
    const text = PEOPLE.trimEnd().padEnd(FILE_PART_CHARACTERS_MAX, 'y')
    for (const shorter of [0, 1]) {
      const part = { ...people, mapping, text: text.slice(0, text.length - shorter) }
      expect(await app.call('/api/import', part)).toMatchObject({ created: 2 })
    }
    const failure = await app.refused('/api/import', { ...people, mapping, text: `${text}y` })
    expect(failure).toMatchObject({ status: 400, what: expect.stringContaining('800,000') })
  })

  test('a mapping may have 1,000 columns and no more', async () => {
    const names = Array.from({ length: MAPPED_COLUMNS_MAX + 1 }, (_, at) => `c${at}`)
    const of = (count: number): object => ({
      ...people,
      text: `${names.slice(0, count).join(',')}\n`,
      mapping: {
        entity: 'User',
        columns: Object.fromEntries(names.slice(0, count).map((name) => [name, null])),
      },
    })
    for (const count of [MAPPED_COLUMNS_MAX - 1, MAPPED_COLUMNS_MAX]) {
      expect(await app.call('/api/import', of(count))).toMatchObject({ read: 0 })
    }
    const failure = await app.refused('/api/import', of(MAPPED_COLUMNS_MAX + 1))
    expect(failure.what).toBe('The mapping has more than 1,000 columns.')
  })
})

test('digits, sets and bytes of rows are stored as the file has them', async () => {
  const values = defineSchema({
    indexes: { primary: { hash: 'pk' } },
    models: {
      Value: {
        key: { pk: 'VALUE#${id}' },
        attributes: {
          id: { type: String, required: true },
          amount: { type: 'decimal' },
          whole: { type: BigInt },
          tags: { type: Set, items: { type: String } },
          sizes: { type: Set, items: { type: 'decimal' } },
          bytes: { type: Uint8Array },
        },
      },
    },
  })
  const engine = createEngine()
  const own = await openApp(engine, { tableName: 'Values' }, values)
  const digits = '12345678901234567890123456789012345678'
  const text = `${JSON.stringify({ id: 'a', tags: ['x', 'y'], bytes: 'AAH/' }).slice(0, -1)},"amount":0.${digits},"whole":${digits},"sizes":[1,${digits}]}\n`
  const names = ['id', 'amount', 'whole', 'tags', 'sizes', 'bytes']
  const write = {
    ...{ format: 'json', name: 'values.jsonl', text, line: 0, replaces: false, isDryRun: false },
    mapping: {
      entity: 'Value',
      columns: Object.fromEntries(names.map((name) => [name, name])),
    },
  }
  expect(await own.call('/api/import', write)).toMatchObject({ created: 1, problems: [] })
  const { Items } = await engine.send('Scan', { TableName: 'Values' })
  expect(Items?.[0]).toMatchObject({
    amount: { N: `0.${digits}` },
    whole: { N: digits },
    tags: { SS: ['x', 'y'] },
    sizes: { NS: expect.arrayContaining(['1', digits]) },
    bytes: { B: 'AAH/' },
  })
})

test('an export is imported into an empty table, where children come before their parents', async () => {
  const { User, Post } = app.table.entities
  await User.put({ username: 'ada', email: 'ada@example.com' })
  await Post.put({ username: 'ada', postId: '1', title: 'A', status: 'live' })
  const text = await (await app.get('/api/export?format=dynamodb')).text()
  expect(text.indexOf('POST#1')).toBeLessThan(text.indexOf('"sk":{"S":"USER"}'))
  const other = await openApp(createEngine())
  const write = { ...people, format: 'dynamodb', text, isDryRun: false }
  expect(await other.call('/api/import', write)).toMatchObject({ created: 2, refused: 0 })
  expect((await other.table.entities.User.get({ username: 'ada' }))?.posts).toBe(1)
})

test('a file of items is recognised, and is imported as it is', async () => {
  const { User } = app.table.entities
  await User.put({ username: 'ada', email: 'ada@example.com' })
  for (const [format, name] of [
    ['dynamodb', 'a.jsonl'],
    ['csv', 'a.csv'],
  ] as const) {
    const text = await (await app.get(`/api/export?format=${format}`)).text()
    const file = { format: format === 'csv' ? 'csv' : 'json', name, text }
    expect(await app.call('/api/file', file)).toMatchObject({ kind: 'items' })
  }
})

describe('a model of NoSQL Workbench', () => {
  const compiled = compileSchema(schema)
  const shape = tableShape(compiled, 'Blog')

  test('has its sample data as items, each once, and a draft of its schema as text', async () => {
    const engine = createEngine()
    const filled = await openApp(engine)
    await filled.table.entities.User.put({ username: 'ada', email: 'ada@example.com' })
    await filled.table.entities.Post.put({
      ...{ username: 'ada', postId: '1', title: 'A', status: 'live', tags: new Set(['x']) },
    })
    const { Items = [] } = await engine.send('Scan', { TableName: 'Blog' })
    const items = Items.flatMap((item) => {
      const model = compiled.types.get(item._type?.S ?? '')
      return model ? [{ model, item, output: {} }] : []
    })
    const model = workbenchModel(compiled, shape, { items }) as {
      DataModel: { TableData: object[] }[]
    }
    // Workbench keeps items of facets at the table as well; not all of them have keys.
    model.DataModel[0]?.TableData.push(...items.map(({ item }) => item), { pk: { S: 'x' } })
    const { tables } = await app.call('/api/workbench', { name: 'blog.json', model })
    expect(tables).toMatchObject([
      {
        name: 'Blog',
        isSameKey: true,
        keys: ['pk', 'sk'],
        indexes: ['gsi1'],
        items: 2,
        unreadable: 1,
      },
    ])
    const [table] = tables
    expect(table?.facets).toContainEqual({ name: 'User', aliases: ['USER#<username>', 'USER'] })
    expect(table?.draft).toContain("pk: 'USER#${username}'")
    const write = { ...people, format: 'dynamodb', text: table?.lines ?? '', isDryRun: false }
    expect(await app.call('/api/import', write)).toMatchObject({ created: 2, problems: [] })
    expect(await app.table.entities.Post.get({ username: 'ada', postId: '1' })).toMatchObject({
      title: 'A',
      tags: new Set(['x']),
    })
    // The counter was counted by the library, not taken from the model.
    expect((await app.table.entities.User.get({ username: 'ada' }))?.posts).toBe(1)
  })

  test('of a table with other keys says so, and anything else is refused', async () => {
    const model = {
      DataModel: [
        {
          TableName: 'Other',
          KeyAttributes: { PartitionKey: { AttributeName: 'id', AttributeType: 'S' } },
          TableData: [{ id: { S: '1' } }],
        },
      ],
    }
    const { tables } = await app.call('/api/workbench', { name: 'other.json', model })
    expect(tables).toMatchObject([{ isSameKey: false, items: 1 }])
    for (const wrong of [undefined, 7, {}, { DataModel: [{}] }]) {
      const failure = await app.refused('/api/workbench', { name: 'x.json', model: wrong })
      expect(failure.what).toBe('x.json is not a model of NoSQL Workbench.')
    }
  })
})
