import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Project } from './migrate-project.ts'

/** A table with users, and a migration that renames `mail`. */
async function renamed(...users: readonly Record<string, unknown>[]): Promise<Project> {
  const project = new Project()
  project.schema('mail: { type: String }, age: { type: String }')
  await project.run('migrate generate first')
  await project.run('table create')
  await project.run('migrate up')
  await project.put(...users)
  project.schema('email: { type: String }, age: { type: String }')
  await project.run('migrate generate email --rename User.mail=email')
  return project
}

/** The same, and one more, which has failed because of the user 2. */
async function halfDone(): Promise<Project> {
  const project = await renamed({ id: '1', age: '41' }, { id: '2', age: 'old' })
  expect((await project.run('migrate up')).code).toBe(0)
  project.schema('email: { type: String }, age: { type: Number }')
  await project.run('migrate generate age')
  expect((await project.run('migrate up')).code).toBe(1)
  expect(await project.stored()).toContainEqual({ id: '1', age: 41 })
  return project
}

function sorted(items: readonly Record<string, unknown>[]) {
  return [...items].sort((a, b) => String(a.id).localeCompare(String(b.id)))
}

test('down takes back what a failed migration has done, and nothing of the one before', async () => {
  const project = await halfDone()
  const [, email, age] = project.migrations()
  expect((await project.run('migrate down')).printed).toBe(`undone: ${age}`)
  expect(sorted(await project.stored())).toEqual([
    { id: '1', age: '41' },
    { id: '2', age: 'old' },
  ])
  const { printed } = await project.run('migrate status')
  expect(printed).toMatch(/applied.*_email/)
  expect(printed).toMatch(/pending.*_age/)
  expect((await project.run('migrate down')).printed).toBe(`undone: ${email}`)
})

test('down takes back an aborted migration with its undo log', async () => {
  const project = await renamed({ id: '1', age: '41' }, { id: '2', age: 'old' })
  project.schema('email: { type: String }, age: { type: Number }')
  await project.run('migrate generate age')
  const [, , age = ''] = project.migrations()
  const file = path.join(project.directory, 'migrations', age, 'migration.ts')
  writeFileSync(
    file,
    `import { defineMigration, retypeAttribute } from 'singletable/migrations'
     export default defineMigration({
       steps: [retypeAttribute('User', 'age', (value) => Number(value))],
     })`,
  )
  expect((await project.run('migrate up')).code).toBe(1)
  expect(await project.stored()).toContainEqual({ id: '1', age: 41 })
  expect((await project.run('migrate abort')).code).toBe(0)
  expect((await project.run('migrate down')).printed).toBe(`undone: ${age}`)
  expect(await project.stored()).toContainEqual({ id: '1', age: '41' })
  const { Items = [] } = await project.engine.send('Scan', { TableName: 'Users' })
  // Only the journal is left.
  expect(Items.filter(({ _type }) => _type?.S === '_kit')).toHaveLength(1)
})

test('down refuses a migration whose code was changed, and leaves the one before alone', async () => {
  const project = await renamed({ id: '1', mail: 'a@x' })
  await project.run('migrate up')
  const [, email = ''] = project.migrations()
  const file = path.join(project.directory, 'migrations', email, 'migration.ts')
  const code = project.read(email)
  writeFileSync(file, code.replace("'mail'", "'age'"))
  const refused = await project.run('migrate down')
  expect(refused.code).toBe(1)
  expect(refused.complaints).toContain('its code was changed after it was applied')
  expect(await project.stored()).toEqual([{ id: '1', email: 'a@x' }])
  await project.run(`migrate resolve ${email} --applied --reason reviewed`)
  writeFileSync(file, code)
  expect((await project.run('migrate down')).complaints).toContain('modified')
  await project.run(`migrate resolve ${email} --applied --reason restored`)
  expect((await project.run('migrate down')).printed).toBe(`undone: ${email}`)
})

test('down refuses an unfinished migration whose code was changed since it began', async () => {
  const project = await halfDone()
  const [, , age = ''] = project.migrations()
  const file = path.join(project.directory, 'migrations', age, 'migration.ts')
  writeFileSync(file, project.read(age).replace('String(value)', '`${value}`'))
  const refused = await project.run('migrate down')
  expect(refused.code).toBe(1)
  expect(refused.complaints).toContain('its code was changed after it began')
})

test('down refuses more steps than there are migrations', async () => {
  const project = await renamed({ id: '1', mail: 'a@x' })
  await project.run('migrate up')
  const refused = await project.run('migrate down --steps 9')
  expect(refused.code).toBe(2)
  expect(refused.complaints).toContain('--steps is 9, and the table has 2 migrations')
  expect(await project.stored()).toEqual([{ id: '1', email: 'a@x' }])
  expect((await project.run('migrate down --steps 2')).code).toBe(0)
})

test('resume says that migrations are pending that have not started', async () => {
  const project = await renamed()
  const refused = await project.run('migrate resume')
  expect(refused.code).toBe(1)
  expect(refused.complaints).toContain('No migration has started, and 1 is pending')
  await project.run('migrate up')
  expect((await project.run('migrate resume')).printed).toBe('nothing to do')
})

test('verify refuses while a migration is not finished, unless another one is named', async () => {
  const project = await halfDone()
  const [, email, age] = project.migrations()
  for (const words of ['', ` ${age}`]) {
    const refused = await project.run(`migrate verify${words}`)
    expect(refused.code).toBe(1)
    expect(refused.complaints).toContain(`"${age}" is not finished: it is failed`)
  }
  expect((await project.run(`migrate verify ${email}`)).code).toBe(0)
})

test('an unfinished migration can be continued without an undo log', async () => {
  const project = await renamed({ id: '1', age: '41' })
  // With the record of the log it would be too large.
  const big = 'x'.repeat(409_450)
  await project.engine.send('PutItem', {
    TableName: 'Users',
    Item: {
      pk: { S: 'USER#2' },
      sk: { S: 'USER' },
      _type: { S: 'User' },
      id: { S: '2' },
      age: { S: '5' },
      big: { S: big },
    },
  })
  await project.run('migrate up')
  project.schema('email: { type: String }')
  await project.run('migrate generate age --remove User.age')
  const failed = await project.run('migrate up')
  expect(failed.complaints).toContain('--no-undo')
  expect((await project.run('migrate resume')).code).toBe(1)
  expect((await project.run('migrate resume --no-undo')).code).toBe(0)
  expect(await project.stored()).toContainEqual({ id: '1' })
  expect((await project.run('migrate down')).complaints).toContain(
    'the values of User.age are gone',
  )
})

test('what a person lost is not given to another one with the same key', async () => {
  const project = await renamed({ id: '1', age: '41' }, { id: '2', age: '42' })
  await project.run('migrate up')
  const before = await project.stored()
  project.schema('email: { type: String }')
  await project.run('migrate generate age --remove User.age')
  const undo = async (...words: readonly string[]) => {
    expect((await project.run('migrate up')).code).toBe(0)
    await project.engine.send('DeleteItem', {
      TableName: 'Users',
      Key: { pk: { S: 'USER#1' }, sk: { S: 'USER' } },
    })
    await project.put({ id: '1', email: 'new@x' })
    // An update leaves it the same item.
    await project.run('update User id=2 --set email=b@x')
    return project.run(['migrate down', ...words].join(' '))
  }
  const reported = await undo()
  expect(reported.code).toBe(1)
  expect(reported.complaints).toContain('["USER#1","USER"] was replaced after the migration')
  expect((await project.run('migrate resume --replaced keep')).code).toBe(0)
  expect(sorted(await project.stored())).toEqual([
    { id: '1', email: 'new@x' },
    { ...before.find(({ id }) => id === '2'), ...(await emailOf(project, '2')) },
  ])
  expect((await project.run('migrate up')).code).toBe(0)
  expect((await project.run('migrate down --replaced restore')).code).toBe(0)
})

async function emailOf(project: Project, id: string) {
  const found = (await project.stored()).find((each) => each.id === id)
  return found?.email === undefined ? {} : { email: found.email }
}

test('values that deriveAttribute replaced are in the undo log', async () => {
  const project = await renamed({ id: '1', mail: 'a@x', age: '41' }, { id: '2', mail: 'b@x' })
  const [, id = ''] = project.migrations()
  writeFileSync(
    path.join(project.directory, 'migrations', id, 'migration.ts'),
    `import { defineMigration, deriveAttribute, renameAttribute } from 'singletable/migrations'
     export default defineMigration({
       steps: [
         renameAttribute('User', 'mail', 'email'),
         deriveAttribute('User', 'email', ({ id }) => 'user' + id),
         deriveAttribute('User', 'age', ({ id }) => id),
       ],
     })`,
  )
  const before = sorted(await project.stored())
  expect((await project.run('migrate up')).code).toBe(0)
  expect(sorted(await project.stored())).toEqual([
    { id: '1', email: 'user1', age: '1' },
    { id: '2', email: 'user2', age: '2' },
  ])
  expect((await project.run('migrate down')).code).toBe(0)
  expect(sorted(await project.stored())).toEqual(before)
  expect((await project.run('migrate up --no-undo')).code).toBe(0)
  expect((await project.run('migrate down')).complaints).toContain(
    'the values that User.email had are gone; the values that User.age had are gone',
  )
})

test('a counter that is removed with the items it counts comes back as it was', async () => {
  const project = new Project()
  const NOTE = `Note: {
    key: { pk: 'USER#\${id}', sk: 'NOTE#\${n}' },
    attributes: { id: { type: String, required: true }, n: { type: String, required: true } },
  }`
  project.schema('notes: { type: Number, counts: "Note" }', '', NOTE)
  await project.run('migrate generate first')
  await project.run('table create')
  await project.run('migrate up')
  for (const user of ['1', '2', '3', '4']) {
    await project.run(`put User id=${user}`)
    for (const note of ['a', 'b', 'c']) await project.run(`put Note id=${user} n=${note}`)
  }
  const before = sorted(await project.stored())
  expect(before[0]).toEqual({ id: '1', notes: 3 })
  project.schema('')
  await project.run('migrate generate gone --remove User.notes --remove Note')
  expect((await project.run('migrate up')).complaints).toBe('')
  expect((await project.run('migrate down')).complaints).toBe('')
  expect(sorted(await project.stored())).toEqual(before)
})
