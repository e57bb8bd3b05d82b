import { describe, expect, test } from 'vitest'
import { DefinitionError } from '../errors/definition-error.ts'
import type { InputIssue } from '../errors/input-error.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { codecFor } from './codec-for.ts'
import type { Codec } from './model.ts'
import { Place } from './place.ts'
import type { AttributeDefinition } from './schema-definition.ts'
import { StoredValueProblem } from './stored-value-problem.ts'

const params = {
  timestamps: false,
  isoDates: true,
  typeField: '_type',
  itemVersionField: '_v',
  separator: '#',
  cleanInternalKeys: true,
}
const codec = (definition: AttributeDefinition, isoDates = true): Codec =>
  compiled(definition, isoDates)

function compiled(definition: AttributeDefinition, isoDates: boolean): Codec {
  const at = new Place('here')
  const made = at.attempt(() =>
    codecFor(definition, { params: { ...params, isoDates }, at, depth: 1 }),
  )
  const [issue] = at.issues
  if (issue) throw new DefinitionError(issue.code, issue)
  return made!
}

function write(definition: AttributeDefinition, value: unknown): AttributeValue {
  const issues: InputIssue[] = []
  const encoded = codec(definition).encode(value, issues, true)
  expect(issues).toEqual([])
  return encoded
}

function issuesOf(definition: AttributeDefinition, value: unknown): InputIssue[] {
  const issues: InputIssue[] = []
  codec(definition).encode(value, issues, true)
  return issues
}

const messages = (definition: AttributeDefinition, value: unknown): string[] =>
  issuesOf(definition, value).map(({ path, message }) => [...path, message].join(' '))

describe('values of each type are stored and read back', () => {
  test.each<[string, AttributeDefinition, unknown, AttributeValue]>([
    ['text', { type: String }, 'ä', { S: 'ä' }],
    ['empty text', { type: String }, '', { S: '' }],
    ['a number', { type: Number }, 1.5, { N: '1.5' }],
    ['a safe integer', { type: Number }, 2 ** 53 - 1, { N: '9007199254740991' }],
    ['the shortest decimal of a sum', { type: Number }, 0.1 + 0.2, { N: '0.30000000000000004' }],
    ['a small fraction', { type: Number }, 1.5e-7, { N: '0.00000015' }],
    ['the smallest fraction', { type: Number }, 1e-130, { N: `0.${'0'.repeat(129)}1` }],
    ['a boolean', { type: Boolean }, false, { BOOL: false }],
    [
      'a Date',
      { type: Date },
      new Date('2026-01-02T03:04:05.006Z'),
      { S: '2026-01-02T03:04:05.006Z' },
    ],
    ['the time to live', { type: Date, ttl: true }, new Date(5000), { N: '5' }],
    ['a bigint', { type: BigInt }, 10n ** 37n, { N: `1${'0'.repeat(37)}` }],
    ['a decimal', { type: 'decimal' }, '-12.5', { N: '-12.5' }],
    ['bytes', { type: Uint8Array }, new Uint8Array([0, 255, 3]), { B: 'AP8D' }],
    ['an empty list', { type: Array }, [], { L: [] }],
    ['a list', { type: Array, items: { type: Number } }, [1], { L: [{ N: '1' }] }],
    [
      'a list of anything',
      { type: Array },
      [1, 'a', null],
      { L: [{ N: '1' }, { S: 'a' }, { NULL: true }] },
    ],
    ['a set of text', { type: Set }, new Set(['a', '']), { SS: ['a', ''] }],
    ['a set of numbers', { type: Set, items: { type: Number } }, new Set([1]), { NS: ['1'] }],
    ['a set of bigints', { type: Set, items: { type: BigInt } }, new Set([1n]), { NS: ['1'] }],
    [
      'a set of bytes',
      { type: Set, items: { type: Uint8Array } },
      new Set([new Uint8Array([1])]),
      { BS: ['AQ=='] },
    ],
    [
      'an object',
      { type: Object, schema: { city: { type: String }, zip: { type: Number } } },
      { city: 'Bonn' },
      { M: { city: { S: 'Bonn' } } },
    ],
    [
      'an object of anything',
      { type: Object },
      { a: { b: [] } },
      { M: { a: { M: { b: { L: [] } } } } },
    ],
    ['null where declared', { type: String, nulls: true }, null, { NULL: true }],
    [
      'null in a list where declared',
      { type: Array, items: { type: String, nulls: true } },
      [null],
      { L: [{ NULL: true }] },
    ],
  ])('%s', (_, definition, value, stored) => {
    expect(write(definition, value)).toEqual(stored)
    expect(codec(definition).decode(stored)).toEqual(value)
  })

  test('minus zero becomes zero', () => {
    expect(write({ type: Number }, -0)).toEqual({ N: '0' })
  })

  test('a decimal is stored in its canonical form', () => {
    expect(write({ type: 'decimal' }, '+01.50E1')).toEqual({ N: '15' })
  })

  test('Dates are milliseconds where isoDates is false, and a time to live is seconds in either case', () => {
    const date = new Date(1_700_000_000_123)
    expect(codec({ type: Date }, false).encode(date, [])).toEqual({ N: '1700000000123' })
    expect(codec({ type: Date }, false).decode({ N: '1700000000123' })).toEqual(date)
    expect(codec({ type: Date, ttl: true }, false).encode(date, [])).toEqual({ N: '1700000000' })
  })

  test('of a view into a larger buffer only the view is stored', () => {
    const view = new Uint8Array([1, 2, 3, 4]).subarray(1, 3)
    expect(write({ type: Uint8Array }, view)).toEqual({ B: 'AgM=' })
  })

  test('large bytes are stored whole', () => {
    const bytes = new Uint8Array(100_000).map((_, index) => index)
    const stored = write({ type: Uint8Array }, bytes)
    expect(stored.B).toBe(Buffer.from(bytes).toString('base64'))
    expect(codec({ type: Uint8Array }).decode(stored)).toEqual(bytes)
  })

  test('elements that are one in DynamoDB are stored once', () => {
    const bytes = new Set([new Uint8Array([1]), new Uint8Array([1])])
    expect(write({ type: Set, items: { type: Uint8Array } }, bytes)).toEqual({ BS: ['AQ=='] })
    const decimals = new Set(['1', '1.0'])
    expect(write({ type: Set, items: { type: 'decimal' } }, decimals)).toEqual({ NS: ['1'] })
  })

  test('text is brought into the declared Unicode form', () => {
    expect(write({ type: String, normalize: 'NFC' }, 'e\u0301')).toEqual({ S: 'é' })
    const set = { type: Set, items: { type: String, normalize: 'NFC' } } as const
    expect(write(set, new Set(['é', 'e\u0301']))).toEqual({ SS: ['é'] })
  })
})

describe('values that would not stay the same are refused', () => {
  test.each<[string, AttributeDefinition, unknown, string]>([
    ['2^53 as a number', { type: Number }, 2 ** 53, 'beyond'],
    ['-2^53 as a number', { type: Number }, -(2 ** 53), 'beyond'],
    ['NaN', { type: Number }, Number.NaN, 'is NaN'],
    ['Infinity', { type: Number }, Number.POSITIVE_INFINITY, 'is Infinity'],
    ['1e400', { type: Number }, Number('1e400'), 'is Infinity'],
    ['a number nearer to zero than DynamoDB holds', { type: Number }, 1e-131, 'nearer to zero'],
    ['a bigint of 39 digits', { type: BigInt }, 10n ** 38n + 1n, '38 digits'],
    ['a bigint of very many digits', { type: BigInt }, 10n ** 5000n, 'greater than'],
    ['a decimal of 39 digits', { type: 'decimal' }, `1${'1'.repeat(38)}`, '38 digits'],
    ['text that is not a decimal', { type: 'decimal' }, '1,5', 'not a decimal'],
    ['empty text as decimal', { type: 'decimal' }, '', 'is empty'],
    ['half a surrogate pair', { type: String }, '\ud800', 'surrogate'],
    ['a number as text', { type: String }, 5, 'is a number, not a string'],
    ['text as a number', { type: Number }, '5', 'is a string, not a number'],
    ['a number as bigint', { type: BigInt }, 5, 'not a bigint'],
    ['text as a boolean', { type: Boolean }, 'true', 'not a boolean'],
    ['text as a Date', { type: Date }, '2026-01-01', 'not a Date'],
    ['an invalid Date', { type: Date }, new Date(Number.NaN), 'invalid Date'],
    ['the year 10000', { type: Date }, new Date('+010000-01-01T00:00:00Z'), 'years 0 to 9999'],
    ['a negative year', { type: Date }, new Date('-000001-01-01T00:00:00Z'), 'years 0 to 9999'],
    ['text as bytes', { type: Uint8Array }, 'abc', 'not a Uint8Array'],
    ['an array as a Set', { type: Set }, ['a'], 'an array, not a Set'],
    ['an empty Set', { type: Set }, new Set(), 'empty Set'],
    ['a Set as an array', { type: Array }, new Set(['a']), 'not an array'],
    ['a wrong element of a Set', { type: Set }, new Set(['a', 1]), '1 is a number'],
    ['an array as an object', { type: Object }, [], 'not a plain object'],
    ['a Date as an object', { type: Object, schema: {} }, new Date(0), 'not a plain object'],
    ['null', { type: String }, null, 'nulls: true'],
    ['null in a list', { type: Array, items: { type: String } }, ['a', null], '1 is null'],
    [
      'null as a member',
      { type: Object, schema: { a: { type: String } } },
      { a: null },
      'a is null',
    ],
    [
      'undefined in a list',
      { type: Array, items: { type: String } },
      [undefined],
      '0 is undefined',
    ],
    ['a hole in a list', { type: Array, items: { type: String } }, new Array(1), '0 is undefined'],
    [
      'an undeclared member',
      { type: Object, schema: { city: { type: String } } },
      { cty: 'x' },
      'cty is not declared (did you mean "city"?)',
    ],
    [
      'a missing member',
      { type: Object, schema: { a: { type: String, required: true } } },
      {},
      'a is missing',
    ],
  ])('%s', (_, definition, value, message) => {
    const found = messages(definition, value)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(message)
  })

  test('an undefined member of an object is as not given', () => {
    const definition = { type: Object, schema: { a: { type: String } } } as const
    expect(write(definition, { a: undefined, b: undefined })).toEqual({ M: {} })
  })

  test('all issues are reported, with their paths', () => {
    const definition: AttributeDefinition = {
      type: Array,
      items: { type: Object, schema: { tags: { type: Array, items: { type: String } } } },
    }
    const value = [{ tags: ['a', 1] }, { tags: [null] }]
    expect(issuesOf(definition, value).map(({ path }) => path)).toEqual([
      [0, 'tags', 1],
      [1, 'tags', 0],
    ])
  })
})

describe('members of objects', () => {
  const definition: AttributeDefinition = {
    type: Object,
    schema: { a: { type: Number, default: 1 }, b: { type: Number, default: () => 2 } },
  }

  test('have their defaults when the object is stored', () => {
    expect(write(definition, { b: 5 })).toEqual({ M: { a: { N: '1' }, b: { N: '5' } } })
    expect(write(definition, {})).toEqual({ M: { a: { N: '1' }, b: { N: '2' } } })
  })

  test('have none when the object is compared with', () => {
    expect(codec(definition).encode({}, [])).toEqual({ M: {} })
  })

  test('may have the names of what every object inherits', () => {
    const names = [
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      'hasOwnProperty',
      '__defineGetter__',
    ]
    const schema = Object.fromEntries(names.map((name) => [name, { type: String } as const]))
    const value = Object.fromEntries(names.map((name) => [name, name]))
    const declared = { type: Object, schema } as const
    const stored = write(declared, value)
    expect(Object.keys(stored.M ?? {})).toEqual(names)
    const output = codec(declared).decode(stored) as object
    expect(Object.entries(output)).toEqual(names.map((name) => [name, name]))
    expect(Object.getPrototypeOf(output)).toBe(Object.prototype)
    expect(codec(declared).decode({ M: {} })).toEqual({})
  })

  test('that are stored and not declared are not in the output', () => {
    const declared = { type: Object, schema: { a: { type: String } } } as const
    expect(codec(declared).decode({ M: { a: { S: 'x' }, b: { S: 'y' } } })).toEqual({ a: 'x' })
  })
})

describe('an enum', () => {
  const definition: AttributeDefinition = { type: String, enum: ['draft', 'published'] }

  test('takes its values and refuses others, also in conditions', () => {
    expect(write(definition, 'draft')).toEqual({ S: 'draft' })
    expect(messages(definition, 'drafts')).toEqual([
      'is not one of "draft", "published" (did you mean "draft"?)',
    ])
    const issues: InputIssue[] = []
    codec(definition).encode('x', issues)
    expect(issues).toHaveLength(1)
  })

  test('of numbers compares numbers', () => {
    expect(write({ type: Number, enum: [1, 2] }, 2)).toEqual({ N: '2' })
    expect(messages({ type: Number, enum: [1, 2] }, 3)).toHaveLength(1)
  })

  test('takes null where that is declared', () => {
    expect(write({ ...definition, nulls: true }, null)).toEqual({ NULL: true })
  })

  test('reports a wrong type once', () => {
    expect(messages(definition, 5)).toEqual(['is a number, not a string'])
  })
})

describe('maxBytes', () => {
  test.each<[AttributeDefinition, unknown, unknown]>([
    [{ type: String, maxBytes: 4 }, 'éé', 'ééa'],
    [{ type: Uint8Array, maxBytes: 2 }, new Uint8Array(2), new Uint8Array(3)],
    [{ type: Array, maxBytes: 5 }, ['a'], ['ab']],
  ])('counts UTF-8 bytes, bytes, or the stored size', (definition, at, beyond) => {
    write(definition, at)
    expect(messages(definition, beyond)[0]).toContain('more than the')
  })

  test('is not looked at in conditions', () => {
    const issues: InputIssue[] = []
    codec({ type: String, maxBytes: 1 }).encode('long', issues)
    expect(issues).toEqual([])
  })
})

describe('stored values of another kind are refused', () => {
  test.each<[AttributeDefinition, AttributeValue, string]>([
    [{ type: String }, { N: '1' }, 'is stored as N, not as S'],
    [{ type: Number }, { S: '1' }, 'is stored as S, not as N'],
    [{ type: Boolean }, { S: 'x' }, 'not as BOOL'],
    [{ type: Date }, { N: '1' }, 'not as S'],
    [{ type: Date }, { S: 'soon' }, 'not an ISO date'],
    [{ type: Date }, { S: '2026-01-01T10:00:00' }, 'not an ISO date'],
    [{ type: Date, ttl: true }, { N: '1e300' }, 'not a time'],
    [{ type: BigInt }, { N: '1.5' }, 'fraction'],
    [{ type: Uint8Array }, { S: 'x' }, 'not as B'],
    [{ type: Set }, { L: [] }, 'not as SS'],
    [{ type: Array }, { M: {} }, 'not as L'],
    [{ type: Object }, { L: [] }, 'not as M'],
    [{ type: String }, { NULL: true }, 'is stored as NULL'],
    [{ type: Number }, { N: '9007199254740993' }, "can't hold"],
    [{ type: Number }, { N: '0.12345678901234567891' }, "can't hold"],
  ])('%j %j', (definition, stored, message) => {
    expect(() => codec(definition).decode(stored)).toThrow(StoredValueProblem)
    expect(() => codec(definition).decode(stored)).toThrow(message)
  })

  test('a number that a double holds exactly is read, however long', () => {
    expect(codec({ type: Number }).decode({ N: '0.30000000000000004' })).toBe(0.1 + 0.2)
    expect(codec({ type: Number }).decode({ N: '1000000000000000000000' })).toBe(1e21)
  })

  test('the path says where in the value', () => {
    const definition: AttributeDefinition = {
      type: Array,
      items: { type: Object, schema: { city: { type: String } } },
    }
    let problem: unknown
    try {
      codec(definition).decode({ L: [{ M: {} }, { M: { city: { N: '1' } } }] })
    } catch (error) {
      problem = error
    }
    expect(problem).toMatchObject({ path: [1, 'city'] })
  })
})

describe('definitions that cannot be are refused', () => {
  test.each<[AttributeDefinition, string]>([
    [{ type: Symbol as never }, 'type is not known'],
    [{ type: 'text' as never }, '"text"'],
    [{ type: String, enum: [] }, 'enum'],
    [{ type: Boolean, enum: ['true'] }, 'enum'],
    [{ type: Number, enum: ['1'] }, 'enum "1" is a string'],
    [{ type: Set, items: { type: Boolean } }, 'no sets'],
    [{ type: Set, items: { type: Date } }, 'no sets'],
    [{ type: Set, items: { type: String, nulls: true } }, 'no sets'],
    [{ type: Number, validate: /1/ }, 'regular expression'],
    [{ type: Array, items: { type: String, requird: true } as never }, 'did you mean "required"'],
    [{ type: Array, items: { type: String, ttl: true } as never }, '"ttl" is not an option here'],
    [{ type: Object, schema: { a: { type: Number, default: 'x' } } }, 'default "x" is a string'],
    [{ type: Object, schema: { a: undefined as never } }, 'not an object'],
  ])('%j', (definition, message) => {
    expect(() => codec(definition)).toThrow(message)
    expect(() => codec(definition)).toThrow(expect.objectContaining({ code: 'SCHEMA_INVALID' }))
  })

  test('32 levels are allowed and 33 are not', () => {
    const nested = (levels: number): AttributeDefinition =>
      levels === 1 ? { type: String } : { type: Array, items: nested(levels - 1) }
    codec(nested(32))
    expect(() => codec(nested(33))).toThrow('nested deeper')
  })

  test('a definition that contains itself is refused', () => {
    const definition: { type: ArrayConstructor; items?: unknown } = { type: Array }
    definition.items = definition
    expect(() => codec(definition as AttributeDefinition)).toThrow('nested deeper')
  })
})

test('each example of an attribute has to be a value that it takes', () => {
  const stars = { type: Number, validate: (value: number) => value <= 5 } as const
  expect(() => codec({ ...stars, examples: [1, 5] })).not.toThrow()
  expect(() => codec({ ...stars, examples: [1, 6] })).toThrow(
    'examples is refused by its validator',
  )
  expect(() => codec({ type: Array, items: { type: String, examples: [3] } })).toThrow('examples')
  expect(() => codec({ type: String, examples: 'one' as never })).toThrow(
    'its examples are not a list',
  )
})

test('a Unicode form that does not exist is refused', () => {
  // The types forbid it, but a schema can be JavaScript.
  const definition = { type: String, normalize: 'lower' } as unknown as AttributeDefinition
  expect(() => codec(definition)).toThrow('there is no normalize "lower"')
})
