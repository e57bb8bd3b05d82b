import { DefinitionError, type InputError, type SchemaDefinition, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { describe, expect, test } from 'vitest'
import { SmallSchema } from '../behaviour/small-schema.ts'

/** The library's own limits, each below, at and above it. */

async function smallTable() {
  const sent: string[] = []
  const engine = createEngine()
  const client: typeof engine.send = (operation, request, options) => {
    sent.push(operation)
    return engine.send(operation, request, options)
  }
  const table = new Table({ name: 'Small', schema: SmallSchema, client: { send: client } })
  await table.create()
  sent.length = 0
  return { table, sent }
}

const notes = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ book: 'a', id: String(index) }))

test.each([
  [24, 1],
  [25, 1],
  [26, 2],
])('%i writes are %i requests', async (count, requests) => {
  const { table, sent } = await smallTable()
  await table.entities.Note.batchWrite(notes(count)).execute()
  expect(sent).toHaveLength(requests)
  expect(await table.entities.Note.query({ book: 'a' }).count()).toBe(count)
})

test.each([
  [99, 1],
  [100, 1],
  [101, 2],
])('%i keys are fetched by %i requests', async (count, requests) => {
  const { table, sent } = await smallTable()
  const found = await table.entities.Note.batchGet(notes(count)).execute()
  expect(found).toHaveLength(count)
  expect(sent).toHaveLength(requests)
})

test.each([99, 100, 101])('a transaction of %i operations', async (count) => {
  const { table, sent } = await smallTable()
  const transaction = notes(count).reduce(
    (all, note) => all.addPut(table.entities.Note.put(note)),
    table.transactWrite(),
  )
  if (count <= 100) {
    await transaction.execute()
    expect(await table.entities.Note.query({ book: 'a' }).count()).toBe(count)
  } else {
    await expect(transaction.execute()).rejects.toMatchObject({ code: 'TRANSACTION_INVALID' })
    expect(sent).toEqual([])
  }
})

test.each([
  [99, 99],
  [100, 100],
  [101, 100],
])('of %i wrong elements of a list %i are reported', async (wrong, reported) => {
  const schema = {
    indexes: { primary: { hash: 'pk' } },
    models: {
      List: {
        key: { pk: 'LIST#${id}' },
        attributes: {
          id: { type: String, required: true },
          numbers: { type: Array, items: { type: Number } },
        },
      },
    },
  } as const
  const { entities } = new Table({ name: 'Lists', schema, client: createEngine() })
  const numbers = Array.from({ length: wrong }, () => Number.NaN)
  const error = await entities.List.put({ id: '1', numbers })
    .execute()
    .catch((reason: unknown) => reason)
  expect((error as InputError).issues).toHaveLength(reported)
})

describe('definitions', () => {
  const define = (schema: SchemaDefinition) => () =>
    new Table({ name: 'Limits', schema, client: createEngine() })

  test.each([37, 38, 39])('a number of %i digits in a key', (digits) => {
    const schema = {
      indexes: { primary: { hash: 'pk' } },
      models: {
        Count: {
          key: { pk: `COUNT#\${n:pad(${digits})}` },
          attributes: { n: { type: BigInt, required: true } },
        },
      },
    } as const
    if (digits <= 38) expect(define(schema)).not.toThrow()
    else expect(define(schema)).toThrow(DefinitionError)
  })

  test.each([3, 4, 5])('%i attributes on one side of a key', (count) => {
    const hash = Array.from({ length: count }, (_, index) => `a${index}`)
    const schema: SchemaDefinition = {
      indexes: { primary: { hash: 'pk' }, wide: { hash } },
      models: {
        Thing: {
          key: { pk: 'THING#${id}' },
          attributes: Object.fromEntries(['id', ...hash].map((name) => [name, { type: String }])),
        },
      },
    }
    if (count <= 4) expect(define(schema)).not.toThrow()
    else expect(define(schema)).toThrow(DefinitionError)
  })
})
