import { describe, expect, test } from 'vitest'
import type { InputIssue } from '../../errors/input-error.ts'
import { Decimal } from '../../values/decimal-number.ts'
import { anyCodec } from './any-codec.ts'

const any = anyCodec(1)

function messages(value: unknown): string[] {
  const issues: InputIssue[] = []
  any.encode(value, issues)
  return issues.map(({ path, message }) => [...path, message].join(' '))
}

describe('anything DynamoDB can hold', () => {
  test.each<[unknown]>([
    ['text'],
    [1.5],
    [12345678901234567890n],
    [true],
    [null],
    [new Uint8Array([1, 2])],
    [[1, ['a', []]]],
    [{ a: { b: {} }, c: null }],
    [new Set(['a', 'b'])],
    [new Set([1, 12345678901234567890n])],
    [new Set([new Uint8Array([1])])],
    [new Decimal('1.23456789012345678901')],
  ])('is read as it was written: %s', (value) => {
    const issues: InputIssue[] = []
    const stored = any.encode(value, issues)
    expect(issues).toEqual([])
    expect(any.decode(stored)).toEqual(value)
  })

  test('includes objects without a prototype', () => {
    const bare = Object.assign(Object.create(null), { a: 1 })
    expect(any.encode(bare, [])).toEqual({ M: { a: { N: '1' } } })
  })

  test('leaves undefined members out', () => {
    expect(any.encode({ a: undefined }, [])).toEqual({ M: {} })
  })

  test('keeps a name that reaches the prototype as a name', () => {
    const value = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{}}}')
    const output = any.decode(any.encode(value, [])) as object
    expect(Object.keys(output)).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(output)).toBe(Object.prototype)
    expect({}).not.toHaveProperty('polluted')
  })
})

describe('numbers that JavaScript cannot hold are not rounded', () => {
  test('an integer becomes a bigint', () => {
    expect(any.decode({ N: '9007199254740993' })).toBe(9007199254740993n)
    expect(any.decode({ N: '9007199254740992' })).toBe(9007199254740992n)
    expect(any.decode({ N: '9007199254740991' })).toBe(9007199254740991)
  })

  test('a decimal of 20 digits becomes a Decimal', () => {
    const value = any.decode({ N: '1.2345678901234567891' })
    expect(value).toBeInstanceOf(Decimal)
    expect(String(value)).toBe('1.2345678901234567891')
    expect(JSON.stringify({ value })).toBe('{"value":"1.2345678901234567891"}')
  })
})

describe('what DynamoDB cannot hold is refused', () => {
  class Point {
    readonly x = 1
  }

  test.each<[unknown, string]>([
    [new Date(0), 'is a Date, which'],
    [new Map(), 'instance of Map'],
    [new Point(), 'instance of Point'],
    [Object.create({ own: 1 }), 'is an object, which'],
    [() => 1, 'a function'],
    [Symbol('s'), 'a symbol'],
    [undefined, 'is undefined'],
    [[1, undefined], '1 is undefined'],
    [new Array(2), '0 is undefined'],
    [Number.NaN, 'is NaN'],
    [{ a: [2 ** 53] }, 'a 0 is beyond'],
    ['\ud800', 'surrogate'],
    [new Set(), 'empty Set'],
    [new Set(['a', 1]), 'not a Set of only'],
    [new Set([true]), 'not a Set of only'],
    [new Set([[1]]), 'not a Set of only'],
    [{ '': 1 }, 'without a name'],
  ])('%s', (value, message) => {
    expect(messages(value)[0]).toContain(message)
  })

  test('32 levels are allowed and 33 are not', () => {
    const nested = (levels: number): unknown => (levels === 1 ? 'x' : [nested(levels - 1)])
    expect(messages(nested(32))).toEqual([])
    expect(messages(nested(33))).toHaveLength(1)
    expect(messages(nested(1000))).toHaveLength(1)
  })

  test('an object that contains itself, once or often, is refused at once', () => {
    const cycle: Record<string, unknown> = {}
    for (let index = 0; index < 50; index++) cycle[`again${index}`] = cycle
    expect(messages(cycle)[0]).toContain('contains itself')
  })

  test('an object shared so often that no item could hold it is refused at once', () => {
    let shared: unknown = 'x'
    for (let level = 0; level < 30; level++) shared = [shared, shared]
    expect(messages(shared)[0]).toContain('more than an item can hold')
  })

  test('a getter that throws surfaces its own error', () => {
    const value = {
      get a(): never {
        throw new RangeError('mine')
      },
    }
    expect(() => any.encode(value, [])).toThrow(new RangeError('mine'))
  })
})

test('a value inside others may be as deep as its item has room for', () => {
  const issues: InputIssue[] = []
  anyCodec(31).encode(['x'], issues)
  expect(issues).toEqual([])
  anyCodec(32).encode([], issues)
  expect(issues).toHaveLength(1)
})
