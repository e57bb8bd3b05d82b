import { describe, expect, it } from 'vitest'
import { InputError } from '../errors/input-error.ts'
import type { Attribute, Codec, Member, Model } from '../schema/model.ts'
import { operators as op } from './operators.ts'
import { referencesOf, toReference } from './references.ts'

function attribute(
  name: string,
  tag: Codec['tag'],
  more: Partial<Codec> = {},
): [string, Attribute] {
  const codec: Codec = { tag, encode: () => ({ S: '' }), decode: (value) => value, ...more }
  return [name, { name, stored: name, codec, definition: { type: String } }]
}

// Only what references look at.
const model = {
  name: 'Post',
  attributes: new Map([
    attribute('title', 'S'),
    attribute('toString', 'S'),
    attribute('tags', 'L'),
    attribute('address', 'M', {
      members: new Map([
        ['zip', { stored: 'zip', codec: attribute('zip', 'S')[1].codec } as Member],
      ]),
    }),
    attribute('extra', undefined),
  ]),
  createdAt: attribute('createdAt', 'S')[1],
  indexes: [{ hash: [{ name: 'pk', template: {} }], sort: [{ name: '__proto__', template: {} }] }],
} as unknown as Model
// biome-ignore lint/suspicious/noExplicitAny: members are read as an untyped callback reads them.
const attr = referencesOf(model) as Record<string, any>

describe('attr', () => {
  it('has a member for each attribute, timestamp and key attribute, whatever their names', () => {
    expect(Object.keys(attr)).toEqual([
      'title',
      'toString',
      'tags',
      'address',
      'extra',
      'createdAt',
      'pk',
      '__proto__',
    ])
    expect(referencesOf(model)).toBe(attr)
    expect(toReference(attr.toString)).toMatchObject({ name: 'toString', path: ['toString'] })
    expect(toReference(Reflect.get(attr, '__proto__'))?.path).toEqual(['__proto__'])
  })

  it('reaches into lists, maps and what may be anything', () => {
    expect(toReference(attr.tags[7])).toMatchObject({ name: 'tags[7]', path: ['tags', 7] })
    expect(toReference(attr.address.zip)?.path).toEqual(['address', 'zip'])
    expect(toReference(attr.extra.kind[0].path)?.path).toEqual(['extra', 'kind', 0, 'path'])
    expect(toReference(attr.extra)?.path).toEqual(['extra'])
    expect(attr.tags[Symbol.iterator]).toBeUndefined()
  })

  it('is frozen, as are the references', () => {
    expect(Object.isFrozen(attr)).toBe(true)
    expect(Object.isFrozen(attr.title)).toBe(true)
  })
})

describe('op', () => {
  it('gives frozen plain data', () => {
    const where = op.and(op.eq(attr.title, 'x'), op.in(attr.title, ['a']))
    expect(where).toMatchObject({
      operator: 'AND',
      operands: [{ operator: '=' }, { operator: 'IN' }],
    })
    expect(Object.isFrozen(where)).toBe(true)
  })

  it.each([
    ['an attribute that does not exist', () => op.eq(attr.nope, 1), /"nope" is not an attribute/],
    ['one next to it', () => op.eq(attr.title, attr.nope), /"nope" is not an attribute/],
    [
      'an unknown member',
      () => op.exists(attr.address.street),
      /"address.street" is not an attribute[\s\S]*zip/,
    ],
    ['a named member of a list', () => op.exists(attr.tags.length), /tags\[length\]/],
    ['a position beyond what can be', () => op.exists(attr.tags[9_999_999_999]), InputError],
    ['undefined', () => op.eq(attr.title, undefined), /"title" is compared with undefined/],
    ['a bound that is undefined', () => op.between(attr.title, 'a', undefined), /"title"/],
    ['an undefined prefix', () => op.beginsWith(attr.title, undefined), /"title"/],
    [
      '101 values',
      () => op.in(attr.title, Array(101).fill('x')),
      /"title" needs a list of up to 100/,
    ],
    ['no list', () => op.in(attr.title, 'x'), /up to 100/],
    ['a list with a hole', () => op.in(attr.title, Array(2)), /undefined/],
    ['an unknown type', () => op.attributeType(attr.title, 'X'), /"title" needs one of S N B/],
    ['and() of nothing', () => op.and(), /op.and\(\) needs a condition/],
    ['or() of nothing', () => op.or(), /op.or\(\) needs a condition/],
    ['and() of something else', () => op.and(false), /needs conditions/],
    ['a size of a value', () => op.size('x'), /needs an attribute/],
    ['a size of a size', () => op.size(op.size(attr.tags)), /is a size/],
    ['a value on the left', () => op.eq('x', attr.title), /needs an attribute first/],
  ])('refuses %s', (_, call, message) => {
    expect(call).toThrow(InputError)
    expect(call).toThrow(message)
  })

  it('accepts a hundred values and refuses paths that DynamoDB would refuse', () => {
    expect(op.in(attr.title, Array(100).fill('x'))).toMatchObject({ operator: 'OR' })
    let deep = attr.extra
    for (let level = 1; level < 32; level++) deep = deep.a
    expect(op.exists(deep)).toMatchObject({ operator: 'attribute_exists' })
    expect(() => op.exists(deep.a)).toThrow(/32 levels/)
  })
})
