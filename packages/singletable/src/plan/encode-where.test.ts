import { describe, expect, it } from 'vitest'
import { InputError } from '../errors/input-error.ts'
import { parseCondition } from '../expression/parse-condition.ts'
import { PrintedPlaceholders, printCondition, READABLE } from '../expression/print.ts'
import type { Attribute, Codec, Member, Model } from '../schema/model.ts'
import type { AttributeDefinition } from '../schema/schema-definition.ts'
import type { TypeTag } from '../values/attribute-value.ts'
import { encodeWhere } from './encode-where.ts'
import { operators as op } from './operators.ts'
import { referencesOf } from './references.ts'

function codec(tag: TypeTag | undefined, type: string, more: Partial<Codec> = {}): Codec {
  return {
    tag,
    encode(value, issues) {
      if (typeof value !== type) issues.push({ path: [], message: `is not a ${type}` })
      // The tests give values that fit their codec.
      return (tag === 'N' ? { N: String(value) } : { [tag ?? 'S']: value }) as never
    },
    decode: (value) => value,
    ...more,
  }
}

const text = codec('S', 'string')
const number = codec('N', 'number')
const attributes = new Map<string, Attribute>()
for (const [name, its, definition] of [
  ['title', text, {}],
  ['city', text, { map: 'c' }],
  ['nick', text, { normalize: 'NFC' }],
  ['views', number, {}],
  ['likes', number, {}],
  ['open', codec('BOOL', 'boolean'), {}],
  ['tags', codec('L', 'object', { element: text }), {}],
  ['scores', codec('NS', 'object', { element: number }), {}],
  [
    'address',
    codec('M', 'object', { members: new Map([['zip', { stored: 'zip', codec: text } as Member]]) }),
    {},
  ],
  ['extra', codec(undefined, 'string'), {}],
] as const) {
  attributes.set(name, {
    name,
    stored: name === 'city' ? 'c' : name,
    codec: its,
    definition: { type: String, ...definition } as AttributeDefinition,
  })
}
// Only what references and conditions look at.
const model = { name: 'Post', attributes, indexes: [] } as unknown as Model
// biome-ignore lint/suspicious/noExplicitAny: members are read as an untyped callback reads them.
const attr = referencesOf(model) as Record<string, any>

function printed(where: unknown): string {
  // Conditions of callers go through an operator, too.
  const condition = encodeWhere(op.and(where), model, 'test')
  parseCondition(printCondition(condition, new PrintedPlaceholders()))
  return printCondition(condition, READABLE)
}

describe('encodeWhere', () => {
  it.each([
    [op.eq(attr.title, 'a'), 'title = "a"'],
    [op.ne(attr.city, 'a'), 'c <> "a"'],
    [op.lt(attr.views, 3), 'views < 3'],
    [op.between(attr.views, 3, 4), 'views BETWEEN 3 AND 4'],
    [op.in(attr.title, ['a', 'b']), 'title IN ("a", "b")'],
    [op.exists(attr.title), 'attribute_exists(title)'],
    [op.notExists(attr.title), 'attribute_not_exists(title)'],
    [op.attributeType(attr.title, 'S'), 'attribute_type(title, "S")'],
    [op.beginsWith(attr.title, 'a'), 'begins_with(title, "a")'],
    [op.contains(attr.title, 'a'), 'contains(title, "a")'],
    [op.contains(attr.tags, 'a'), 'contains(tags, "a")'],
    [op.contains(attr.scores, 4), 'contains(scores, 4)'],
    [op.beginsWith(attr.nick, 'e\u0301'), 'begins_with(nick, "é")'],
    [op.gt(attr.views, attr.likes), 'views > likes'],
    [op.gt(attr.views, op.size(attr.tags)), 'views > size(tags)'],
    [op.gt(op.size(attr.tags), 3), 'size(tags) > 3'],
    [op.size(attr.tags).gt(3), 'size(tags) > 3'],
    [op.size(attr.tags).between(1, 3), 'size(tags) BETWEEN 1 AND 3'],
    [op.eq(attr.address.zip, 'x'), 'address.zip = "x"'],
    [op.eq(attr.tags[0], 'x'), 'tags[0] = "x"'],
    [op.eq(attr.extra.deep[3].kind, 'x'), 'extra.deep[3].kind = "x"'],
  ])('prints %#: %s', (where, expected) => {
    expect(printed(where)).toBe(expected)
  })

  const a = op.eq(attr.title, 'a')
  const b = op.lt(attr.views, 1)
  const c = op.exists(attr.city)
  it.each([
    [op.not(op.not(a)), 'title = "a"'],
    [op.not(op.not(op.not(a))), 'NOT title = "a"'],
    [op.not(op.and(a, b)), 'NOT (title = "a" AND views < 1)'],
    [op.not(op.not(op.and(a, b))), 'title = "a" AND views < 1'],
    [op.not(c), 'attribute_not_exists(c)'],
    [op.and(op.or(a, b), c), '(title = "a" OR views < 1) AND attribute_exists(c)'],
    [op.or(op.and(a, b), c), '(title = "a" AND views < 1) OR attribute_exists(c)'],
    [op.and(a, op.and(b, c)), 'title = "a" AND views < 1 AND attribute_exists(c)'],
    [op.or(a, op.or(b, c)), 'title = "a" OR views < 1 OR attribute_exists(c)'],
    [op.not(op.not(op.or(a, b))), 'title = "a" OR views < 1'],
    [op.and(op.and(op.and(a))), 'title = "a"'],
  ])('keeps the structure of what is negated and combined, %#: %s', (where, expected) => {
    expect(printed(where)).toBe(expected)
  })

  it('splits a list of a hundred values, because DynamoDB counts the attribute, too', () => {
    const text = printed(
      op.in(
        attr.views,
        Array.from({ length: 100 }, (_, i) => i),
      ),
    )
    expect(text).toMatch(/^views IN \(1, .*99\) OR views = 0$/)
  })

  it('accepts 300 operators and refuses one more', () => {
    const list = (count: number): unknown => op.and(...Array(count).fill(a))
    expect(() => printed(list(150))).not.toThrow()
    expect(() => printed(list(152))).toThrow(/more than 300 operators/)
  })

  it('refuses nesting of any depth without overflowing the stack', () => {
    for (const wrap of [
      (where: unknown) => op.or(where, a),
      (where: unknown) => op.and(op.or(where, a), b),
      (where: unknown) => op.not(op.and(where, a)),
    ]) {
      const nest = (): unknown => {
        let where: unknown = a
        for (let depth = 0; depth < 100_000; depth++) where = wrap(where)
        return where
      }
      expect(() => printed(nest())).toThrow(InputError)
    }
    let negated: unknown = a
    for (let depth = 0; depth < 100_000; depth++) negated = op.not(negated)
    expect(printed(negated)).toBe('title = "a"')
  })

  it('reports all wrong values together, by the name of the attribute', () => {
    const where = op.and(op.eq(attr.title, 1), op.lt(attr.views, 'x'))
    expect(() => printed(where)).toThrow(/"title" is not a string; "views" is not a number/)
  })

  it.each([
    op.lt(attr.open, true),
    op.contains(attr.views, 1),
    op.beginsWith(attr.tags, 'a'),
    op.eq(op.size(attr.tags), 'many'),
  ])('refuses what DynamoDB would refuse: %#', (where) => {
    expect(() => printed(where)).toThrow(InputError)
  })

  it('takes data that looks like a reference as data', () => {
    const forged = { kind: 'reference', name: 'likes', path: ['likes'], codec: number }
    expect(() => printed(op.eq(attr.views, forged))).toThrow(/"views" is not a number/)
    expect(() => op.eq(forged, 1)).toThrow(/needs an attribute first/)
    expect(() => printed({ operator: 'attribute_exists', operands: [forged], count: 0 })).toThrow(
      /needs conditions, such as op.eq/,
    )
    expect(() => printed({ ...a })).toThrow(InputError)
    expect(() => printed(null)).toThrow(InputError)
  })
})
