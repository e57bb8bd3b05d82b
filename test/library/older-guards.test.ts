import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { verifyCopies } from 'singletable/streams'
import { beforeEach, describe, expect, test } from 'vitest'

/** Guards of `unique: 'ignore-case'` once had their strings in small letters, and no version of the
 * folding. */

const schema = defineSchema({
  indexes: { primary: { hash: 'pk' } },
  models: {
    User: {
      key: { pk: 'USER#${id}' },
      attributes: {
        id: { type: String, required: true },
        email: { type: String, unique: 'ignore-case' },
      },
    },
  },
})
const engine = () => createEngine()
const TableName = 'Users'
let client: ReturnType<typeof engine>
let table: Table<typeof schema>

beforeEach(async () => {
  client = engine()
  table = new Table({ name: TableName, schema, client })
  await table.create()
})

const guards = async () => {
  const { Items = [] } = await client.send('Scan', { TableName })
  const found = Items.filter(({ _type }) => _type?.S === '_unique')
  return Object.fromEntries(
    found.map(({ pk, _folding }) => [pk!.S!.split('#').at(-1), _folding?.S]),
  )
}

/** An item with a guard as the older version wrote it. */
async function createOlder(id: string, email: string): Promise<void> {
  await table.entities.User.create({ id, email }).execute()
  const { Items = [] } = await client.send('Scan', { TableName })
  const { _folding, ...guard } = Items.find(({ _owner }) => _owner?.M?.pk?.S === `USER#${id}`)!
  await client.send('DeleteItem', { TableName, Key: { pk: guard.pk! } })
  const pk = { S: `UNIQUE#User#email#${email.toLowerCase()}` }
  await client.send('PutItem', { TableName, Item: { ...guard, pk } })
}

const create = (id: string, email: string) => table.entities.User.create({ id, email }).execute()

describe('a guard in the older form', () => {
  test('of a text in ASCII has the same key: it guards, is given up, and is renewed by its owner', async () => {
    await createOlder('1', 'Ann@x.org')
    await expect(create('2', 'ANN@x.org')).rejects.toMatchObject({ code: 'UNIQUE_TAKEN' })
    await table.entities.User.put({ id: '1', email: 'ann@X.org' }).execute()
    expect(await guards()).toEqual({ 'ann@x.org': '14.0' })
    await table.entities.User.delete({ id: '1' }).execute()
    await create('2', 'ANN@x.org')
  })

  test('of another text does not guard until verifyCopies has repaired it', async () => {
    await createOlder('1', 'straße@x.org')
    expect(await guards()).toEqual({ 'straße@x.org': undefined })
    const { findings } = await verifyCopies(table)
    expect(findings.map(({ kind }) => kind).sort()).toEqual(['unique-missing', 'unique-orphaned'])
    const { found, repaired } = await verifyCopies(table, { repair: true })
    expect([found, repaired]).toEqual([2, 2])
    expect(await guards()).toEqual({ 'strasse@x.org': '14.0' })
    await expect(create('2', 'STRASSE@x.org')).rejects.toMatchObject({ code: 'UNIQUE_TAKEN' })
    expect((await verifyCopies(table)).found).toBe(0)
  })

  test('blocks nobody when its owner has gone before the repair, and is then removed', async () => {
    await createOlder('1', 'Ωmega@x')
    await createOlder('2', 'straße@x')
    await table.entities.User.delete({ id: '2' }).execute()
    await create('3', 'STRASSE@x')
    await verifyCopies(table, { repair: true })
    expect(await guards()).toEqual({ 'ωmega@x': '14.0', 'strasse@x': '14.0' })
  })

  test('is not said to be missing', async () => {
    await createOlder('1', 'ann@x.org')
    const { findings } = await verifyCopies(table)
    expect(findings.map(({ message }) => message)).toEqual([
      'the guard of its unique "email" is wrong, or has an older format',
    ])
  })
})
