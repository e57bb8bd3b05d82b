import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createEngine } from 'singletable/engine'
import type { Item } from 'singletable/tools'
import { expect, onTestFinished, test } from 'vitest'
import { runCli } from './run-cli.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** A project on an engine, whose schema changes from one text to another. */
async function projectOf(before: string, items: readonly Item[], params = '') {
  const directory = mkdtempSync(path.join(tmpdir(), 'singletable-generated-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const engine = createEngine()
  let day = 0
  const run = (words: string, table = true) =>
    runCli([...words.split(' '), ...(table ? ['--table', 'Users'] : [])], {
      transport: engine,
      directory,
      now: ++day * DAY_MS,
    })
  const schema = (attributes: string, more = '', given = params, models = NOTE): void =>
    writeFileSync(
      path.join(directory, 'schema.ts'),
      `export const schema = {
        indexes: { primary: { hash: 'pk', sort: 'sk' } },
        params: { ${given} },
        models: {
          User: {
            key: { pk: 'USER#\${id}', sk: 'USER' },
            attributes: { id: { type: String, required: true }, ${attributes} },
            ${more}
          },
          ${models}
        },
      }`,
    )
  const file = (): string => {
    const last = readdirSync(path.join(directory, 'migrations')).sort().at(-1)!
    return path.join(directory, 'migrations', last, 'migration.ts')
  }
  const stored = async (): Promise<readonly Item[]> => {
    const { Items = [] } = await engine.send('Scan', { TableName: 'Users' })
    return Items.filter(({ _type }) => _type?.S !== '_kit')
  }
  schema(before)
  expect((await run('migrate generate', false)).complaints).toBe('')
  await run('table create')
  await run('migrate up')
  for (const [at, item] of items.entries()) {
    const Item = {
      pk: { S: `USER#${at}` },
      sk: { S: 'USER' },
      _type: { S: 'User' },
      id: { S: String(at) },
      ...item,
    }
    await engine.send('PutItem', { TableName: 'Users', Item })
  }
  return {
    run,
    schema,
    stored,
    read: () => readFileSync(file(), 'utf8'),
    edit: (change: (text: string) => string) =>
      writeFileSync(file(), change(readFileSync(file(), 'utf8'))),
  }
}

const NOTE = `Note: {
  key: { pk: 'USER#\${id}', sk: 'NOTE#\${n}' },
  attributes: { id: { type: String, required: true }, n: { type: String, required: true }, s: { type: String } },
},`
const LONG = '12345678901234567890123456789012345678'

test.each([
  ['{ type: String }', '{ type: BigInt }', { S: LONG }, { N: LONG }],
  ['{ type: BigInt }', '{ type: String }', { N: LONG }, { S: LONG }],
  ['{ type: String }', "{ type: 'decimal' }", { S: LONG }, { N: LONG }],
  [
    "{ type: 'decimal' }",
    '{ type: String }',
    { N: '1.000000000000000000001' },
    { S: '1.000000000000000000001' },
  ],
  ['{ type: Number }', '{ type: String }', { N: '1.5' }, { S: '1.5' }],
  ['{ type: String }', '{ type: Number }', { S: '1.5' }, { N: '1.5' }],
  ['{ type: Set }', '{ type: Array }', { SS: ['a', 'b'] }, { L: [{ S: 'a' }, { S: 'b' }] }],
  ['{ type: Array }', '{ type: Set }', { L: [{ S: 'b' }, { S: 'a' }] }, { SS: ['b', 'a'] }],
  [
    '{ type: Date }',
    '{ type: Date, ttl: true }',
    { S: '2030-01-02T03:04:05.006Z' },
    { N: '1893553445' },
  ],
  ['{ type: String }', "{ type: String, normalize: 'NFC' }", { S: 'e\u0301' }, { S: '\u00e9' }],
] as const)(
  '%s becomes %s exactly, and is as it was after migrate down',
  async (before, after, was, is) => {
    const project = await projectOf(`a: ${before}`, [{ a: was as Item[string] }])
    const original = await project.stored()
    project.schema(`a: ${after}`)
    await project.run('migrate generate', false)
    expect((await project.run('migrate up')).complaints).toBe('')
    expect(await project.stored()).toMatchObject([{ a: is }])
    expect((await project.run('migrate verify')).code).toBe(0)
    expect((await project.run('migrate down')).complaints).toBe('')
    expect(await project.stored()).toEqual(original)
  },
)

test('a generated conversion reports what it would lose before anything is written', async () => {
  const zips = ['01234', ' ', '0x10', '7']
  const project = await projectOf(
    'zip: { type: String }',
    zips.map((S) => ({ zip: { S } })),
  )
  project.schema('zip: { type: Number }')
  await project.run('migrate generate', false)
  const tried = await project.run('migrate up --dry-run full')
  for (const at of [0, 1, 2])
    expect(tried.printed).toContain(`["USER#${at}","USER"] "zip" can't be`)
  expect(tried.printed).toContain('would change 1 of')
})

test('dates are stored in the form that isoDates asks for, both ways', async () => {
  const at = { N: '1767323045006' }
  const project = await projectOf('at: { type: Date }', [{ at }], 'isoDates: false')
  project.schema('at: { type: Date }', '', 'isoDates: true')
  await project.run('migrate generate', false)
  expect((await project.run('migrate up')).complaints).toBe('')
  expect(await project.stored()).toMatchObject([{ at: { S: '2026-01-02T03:04:05.006Z' } }])
  await project.run('migrate down')
  expect(await project.stored()).toMatchObject([{ at }])
})

test('a Date in milliseconds becomes the time to live in seconds, once, and comes back', async () => {
  const project = await projectOf(
    'at: { type: Date }',
    [{ at: { N: '1893553445006' } }],
    'isoDates: false',
  )
  project.schema('at: { type: Date, ttl: true }')
  await project.run('migrate generate', false)
  expect((await project.run('migrate up')).complaints).toBe('')
  expect(await project.stored()).toMatchObject([{ at: { N: '1893553445' } }])
  expect((await project.run('migrate verify')).code).toBe(0)
  expect((await project.run('migrate down')).complaints).toBe('')
  expect(await project.stored()).toMatchObject([{ at: { N: '1893553445006' } }])
})

test('items get the new type of their model, are read, and get the old one back', async () => {
  const project = await projectOf('a: { type: String }', [{ a: { S: 'x' } }])
  project.schema('a: { type: String }', "type: 'U',")
  await project.run('migrate generate', false)
  expect(project.read()).toContain('// Every item of User has "U" as its type.')
  expect((await project.run('migrate up')).complaints).toBe('')
  expect(await project.stored()).toMatchObject([{ _type: { S: 'U' }, a: { S: 'x' } }])
  expect((await project.run('get User id=0')).printed).toContain('x')
  expect((await project.run('migrate verify')).code).toBe(0)
  expect((await project.run('migrate down')).complaints).toBe('')
  expect(await project.stored()).toMatchObject([{ _type: { S: 'User' } }])
})

test('a counter with another condition, and a number that becomes one, count what is there', async () => {
  const notes = ['a', 'a', 'b'].map((s, n) => ({
    pk: { S: 'USER#0' },
    sk: { S: `NOTE#${n}` },
    _type: { S: 'Note' },
    id: { S: '0' },
    n: { S: String(n) },
    s: { S: s },
  }))
  const counts = (s: string) =>
    `c: { type: Number, counts: { model: 'Note', when: { s: '${s}' } } }`
  const project = await projectOf('c: { type: Number }', [{ c: { N: '77' } }, ...notes])
  for (const [s, count] of [
    ['a', '2'],
    ['b', '1'],
  ] as const) {
    project.schema(counts(s))
    await project.run('migrate generate', false)
    expect((await project.run('migrate up')).complaints).toBe('')
    expect(await project.stored()).toContainEqual(expect.objectContaining({ c: { N: count } }))
  }
})

test('values outside a narrower enum are listed by a dry run, by verify and by the run', async () => {
  const project = await projectOf('s: { type: String }', [{ s: { S: 'a' } }, { s: { S: 'z' } }])
  project.schema("s: { type: String, enum: ['a', 'b'] }")
  const generated = await project.run('migrate generate', false)
  expect(generated.printed).toContain(
    'check    User.s has another enum: values that do not fit are listed.',
  )
  const problem = '["USER#1","USER"] "s": "z" is not one of "a", "b"'
  expect((await project.run('migrate up --dry-run full')).printed).toContain(problem)
  expect((await project.run('migrate up')).complaints).toContain(problem)
  const [, id = ''] = /wrote (\S+)/.exec(generated.printed) ?? []
  // Whoever keeps such values says so.
  await project.run(`migrate resolve ${id} --applied --reason kept`)
  expect((await project.run(`migrate verify ${id}`)).printed).toContain(problem)
})

test('timestamps ask for those of the items there are, and no unfinished migration is run', async () => {
  const project = await projectOf('a: { type: String }', [{ a: { S: 'x' } }])
  project.schema('a: { type: String }', '', 'timestamps: true')
  await project.run('migrate generate', false)
  const asked = 'write here what createdAt of older items is, such as a Date'
  expect((await project.run('migrate lint', false)).printed).toContain(asked)
  for (const words of ['up', 'up --dry-run plan']) {
    const { code, complaints } = await project.run(`migrate ${words}`)
    expect(code).toBe(1)
    expect(complaints).toContain(asked)
  }
  project.edit((text) => text.replace(/\(\) => \{\n.*\n +\}/g, "new Date('2026-01-01')"))
  expect((await project.run('migrate lint', false)).code).toBe(0)
  expect((await project.run('migrate up')).complaints).toBe('')
  const S = '2026-01-01T00:00:00.000Z'
  expect(await project.stored()).toMatchObject([{ createdAt: { S }, updatedAt: { S } }])
})

test('what only the schema can make is given to the items there are', async () => {
  const project = await projectOf('a: { type: String }', [{ a: { S: 'x' } }])
  project.schema(`a: { type: String }, key: { type: String, generate: 'ulid' },
    full: { type: String, from: ['a'], compute: ({ a }) => a + '!' }`)
  await project.run('migrate generate', false)
  expect((await project.run('migrate up')).complaints).toBe('')
  const [item] = await project.stored()
  expect(item).toMatchObject({ full: { S: 'x!' }, key: { S: expect.stringMatching(/^\w{26}$/) } })
  expect((await project.run('migrate verify')).code).toBe(0)
})
