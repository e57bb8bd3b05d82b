import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { beforeEach, expect, test } from 'vitest'
import { codeOf } from './failure-of.ts'
import { onEachTarget } from './on-each-target.ts'
import { SmallSchema } from './small-schema.ts'

/** Numbers that are given out once each. */

onEachTarget((target) => {
  let table: Table<typeof SmallSchema>
  beforeEach(async () => {
    table = await target.table(SmallSchema)
  })

  test('numbers begin with 1 for each name and scope', async () => {
    expect(await table.sequence('order').peek()).toBe(0)
    expect(await table.sequence('order').next()).toBe(1)
    expect(await table.sequence('order').next()).toBe(2)
    expect(await table.sequence('order', 'x').next()).toBe(1)
    expect(await table.sequence('order', 'x', 7).next()).toBe(1)
    expect(await table.sequence('order#x').next()).toBe(1)
    expect(await table.sequence('order').peek()).toBe(2)
  })

  test('several can be taken at once', async () => {
    const sequence = table.sequence('order')
    expect(await sequence.reserve(5)).toEqual({ first: 1, last: 5 })
    expect(await sequence.next()).toBe(6)
  })

  test('no number is given twice', async () => {
    const sequence = table.sequence('order')
    const numbers = await Promise.all(Array.from({ length: 20 }, () => sequence.next()))
    expect([...numbers].sort((a, b) => a - b)).toEqual(numbers.map((_, index) => index + 1))
  })

  test.each([
    ['no name', () => table.sequence('')],
    ['a name that is not a string', () => table.sequence(undefined as unknown as string)],
    ['a part that is not a whole number', () => table.sequence('a', 0.5)],
    ['a name that is too long', () => table.sequence('a'.repeat(2100))],
    ['no count', () => table.sequence('a').reserve(0)],
  ])('%s is refused', async (_, call) => {
    expect(await codeOf(call)).toBe('INPUT_INVALID')
  })
})

test('a number whose answer was lost is left out', async () => {
  const engine = createEngine()
  const table = new Table({
    name: 'numbers',
    schema: SmallSchema,
    client: engine,
    retry: { delayMsBase: 1 },
  })
  await table.create()
  engine.faults.add({ kind: 'error', when: 'after', operation: 'UpdateItem', count: 2 })
  expect(await table.sequence('order').next()).toBe(3)
  await engine.close()
})

test('a model that could have the keys of sequences keeps them from being used', async () => {
  const schema = defineSchema({
    indexes: { primary: { hash: 'pk' } },
    models: {
      Thing: { key: { pk: 'SEQUENCE#${id}' }, attributes: { id: { type: String } } },
    },
  })
  const table = new Table({ name: 'numbers', schema, client: createEngine() })
  expect(await codeOf(() => table.sequence('order'))).toBe('KEYS_MEET')
})
