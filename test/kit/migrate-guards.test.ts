import { expect, test } from 'vitest'
import { Project } from './migrate-project.ts'

const UNIQUE = 'mail: { type: String, unique: true }, plan: { type: String, default: "free" }'

async function withUniqueMails() {
  const project = new Project()
  project.schema('mail: { type: String, unique: true }')
  await project.run('migrate generate first')
  await project.run('table create')
  await project.run('migrate up')
  await project.put({ id: '1', mail: 'a@x' }, { id: '2', mail: 'b@x' })
  project.schema(UNIQUE)
  await project.run('migrate generate plan')
  expect((await project.run('migrate up')).code).toBe(0)
  return project
}

async function guardOf(project: Project, mail: string) {
  const { Items = [] } = await project.engine.send('Scan', { TableName: 'Users' })
  const guard = Items.find(({ pk }) => pk?.S?.startsWith('UNIQUE#') && pk.S.includes(mail))
  return { pk: guard!.pk!, sk: guard!.sk! }
}

test('migrate verify finds guards without an owner, and items without their guard', async () => {
  const project = await withUniqueMails()
  const good = await project.run('migrate verify')
  expect(good.complaints).toBe('')
  expect(good.code).toBe(0)
  // An old program deletes an item, and leaves the guard; another one removes a guard.
  const left = await guardOf(project, 'a@x')
  await project.engine.send('DeleteItem', {
    TableName: 'Users',
    Key: { pk: { S: 'USER#1' }, sk: { S: 'USER' } },
  })
  await project.engine.send('DeleteItem', {
    TableName: 'Users',
    Key: await guardOf(project, 'b@x'),
  })
  const { code, printed } = await project.run('migrate verify --failures failures.jsonl')
  expect(printed).toContain(`["${left.pk.S}","${left.sk.S}"] the item that it names is gone`)
  expect(printed).toContain('["USER#2","USER"] nothing guards its unique "mail"')
  expect(printed).toContain('verifyCopies(table, { repair: true })')
  expect(code).toBe(1)
  const json = JSON.parse((await project.run('migrate verify --json')).printed)
  expect(json.guards).toMatchObject({ problems: 2 })
})

test('migrate verify finds guards that an old program has written under the old name', async () => {
  const project = await withUniqueMails()
  const old = await guardOf(project, 'a@x')
  project.schema(UNIQUE.replace('mail', 'email'))
  await project.run('migrate generate email --rename User.mail=email')
  expect((await project.run('migrate up')).complaints).toBe('')
  expect((await project.run('migrate verify')).code).toBe(0)
  await project.engine.send('PutItem', {
    TableName: 'Users',
    Item: {
      ...old,
      _type: { S: '_unique' },
      _owner: { M: { pk: { S: 'USER#1' }, sk: { S: 'USER' } } },
    },
  })
  const { code, printed } = await project.run('migrate verify')
  expect(printed).toContain(
    `["${old.pk.S}","${old.sk.S}"] the item that it names has another value`,
  )
  expect(code).toBe(1)
})
