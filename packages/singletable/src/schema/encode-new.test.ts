import { describe, expect, test } from 'vitest'
import { InputError } from '../errors/input-error.ts'
import { compileSchema } from '../plan/compile-schema.ts'
import type { Environment } from '../values/environment.ts'
import type { EncodedItem, Model } from './model.ts'
import type { AttributeDefinition, ModelDefinition, ParamsDefinition } from './schema-definition.ts'

const NOW = 1_767_225_600_000
const environment: Environment = {
  now: () => NOW,
  randomBytes: (count) => new Uint8Array(count),
  schedule: () => () => undefined,
}

function modelOf(
  attributes: Record<string, AttributeDefinition>,
  rest: Partial<ModelDefinition> = {},
  params: ParamsDefinition = {},
): Model {
  return compileSchema({
    indexes: {
      primary: { hash: 'pk', sort: 'sk' },
      gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
      gsi2: { hash: 'gsi2pk', sort: 'gsi1sk' },
    },
    models: {
      Thing: {
        key: { pk: 'THING#${id}', sk: 'THING' },
        attributes: { id: { type: String }, ...attributes },
        ...rest,
      },
    },
    params,
  }).models.get('Thing')!
}

const encode = (model: Model, input: object): EncodedItem =>
  model.encodeNew(input, environment, 'table "T", entity "Thing", put()')

function refusal(model: Model, input: object): InputError {
  try {
    encode(model, input)
  } catch (error) {
    if (error instanceof InputError) return error
    throw error
  }
  throw new Error('it was not refused')
}

describe('what is not given', () => {
  test('is not stored', () => {
    const { item, output } = encode(modelOf({ note: { type: String } }), {
      id: '1',
      note: undefined,
    })
    expect(item).toEqual({
      pk: { S: 'THING#1' },
      sk: { S: 'THING' },
      _type: { S: 'Thing' },
      id: { S: '1' },
    })
    expect(output).toEqual({ id: '1' })
    expect(Object.keys(output)).toEqual(['id'])
  })

  test('is missing if it is required or part of the key', () => {
    const error = refusal(modelOf({ name: { type: String, required: true } }), {})
    expect(error.code).toBe('INPUT_INVALID')
    expect(error.issues).toEqual([
      { path: ['id'], message: 'is missing' },
      { path: ['name'], message: 'is missing' },
    ])
    expect(error.message).toContain('"id" is missing; "name" is missing.')
    expect(error.message).toContain('table "T", entity "Thing", put()')
  })

  test('has its default, of which every item has its own', () => {
    const tags = ['a']
    let calls = 0
    const model = modelOf({
      tags: { type: Array, items: { type: String }, default: tags },
      options: { type: Object, default: { deep: [1] } },
      count: { type: Number, default: () => ++calls },
      nothing: { type: String, nulls: true, default: null },
    })
    const first = encode(model, { id: '1' }).output
    expect(first).toEqual({ id: '1', tags, options: { deep: [1] }, count: 1, nothing: null })
    ;(first.tags as string[]).push('b')
    ;(first.options as { deep: number[] }).deep.push(2)
    expect(encode(model, { id: '2' }).output).toMatchObject({
      tags: ['a'],
      options: { deep: [1] },
      count: 2,
    })
    expect(tags).toEqual(['a'])
  })

  test('is checked also where a function made it', () => {
    const model = modelOf({
      count: { type: Number, default: () => 'x' },
      name: { type: String, required: true, generate: () => undefined },
    })
    expect(refusal(model, { id: '1' }).issues.map(({ path }) => path)).toEqual([
      ['count'],
      ['name'],
    ])
  })

  test('is generated', () => {
    const model = modelOf({
      id: { type: String, generate: 'ulid' },
      code: { type: String, generate: () => 'mine' },
    })
    const { output } = encode(model, {})
    expect(output.id).toMatch(/^[0-9A-Z]{26}$/)
    expect(output.code).toBe('mine')
    expect(encode(model, { id: 'given' }).output.id).toBe('given')
  })
})

describe('an input', () => {
  test('is read once, and not changed', () => {
    let reads = 0
    const input = Object.freeze({
      get id() {
        reads++
        return '1'
      },
      tags: Object.freeze(['a']),
    })
    const { output } = encode(modelOf({ tags: { type: Array } }), input)
    expect(reads).toBe(1)
    expect(output.tags).toEqual(['a'])
    expect(output.tags).not.toBe(input.tags)
  })

  test('with a getter that throws surfaces its error', () => {
    const input = {
      get id(): string {
        throw new RangeError('mine')
      },
    }
    expect(() => encode(modelOf({}), input)).toThrow(new RangeError('mine'))
  })

  test('with unknown attributes is refused, with a suggestion', () => {
    const model = modelOf({ title: { type: String } })
    expect(refusal(model, { id: '1', titel: 'x', zzzzzz: 1 }).issues).toEqual([
      { path: ['titel'], message: 'is an unknown attribute (did you mean "title"?)' },
      { path: ['zzzzzz'], message: 'is an unknown attribute' },
    ])
    encode(model, { id: '1', titel: undefined })
  })

  test('with a member __proto__ changes nothing but is refused', () => {
    const input = JSON.parse('{"id":"1","__proto__":{"polluted":true}}')
    expect(refusal(modelOf({}), input).issues[0]?.path).toEqual(['__proto__'])
    expect({}).not.toHaveProperty('polluted')
  })

  test('that is not an object is refused', () => {
    expect(refusal(modelOf({}), null as never).message).toContain('an object was expected')
    expect(refusal(modelOf({}), 'x' as never).message).toContain('an object was expected')
  })

  test('with many issues has all of them, and the first three in the message', () => {
    const names = ['a', 'b', 'c', 'd', 'e']
    const model = modelOf(Object.fromEntries(names.map((name) => [name, { type: Number }])))
    const error = refusal(model, {
      id: '1',
      ...Object.fromEntries(names.map((name) => [name, 'x'])),
    })
    expect(error.issues).toHaveLength(5)
    expect(error.message).toContain('"c": "x" is a string, not a number; and 2 more.')
  })

  test('that a validator threw on has the error as cause', () => {
    const cause = new RangeError('mine')
    const validate = (): never => {
      throw cause
    }
    expect(refusal(modelOf({ a: { type: String, validate } }), { id: '1', a: 'x' }).cause).toBe(
      cause,
    )
  })

  test('is stored as its validator gives it', () => {
    const validate = {
      '~standard': {
        version: 1,
        vendor: 'zod',
        validate: (value: unknown) => ({ value: String(value).toLowerCase() }),
      },
    } as const
    const model = modelOf({ id: { type: String, validate } })
    const { item, output } = encode(model, { id: 'ABC' })
    expect(item.pk).toEqual({ S: 'THING#abc' })
    expect(output).toEqual({ id: 'abc' })
  })
})

describe('timestamps', () => {
  const on = { timestamps: true }

  test('are set, both to the same time', () => {
    let now = NOW
    const { output } = modelOf({}, {}, on).encodeNew(
      { id: '1' },
      { ...environment, now: () => now++ },
      '',
    )
    expect(output).toEqual({ id: '1', createdAt: new Date(NOW), updatedAt: new Date(NOW) })
  })

  test('keep createdAt where it is given, and never updatedAt', () => {
    const old = new Date(5)
    const { output } = encode(modelOf({}, {}, on), { id: '1', createdAt: old, updatedAt: old })
    expect(output).toMatchObject({ createdAt: old, updatedAt: new Date(NOW) })
  })

  test('have the type they are declared with', () => {
    const model = modelOf({ createdAt: { type: String }, updatedAt: { type: Number } }, {}, on)
    expect(encode(model, { id: '1' }).output).toMatchObject({
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: NOW,
    })
  })

  test('are numbers where isoDates is false', () => {
    const { item } = encode(modelOf({}, {}, { timestamps: true, isoDates: false }), { id: '1' })
    expect(item.createdAt).toEqual({ N: String(NOW) })
  })
})

describe('a version', () => {
  const model = modelOf({ revision: { type: Number, version: true } })

  test('begins at 1', () => {
    expect(encode(model, { id: '1' })).toMatchObject({
      output: { revision: 1 },
      version: undefined,
    })
  })

  test('that is given is increased, and returned', () => {
    expect(encode(model, { id: '1', revision: 4 })).toMatchObject({
      item: { revision: { N: '5' } },
      output: { revision: 5 },
      version: 4,
    })
  })

  test.each([1.5, -1, '1', null, Number.MAX_SAFE_INTEGER])('%s is none', (revision) => {
    expect(refusal(model, { id: '1', revision }).issues[0]?.path).toEqual(['revision'])
  })
})

describe('keys of indexes', () => {
  const templates = { index: { gsi1pk: 'OWNER#${owner}', gsi1sk: 'AT#${at}' } }
  const attributes = { owner: { type: String, nulls: true }, at: { type: Date } } as const

  test('are there when all they need is there', () => {
    const model = modelOf(attributes, templates)
    const { item } = encode(model, { id: '1', owner: 'bob', at: new Date(NOW) })
    expect(item).toMatchObject({
      gsi1pk: { S: 'OWNER#bob' },
      gsi1sk: { S: 'AT#2026-01-01T00:00:00.000Z' },
    })
  })

  test.each([{ owner: 'bob' }, { at: new Date(NOW) }, { owner: null, at: new Date(NOW) }])(
    'are all absent when something is missing or null',
    (input) => {
      const { item } = encode(modelOf(attributes, templates), { id: '1', ...input })
      expect(item).not.toHaveProperty('gsi1pk')
      expect(item).not.toHaveProperty('gsi1sk')
    },
  )

  test('are there only while the condition of the index holds', () => {
    const model = modelOf(
      { state: { type: String } },
      {
        index: { gsi1pk: 'A', gsi1sk: 'B#${id}', gsi2pk: 'C' },
        when: { gsi1: { state: ['open', 'new'] }, gsi2: { state: 'late' } },
      },
    )
    const keys = (state?: string): string[] => {
      const { item } = encode(model, { id: '1', state })
      return Object.keys(item).filter((name) => name.startsWith('gsi'))
    }
    expect(keys('open')).toEqual(['gsi1pk', 'gsi1sk'])
    expect(keys('new')).toEqual(['gsi1pk', 'gsi1sk'])
    // A key attribute of two indexes is there for either.
    expect(keys('late')).toEqual(['gsi1sk', 'gsi2pk'])
    expect(keys('done')).toEqual([])
    expect(keys()).toEqual([])
  })

  test('are made of normalized text', () => {
    const model = modelOf({ id: { type: String, normalize: 'NFC' } })
    expect(encode(model, { id: 'e\u0301' }).item.pk).toEqual({ S: 'THING#é' })
  })

  test('that are attributes as they are may not be empty', () => {
    const model = modelOf({ gsi1pk: { type: String }, gsi1sk: { type: String } })
    expect(refusal(model, { id: '1', gsi1pk: '', gsi1sk: 'x' }).issues).toEqual([
      { path: ['gsi1pk'], message: "is empty, which a key can't be" },
    ])
  })
})

describe('values that cannot be part of a key are refused', () => {
  const model = modelOf({
    n: { type: Number, pad: 3 },
    at: { type: Date },
    gsi1pk: { type: String, value: 'N#${n}' },
    gsi1sk: { type: String, value: 'AT#${at}' },
  })

  test.each<[string, Record<string, unknown>]>([
    ['empty text', { id: '' }],
    ['undefined', { id: undefined }],
    ['null', { id: null }],
    ['an object', { id: {} }],
    ['an array', { id: ['a'] }],
    ['a boolean', { id: true }],
    ['a number', { id: 5 }],
    ['the separator', { id: 'a#ADMIN' }],
    ['half a surrogate pair', { id: '\ud800' }],
    ['a negative number that is padded', { id: '1', n: -5, at: new Date(0) }],
    ['a number wider than its padding', { id: '1', n: 1000, at: new Date(0) }],
    ['an invalid Date', { id: '1', n: 1, at: new Date(Number.NaN) }],
    ['the year 10000', { id: '1', n: 1, at: new Date('+010000-01-01T00:00:00Z') }],
    ['a negative year', { id: '1', n: 1, at: new Date('-000001-01-01T00:00:00Z') }],
  ])('%s', (_, input) => {
    expect(refusal(model, input)).toBeInstanceOf(InputError)
  })

  test.each([
    ['the partition key', { id: { type: String } }, 'THING#${id}', 'SK', 2048 - 6],
    ['the sort key', { id: { type: String } }, 'PK', 'SK#${id}', 1024 - 3],
  ] as const)('more bytes than %s can have', (_, attributes, pk, sk, longest) => {
    const limited = compileSchema({
      indexes: { primary: { hash: 'pk', sort: 'sk' } },
      models: { Thing: { key: { pk, sk }, attributes } },
    }).models.get('Thing')!
    encode(limited, { id: 'x'.repeat(longest) })
    expect(refusal(limited, { id: 'x'.repeat(longest + 1) }).message).toContain('bytes')
    expect(refusal(limited, { id: 'é'.repeat(longest / 2 + 1) }).message).toContain('bytes')
  })
})

describe('key attributes in the input', () => {
  const model = modelOf(
    { tag: { type: String } },
    { index: { gsi1pk: 'TAG#${tag}', gsi1sk: 'THING' } },
  )

  test('are accepted if they are what the templates make', () => {
    const raw = { pk: 'THING#1', sk: 'THING', gsi1pk: 'TAG#x', gsi2pk: undefined, _type: 'Thing' }
    expect(encode(model, { id: '1', tag: 'x', ...raw }).output).toEqual({ id: '1', tag: 'x' })
  })

  test.each([
    { pk: 'USER#alice' },
    { sk: 'ADMIN' },
    { gsi1pk: 'TAG#y' },
    { gsi1pk: 5 },
    { gsi2pk: 'anything' },
    { _type: 'User' },
  ])('are refused if they are not: %j', (raw) => {
    const error = refusal(model, { id: '1', tag: 'x', ...raw })
    expect(error.code).toBe('KEY_MISMATCH')
    expect(error.issues.map(({ path }) => path)).toEqual([Object.keys(raw)])
  })

  test('are refused for an index the item is not in', () => {
    expect(refusal(model, { id: '1', gsi1pk: 'TAG#x' }).code).toBe('KEY_MISMATCH')
  })
})

describe('outputs', () => {
  test('are without what is hidden', () => {
    const { item, output } = encode(modelOf({ secret: { type: String, hidden: true } }), {
      id: '1',
      secret: 'x',
    })
    expect(item.secret).toEqual({ S: 'x' })
    expect(output).toEqual({ id: '1' })
  })

  test('have keys and type where cleanInternalKeys is false, and can be put again', () => {
    const model = modelOf({}, {}, { cleanInternalKeys: false })
    const { output } = encode(model, { id: '1' })
    expect(output).toEqual({ id: '1', pk: 'THING#1', sk: 'THING', _type: 'Thing' })
    expect(encode(model, output).output).toEqual(output)
  })

  test('have the names callers use, items those under which they are stored', () => {
    const { item, output } = encode(modelOf({ title: { type: String, map: 't' } }), {
      id: '1',
      title: 'x',
    })
    expect(item.t).toEqual({ S: 'x' })
    expect(output).toEqual({ id: '1', title: 'x' })
  })

  test('are as reading would give them', () => {
    const model = modelOf({
      ends: { type: Date, ttl: true },
      price: { type: 'decimal' },
      zero: { type: Number },
    })
    const { item, output } = encode(model, {
      id: '1',
      ends: new Date(5999),
      price: '1.50',
      zero: -0,
    })
    expect(output).toEqual({ id: '1', ends: new Date(5000), price: '1.5', zero: 0 })
    expect(model.decode(item, false)).toEqual(output)
  })
})
