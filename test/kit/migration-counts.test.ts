import type { SchemaDefinition } from 'singletable'
import { createEngine } from 'singletable/engine'
import { countItems } from 'singletable/migrations'
import { compileSchema, systemEnvironment, type Transport } from 'singletable/tools'
import { expect, test } from 'vitest'
import { dryRun } from '../../packages/kit/src/migrate/dry-run.ts'
import { type Change, dump, migrate, open, schemaOf } from './migration-fixture.ts'

const tableName = 'counted'

/** Notes that their users count, with keys that don't begin with the user. */
function noteChange(index: object | undefined, counter: object = { counts: 'Note' }): Change {
  const of = (attributes: object): SchemaDefinition =>
    ({
      ...schemaOf(
        attributes,
        {},
        {
          Note: {
            key: { pk: 'NOTE#${n}', sk: 'NOTE' },
            ...(index && { index: { gpk: 'USER#${id}' } }),
            attributes: {
              id: { type: String, required: true },
              n: { type: String, required: true },
              points: { type: Number },
            },
          },
        },
      ),
      indexes: { primary: { hash: 'pk', sort: 'sk' }, ...index },
    }) as unknown as SchemaDefinition
  return {
    before: of({}),
    after: of({ notes: { type: Number, ...counter } }),
    steps: [countItems('User', 'notes')],
  }
}

const BY_USER = { byUser: { hash: 'gpk' } }

async function verify(transport: Transport, { before, after, steps }: Change) {
  const environment = systemEnvironment
  const { counts } = await dryRun({
    transport,
    tableName,
    versions: {
      before: compileSchema(before),
      after: compileSchema(after),
      steps: steps as readonly ReturnType<typeof countItems>[],
      environment,
    },
    signal: new AbortController().signal,
    onProgress() {},
  })
  return counts
}

test('items are counted all, also those that a global index does not show yet', async () => {
  const change = noteChange(BY_USER)
  const engine = createEngine()
  const place = { transport: engine, tableName }
  const { table, entities } = open(change.before, place)
  await table.create()
  await entities.User.put({ id: '1' })
  for (let n = 0; n < 5; n++) await entities.Note.put({ id: '1', n: String(n) })
  engine.faults.add({ kind: 'indexLag', ms: 60_000 })
  for (let n = 5; n < 9; n++) await entities.Note.put({ id: '1', n: String(n) })
  expect(await migrate(place, change)).toBe(true)
  const after = open(change.after, place).entities
  expect(await after.User.get({ id: '1' })).toEqual({ id: '1', notes: 9 })
  expect(await verify(engine, change)).toMatchObject({ changed: 0, problems: 0 })
  await entities.Note.put({ id: '1', n: '9' })
  expect(await verify(engine, change)).toMatchObject({ changed: 1, problems: 0 })
})

test('items are counted and added up without an index', async () => {
  for (const [counter, notes] of [
    [{ counts: { model: 'Note', when: { points: 0.5 } } }, 2],
    [{ sums: 'Note.points' }, 3],
  ] as const) {
    const change = noteChange(undefined, counter)
    const place = { transport: createEngine(), tableName }
    const { table, entities } = open(change.before, place)
    await table.create()
    await entities.User.put({ id: '1' })
    await entities.User.put({ id: '2' })
    for (const points of [0.5, 2, 0.5]) {
      await entities.Note.put({ id: '1', n: String(Math.random()), points })
    }
    expect(await migrate(place, change)).toBe(true)
    const after = open(change.after, place).entities
    expect(await after.User.get({ id: '1' })).toEqual({ id: '1', notes })
    expect(await after.User.get({ id: '2' })).toEqual({ id: '2', notes: 0 })
  }
})

/** An application that counts adds an item, or replaces one, before each of the next reads. */
async function withWriter(readsMax: number) {
  const change = noteChange(BY_USER)
  const engine = createEngine()
  const { table, entities } = open(change.before, { transport: engine, tableName })
  await table.create()
  for (const id of ['1', '2']) await entities.User.put({ id })
  for (let n = 0; n < 30; n++) await entities.Note.put({ id: String(1 + (n % 2)), n: `old${n}` })
  const { User, Note } = open(change.after, { transport: engine, tableName }).entities
  // What old code has written is counted first: the application can't count up from nothing.
  expect(await migrate({ transport: engine, tableName }, change)).toBe(true)
  for (const [id, notes] of [
    ['1', 5],
    ['2', 15],
  ] as const) {
    await engine.send('UpdateItem', {
      TableName: tableName,
      Key: { pk: { S: `USER#${id}` }, sk: { S: 'USER' } },
      UpdateExpression: 'SET notes = :notes',
      ExpressionAttributeValues: { ':notes': { N: String(notes) } },
    })
  }
  let reads = 0
  const sets: object[] = []
  const transport: Transport = {
    async send(operation, request, options) {
      if (operation === 'Scan' && reads < readsMax) {
        const n = reads++
        await Note.create({ id: '1', n: `new${n}` })
        if (n % 3 === 0) await Note.delete({ n: `new${n >> 1}` })
      }
      if (operation === 'UpdateItem' && JSON.stringify(request).includes('#count')) {
        sets.push(request)
      }
      return engine.send(operation, request, options)
    },
  }
  const countNotes = async () =>
    (await dump({ transport: engine, tableName })).filter(
      ({ _type, id }) => _type?.S === 'Note' && id?.S === '1',
    ).length
  return { change, transport, User, sets, countNotes }
}

test('what an application counts at the same time is not lost, and right counts are not written', async () => {
  const { change, transport, User, sets, countNotes } = await withWriter(40)
  expect(await migrate({ transport, tableName }, change)).toBe(true)
  expect(await User.get({ id: '1' })).toMatchObject({ notes: await countNotes() })
  expect(await User.get({ id: '2' })).toMatchObject({ notes: 15 })
  expect(sets.length).toBeGreaterThan(0)
  expect(JSON.stringify(sets)).not.toContain('USER#2')
})

test('a count that others change all the time is reported and left as it is', async () => {
  const { change, transport, sets } = await withWriter(Number.POSITIVE_INFINITY)
  await expect(migrate({ transport, tableName }, change)).rejects.toThrow(
    '["USER#1","USER"] is counted while others change the count, again and again',
  )
  expect(sets).toEqual([])
})
