import { expect, test } from 'vitest'
import { Project } from './migrate-project.ts'

async function withUsers(attributes: string, ...users: readonly Record<string, unknown>[]) {
  const project = new Project()
  project.schema(attributes)
  await project.run('migrate generate first')
  await project.run('table create')
  await project.run('migrate up')
  await project.put(...users)
  return project
}

async function putBig(project: Project, more: Record<string, { S: string }>, bytes: number) {
  await project.engine.send('PutItem', {
    TableName: 'Users',
    Item: {
      pk: { S: 'USER#9' },
      sk: { S: 'USER' },
      _type: { S: 'User' },
      id: { S: '9' },
      big: { S: 'x'.repeat(bytes) },
      ...more,
    },
  })
}

test('a full dry run lists items that would move to the same key', async () => {
  const project = await withUsers(
    'mail: { type: String, required: true }',
    { id: '1', mail: 'a' },
    { id: '2', mail: 'b' },
    { id: '3', mail: 'a' },
  )
  // What no model knows has its key already.
  await project.engine.send('PutItem', {
    TableName: 'Users',
    Item: { pk: { S: 'PERSON#b' }, sk: { S: 'USER' } },
  })
  project.schema('mail: { type: String, required: true }', '', '', 'PERSON#${mail}')
  await project.run('migrate generate key')
  const { code, printed } = await project.run('migrate up --dry-run full')
  expect(printed).toContain(
    '["USER#1","USER"] and ["USER#3","USER"] both need the key ["PERSON#a","USER"]',
  )
  expect(printed).toContain(
    '["PERSON#b","USER"] and ["USER#2","USER"] both need the key ["PERSON#b","USER"]',
  )
  expect(code).toBe(1)
  expect((await project.run('migrate up --dry-run sample')).code).toBe(1)
})

test('a full dry run lists items that are too large for the undo log', async () => {
  const project = await withUsers('age: { type: String }')
  await putBig(project, { age: { S: '5' } }, 409_450)
  project.schema('')
  await project.run('migrate generate age --remove User.age')
  const { code, printed } = await project.run('migrate up --dry-run full')
  expect(printed).toContain('["USER#9","USER"] is too large to be kept in the undo log')
  expect(code).toBe(1)
  expect((await project.run('migrate up --dry-run full --no-undo')).code).toBe(0)
})

test('a full dry run lists items that would be too large afterwards, and cuts long lines', async () => {
  const project = await withUsers('', { id: '1' })
  await putBig(project, {}, 409_540)
  project.schema(`plan: { type: String, required: true, default: "${'p'.repeat(100)}" }`)
  await project.run('migrate generate plan')
  const { code, printed } = await project.run('migrate up --dry-run full')
  expect(printed).toMatch(/\["USER#9","USER"\] would have \d+ bytes/)
  expect(printed).toContain('would change 1 of 3 items')
  expect(Math.max(...printed.split('\n').map((line) => line.length))).toBeLessThan(250)
  expect(code).toBe(1)
})

test('a rate that is none is refused with what can be given', async () => {
  const project = await withUsers('', { id: '1' })
  for (const rate of ['101%', '0%']) {
    const { code, complaints } = await project.run(`migrate plan --rate ${rate}`)
    expect(code).toBe(2)
    expect(complaints).toContain('from 1% to 100% of the write capacity')
  }
})
