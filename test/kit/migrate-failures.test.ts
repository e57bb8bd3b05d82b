import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Project } from './migrate-project.ts'

const COUNT = 250

/** A project with many users whose ages become numbers, but are not numbers. */
async function withAges(count = COUNT) {
  const project = new Project()
  project.schema('mail: { type: String }, age: { type: String }')
  await project.run('migrate generate first')
  await project.run('table create')
  await project.run('migrate up')
  for (let at = 0; at < count; at++) await put(project, String(at), { S: 'old' })
  await put(project, 'good', { S: '30' })
  project.schema('mail: { type: String }, age: { type: Number }')
  await project.run('migrate generate age')
  return project
}

async function put(project: Project, id: string, age: { S: string }) {
  await project.engine.send('PutItem', {
    TableName: 'Users',
    Item: {
      pk: { S: `USER#${id}` },
      sk: { S: 'USER' },
      _type: { S: 'User' },
      id: { S: id },
      age,
    },
  })
}

/** The lines of the file, in the order of their keys. */
function failuresIn(project: Project, file = 'failures.jsonl') {
  const text = readFileSync(path.join(project.directory, file), 'utf8')
  const textOf = (line: { key: { pk: { S: string } } }): string => line.key.pk.S
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1))
}

test('--failures lists every item that cannot be migrated, and the message says how to get them', async () => {
  const project = await withAges()
  const tried = await project.run('migrate up --dry-run full')
  expect(tried.printed).toContain('and 230 more: pass --failures <file> to list all of them')
  const full = await project.run('migrate up --dry-run full --failures failures.jsonl')
  expect(full.code).toBe(1)
  expect(full.printed).not.toContain('pass --failures')
  expect(full.complaints).toContain('failures.jsonl has 250 items')
  const found = failuresIn(project)
  expect(found).toHaveLength(COUNT)
  expect(found[0]).toEqual({
    key: { pk: { S: 'USER#0' }, sk: { S: 'USER' } },
    entity: 'User',
    step: 'retypeAttribute(User, age)',
    reason: expect.stringContaining('"age"'),
  })
  expect(new Set(found.map(({ key }) => key.pk.S)).size).toBe(COUNT)

  const failed = await project.run('migrate up')
  expect(failed.code).toBe(1)
  expect(failed.complaints).toContain('and 230 more')
  expect(failed.complaints).toContain('migrate resume --failures <file> lists all of them')
  const resumed = await project.run('migrate resume --failures again.jsonl')
  expect(resumed.code).toBe(1)
  expect(resumed.complaints).toContain('again.jsonl has 250 items')
  expect(resumed.complaints).not.toContain('--failures <file>')
  expect(failuresIn(project, 'again.jsonl')).toEqual(found)
})

test('migrate verify --failures lists items that an old program has written since', async () => {
  const project = await withAges(0)
  expect((await project.run('migrate up')).code).toBe(0)
  for (let at = 0; at < 25; at++) await put(project, String(at), { S: '30' })
  await put(project, 'bad', { S: 'old' })
  const plain = await project.run('migrate verify')
  expect(plain.code).toBe(1)
  expect(plain.printed).toContain('26 of ')
  expect(plain.printed).toContain('and 6 more: pass --failures <file> to list all of them')
  const { code, complaints } = await project.run('migrate verify --failures failures.jsonl')
  expect(code).toBe(1)
  expect(complaints).toContain('failures.jsonl has 26 items')
  const found = failuresIn(project)
  expect(found).toHaveLength(26)
  expect(found[0]).toMatchObject({ entity: 'User', reason: 'is not migrated' })
  expect(found.at(-1)).toMatchObject({
    key: { pk: { S: 'USER#bad' } },
    reason: expect.stringContaining('"age"'),
  })
})

test('--failures lists items that need the same unique value', async () => {
  const project = new Project()
  project.schema('mail: { type: String }')
  await project.run('migrate generate first')
  await project.run('table create')
  await project.run('migrate up')
  for (let at = 0; at < 30; at++) await project.put({ id: String(at), mail: `${at % 5}@x` })
  project.schema('mail: { type: String, unique: true }')
  await project.run('migrate generate unique mail')
  for (const command of ['up --dry-run full', 'up']) {
    const { complaints } = await project.run(`migrate ${command} --failures failures.jsonl`)
    expect(complaints).toContain('failures.jsonl has 25 items')
    const found = failuresIn(project)
    expect(found).toHaveLength(25)
    for (const each of found) {
      expect(each).toMatchObject({ entity: 'User', step: 'derivedItems(User)' })
      expect(each.reason).toMatch(
        /^needs \["UNIQUE#User#mail#\d@x".*, as \["USER#\d+","USER"\] does$/,
      )
    }
  }
})

test('--failures is refused where no item is read, and where no file can be written', async () => {
  const project = await withAges(1)
  const planned = await project.run('migrate up --dry-run plan --failures failures.jsonl')
  expect(planned.code).toBe(2)
  const missing = await project.run('migrate up --failures missing/failures.jsonl')
  expect(missing.code).toBe(1)
  expect(missing.complaints).toContain('missing/failures.jsonl')
  expect((await project.run('migrate status')).printed).toContain('pending')
})
