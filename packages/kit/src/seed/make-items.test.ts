import { compileSchema, type SchemaDefinition } from 'singletable/tools'
import { expect, test } from 'vitest'
import { makeItems, type SeedItem } from './make-items.ts'
import { createRandom, seededEnvironment } from './seeded-random.ts'

const text = { type: String, required: true } as const

function made(
  definition: SchemaDefinition,
  count: number,
): { readonly items: readonly SeedItem[]; readonly unseedable: ReadonlyMap<string, string> } {
  const random = createRandom(1)
  const unseedable = new Map<string, string>()
  const items = makeItems(compileSchema(definition), {
    count,
    random,
    environment: seededEnvironment(random),
    onUnseedable: (model, reason) => unseedable.set(model, reason),
  })
  return { items: [...items], unseedable }
}

const inputsOf = (items: readonly SeedItem[], entity: string): readonly SeedItem['input'][] =>
  items.filter((each) => each.entity === entity).map(({ input }) => input)

const indexes = { primary: { hash: 'pk', sort: 'sk' }, gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' } }

test('proportions are those of stats.count, and the count is what was asked for', () => {
  const definition: SchemaDefinition = {
    indexes,
    models: {
      User: {
        key: { pk: 'USER#${userId}', sk: 'USER' },
        attributes: { userId: text },
        stats: { count: 100 },
      },
      Order: {
        key: { pk: 'USER#${userId}', sk: 'ORDER#${orderId}' },
        attributes: { userId: text, orderId: text },
        stats: { count: 700 },
      },
      Coupon: {
        key: { pk: 'COUPON#${code}', sk: 'COUPON' },
        attributes: { code: text },
        stats: { count: 200 },
      },
    },
  }
  for (const count of [2, 3, 10, 1000]) expect(made(definition, count).items).toHaveLength(count)
  const { items } = made(definition, 1000)
  expect(['User', 'Order', 'Coupon'].map((each) => inputsOf(items, each).length)).toEqual([
    100, 700, 200,
  ])
})

test('different values that make the same key are not used twice', () => {
  const { items } = made(
    {
      indexes,
      models: {
        Total: {
          key: { pk: 'TOTAL#${at:day}', sk: 'TOTAL' },
          attributes: { at: { type: Date, required: true } },
        },
        Reading: {
          key: { pk: 'READING#${readingId}', sk: 'READING' },
          attributes: { readingId: text },
        },
      },
    },
    100,
  )
  const days = inputsOf(items, 'Total').map(({ at }) => (at as Date).toISOString().slice(0, 10))
  expect(days.length).toBeGreaterThan(1)
  expect(new Set(days).size).toBe(days.length)
  expect(items).toHaveLength(100)
})

test('what a model has no more keys for goes to the others', () => {
  const { items } = made(
    {
      indexes,
      models: {
        Color: {
          key: { pk: 'COLOR#${color}', sk: 'COLOR' },
          attributes: { color: { type: String, required: true, enum: ['red', 'green'] } },
          stats: { count: 500 },
        },
        Car: {
          key: { pk: 'CAR#${carId}', sk: 'CAR' },
          attributes: { carId: text },
          stats: { count: 500 },
        },
      },
    },
    100,
  )
  expect(inputsOf(items, 'Color')).toHaveLength(2)
  expect(inputsOf(items, 'Car')).toHaveLength(98)
})

test('several items share a partition of an index, also one of a copy', () => {
  const { items } = made(
    {
      indexes,
      models: {
        Product: {
          key: { pk: 'PRODUCT#${productId}', sk: 'PRODUCT' },
          index: { gsi1pk: 'CATEGORY#${category}', gsi1sk: '${productId}' },
          attributes: { productId: text, category: text, brand: text },
          copies: { OfBrand: { key: { pk: 'BRAND#${brand}', sk: '${productId}' } } },
        },
      },
    },
    40,
  )
  const products = inputsOf(items, 'Product')
  for (const name of ['category', 'brand']) {
    const values = new Set(products.map((each) => each[name]))
    expect(values.size).toBeGreaterThan(1)
    expect(values.size).toBeLessThanOrEqual(10)
  }
})

test('times are not before the start, and buckets of time are shared', () => {
  const { items } = made(
    {
      indexes,
      models: {
        Reading: {
          key: { pk: 'DAY#${at:day}', sk: '${readingId}' },
          attributes: {
            readingId: text,
            at: { type: Date, required: true, start: '2026-05-30' },
          },
        },
      },
    },
    40,
  )
  const days = inputsOf(items, 'Reading').map(({ at }) => (at as Date).toISOString().slice(0, 10))
  expect([...days].sort()[0]! >= '2026-05-30').toBe(true)
  expect(new Set(days).size).toBeLessThan(20)
})

test('what can be missing is missing in some items and there in others', () => {
  const { items } = made(
    {
      indexes,
      models: {
        User: {
          key: { pk: 'USER#${userId}', sk: 'USER' },
          attributes: { userId: text, nickname: { type: String } },
        },
      },
    },
    30,
  )
  const named = inputsOf(items, 'User').filter((each) => 'nickname' in each).length
  expect(named).toBeGreaterThan(10)
  expect(named).toBeLessThan(30)
})

test('a model that counts itself has items that name earlier ones', () => {
  const { items, unseedable } = made(
    {
      indexes,
      models: {
        Page: {
          key: { pk: 'PAGE#${pageId}', sk: 'PAGE' },
          attributes: {
            pageId: text,
            parentId: { type: String },
            children: { type: Number, counts: { model: 'Page', by: { pageId: 'parentId' } } },
          },
        },
      },
    },
    20,
  )
  expect(unseedable.size).toBe(0)
  const before = new Set<unknown>()
  for (const { pageId, parentId } of inputsOf(items, 'Page')) {
    if (parentId !== undefined) expect(before).toContain(parentId)
    before.add(pageId)
  }
  expect(inputsOf(items, 'Page').some(({ parentId }) => parentId !== undefined)).toBe(true)
})

test('a model for which no value is found stops only itself', () => {
  const { items, unseedable } = made(
    {
      indexes,
      models: {
        Odd: {
          key: { pk: 'ODD#${oddId}', sk: 'ODD' },
          attributes: { oddId: text, odd: { ...text, validate: () => false } },
        },
        User: { key: { pk: 'USER#${userId}', sk: 'USER' }, attributes: { userId: text } },
      },
    },
    10,
  )
  expect(inputsOf(items, 'User')).toHaveLength(10)
  expect([...unseedable]).toEqual([
    ['Odd', 'No value was found for Odd.odd that its definition accepts'],
  ])
})

test('what an item names and what that names agree', () => {
  const { items } = made(
    {
      indexes,
      models: {
        Driver: { key: { pk: 'DRIVER#${driverId}', sk: 'DRIVER' }, attributes: { driverId: text } },
        Ride: {
          key: { pk: 'RIDE#${rideId}', sk: 'RIDE' },
          attributes: { rideId: text, driverId: text },
        },
        Rating: {
          key: { pk: 'DRIVER#${driverId}', sk: 'RATING#${rideId}' },
          attributes: { driverId: text, rideId: text },
        },
      },
    },
    60,
  )
  const drivers = new Map(inputsOf(items, 'Ride').map((each) => [each.rideId, each.driverId]))
  expect(new Set(drivers.values()).size).toBeGreaterThan(1)
  for (const { rideId, driverId } of inputsOf(items, 'Rating')) {
    expect(driverId).toBe(drivers.get(rideId))
  }
})

test('sentences are made longer for the size of items, and names are not', () => {
  const { items } = made(
    {
      indexes,
      models: {
        User: {
          key: { pk: 'USER#${userId}', sk: 'USER' },
          attributes: { userId: text, name: text, bio: text },
          stats: { itemBytes: 2_000 },
        },
      },
    },
    5,
  )
  for (const { name, bio } of inputsOf(items, 'User')) {
    expect(String(name).length).toBeLessThan(40)
    expect(String(bio).length).toBeGreaterThan(1_000)
  }
})

test('items whose key is computed differ in what it is computed from', () => {
  const definition: SchemaDefinition = {
    indexes,
    models: {
      User: {
        key: { pk: 'USER#${address}', sk: 'USER' },
        attributes: {
          email: { ...text, readonly: true },
          address: {
            type: String,
            from: ['email'],
            compute: (values) => String(values.email).toLowerCase(),
          },
        },
      },
    },
  }
  expect(made(definition, 10).items).toHaveLength(10)
})
