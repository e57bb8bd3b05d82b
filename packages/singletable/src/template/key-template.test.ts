import { describe, expect, test } from 'vitest'
import { DefinitionError } from '../errors/definition-error.ts'
import type { Component, ComponentKind } from './component.ts'
import { KeyComponentError } from './key-component-error.ts'
import { compileTemplate, type KeyTemplate } from './key-template.ts'

type Kinds = Record<string, Partial<ComponentKind>>

function compile(source: string, kinds: Kinds = {}, separator = '#'): KeyTemplate {
  const where = 'model "User", key pk'
  return compileTemplate(source, {
    kindOf: (name) => ({ type: 'text', encode: false, ...kinds[name] }),
    separator,
    where,
  })
}

function refusal(action: () => unknown): KeyComponentError {
  try {
    action()
  } catch (error) {
    if (error instanceof KeyComponentError) return error
    throw error
  }
  return expect.fail('nothing was thrown')
}

function component(template: KeyTemplate, name: string): Component | undefined {
  for (const part of template.parts) if (typeof part !== 'string' && part.name === name) return part
  return undefined
}

describe('render and match', () => {
  test('a padded number is read as digits alone, where a part of the separator comes before it', () => {
    const kinds = { at: { type: 'number', pad: 2 }, path: { type: 'path' } } as Kinds
    const template = compile('${name}#${at}##${path}', kinds, '##')
    const values = { name: 'a', at: 0, path: ['a', 'b'] }
    expect(template.render(values)).toBe('a#00##a##b')
    expect(template.match('a#00##a##b')).toEqual(values)
  })

  test('literal text alone is a key', () => {
    const template = compile('PROFILE')
    expect(template.render({})).toBe('PROFILE')
    expect(template.match('PROFILE')).toEqual({})
    expect(template.match('PROFILES')).toBeUndefined()
    expect(template).toMatchObject({ prefix: 'PROFILE', names: [], separator: '#' })
  })

  test('a placeholder gives and takes the value of its attribute', () => {
    const template = compile('USER#${username}')
    expect(template.render({ username: 'alice' })).toBe('USER#alice')
    expect(template.match('USER#alice')).toEqual({ username: 'alice' })
    expect(template.prefix).toBe('USER#')
  })

  test.each(['USER#', 'USER', 'USER#a#b', 'user#a', 'USER#a\n', 'XUSER#a', ''])(
    '%j is the key of no user',
    (text) => {
      expect(compile('USER#${username}').match(text)).toBeUndefined()
    },
  )

  test('without a value of one placeholder there is no key', () => {
    const template = compile('A#${a}#${b}')
    expect(template.render({ a: 'x' })).toBeUndefined()
    expect(template.render({ a: undefined, b: 'x' })).toBeUndefined()
    expect(compile('A#${a}').render({})).toBeUndefined()
  })

  test('inherited members are not values', () => {
    expect(compile('A#${toString}').render({})).toBeUndefined()
    expect(compile('${a}').render(Object.create({ a: 'x' }))).toBeUndefined()
    const template = compile('A#${__proto__}')
    expect(template.render({})).toBeUndefined()
    const match = template.match('A#x')
    expect(Object.hasOwn(match ?? {}, '__proto__')).toBe(true)
    expect(Object.getPrototypeOf(match)).toBe(Object.prototype)
  })

  test('literals may be next to a placeholder and contain separators', () => {
    const template = compile('A##B#v${x}.json#${n:pad(4)}-${y}', { n: { type: 'number' } })
    const key = 'A##B#vu.json#0007-z-1'
    expect(template.render({ x: 'u', n: 7, y: 'z-1' })).toBe(key)
    expect(template.match(key)).toEqual({ x: 'u', n: 7, y: 'z-1' })
    expect(template.match('A##B#v.json#0007-z')).toBeUndefined()
    expect(template.match('A##B#vu.json#007-z')).toBeUndefined()
  })

  test('an attribute at two places has one value', () => {
    const template = compile('${u}#X#${u}')
    expect(template.render({ u: 'a' })).toBe('a#X#a')
    expect(template.match('a#X#a')).toEqual({ u: 'a' })
    expect(template.match('a#X#b')).toBeUndefined()
  })

  test('an attribute at two places is given by the one that loses nothing', () => {
    const template = compile('${u:lower}#${u}')
    expect(template.render({ u: 'Bob' })).toBe('bob#Bob')
    expect(template.match('bob#Bob')).toEqual({ u: 'Bob' })
    expect(template.match('bob#Rob')).toBeUndefined()
    const dates = compile('${d}#${d:desc}', { d: { type: 'date' } })
    const d = new Date(5)
    expect(dates.match(dates.render({ d }) ?? '')).toEqual({ d })
    expect(dates.match(`${d.toISOString()}#000000000000000`)).toBeUndefined()
  })

  test.each(['${', '${id}', '$&', '$`', "$'", '$$', '$1', '%23', '&num;', '＃', '   ', 'aB', 'Ab'])(
    'the value %j stays as it is',
    (id) => {
      const template = compile('USER#${id}#X')
      expect(template.render({ id })).toBe(`USER#${id}#X`)
      expect(template.match(`USER#${id}#X`)).toEqual({ id })
    },
  )

  test('a value can be as long as a key', () => {
    const template = compile('USER#${id}')
    const id = 'x'.repeat(2043)
    expect(template.match(template.render({ id }) ?? '')).toEqual({ id })
    expect(template.match(`USER#${id}x`)).toBeUndefined()
  })

  test('strings that are almost a key are refused in time', () => {
    const template = compile('${a}#${b}#${c}.json#${d}')
    for (const text of ['#', 'a#', 'a', '.json', '.json#']) {
      expect(template.match(text.repeat(1000).slice(0, 2048))).toBeUndefined()
    }
  })
})

describe('values that cannot be in a key', () => {
  test('the error names the attribute, the character, the template and a way out', () => {
    const template = compile('USER#${username}')
    const error = refusal(() => template.render({ username: 'alice#ADMIN' }))
    expect(error.message).toBe(
      [
        'KEY_COMPONENT_INVALID: The value of "username" can\'t be part of a key: "alice#ADMIN" contains the separator "#" (U+0023).',
        '  where:  model "User", key pk, template "USER#${username}"',
        '  fix:    remove it, or declare the attribute with encode: true',
        '  more:   node_modules/singletable/docs/errors.md#key_component_invalid',
      ].join('\n'),
    )
    expect(error).toMatchObject({
      name: 'KeyComponentError',
      issues: [{ path: ['username'] }],
    })
  })

  test.each([
    ['is empty', '', false],
    ['U+0023', 'a#', true],
    ['U+0000', '\0', true],
    ['U+000A', 'a\n', true],
    ['U+001F', '\x1f', true],
    ['U+007F', '\x7f', true],
    ['U+0080', '\x80', true],
    ['U+009F', '\x9f', true],
    ['U+D83D', 'a\ud83d', false],
    ['U+DE00', '\ude00', false],
    ['U+10FFFF', '\u{10ffff}a', false],
    ['is null', null, false],
    ['is a number', 5, false],
    ['is a boolean', true, false],
    ['is a bigint', 5n, false],
    ['is an object', {}, false],
    ['is an array', ['a'], false],
    ['is a symbol', Symbol('a'), false],
    ['is a function', () => 'a', false],
    ['is a Date', new Date(0), false],
  ])('a value that is refused as text: %s', (problem, value, encodeHelps) => {
    for (const source of ['A#${a}', '${a}#B', '${a:lower}']) {
      const { message } = refusal(() => compile(source).render({ a: value }))
      expect(message).toContain(problem)
      expect(message.includes('encode: true')).toBe(encodeHelps)
    }
    const escaped = compile('A#${a}', { a: { encode: true } })
    if (encodeHelps) expect(escaped.match(escaped.render({ a: value }) ?? '')).toEqual({ a: value })
    else refusal(() => escaped.render({ a: value }))
  })

  test.each(['\x20', '~', '\xa0', '\ud7ff', '\ue000', '\uffff', '😀'])('%j is text', (a) => {
    expect(compile('A#${a}').render({ a })).toBe(`A#${a}`)
  })

  test('a value that is not in the enum is refused, and no key has it', () => {
    const template = compile('S#${s}', { s: { values: ['open', 'done'] } })
    expect(template.render({ s: 'open' })).toBe('S#open')
    expect(refusal(() => template.render({ s: 'x' })).message).toContain(
      '"x" is not one of "open", "done"',
    )
    expect(template.match('S#x')).toBeUndefined()
  })

  test('with a separator of several characters, none of these may be at an end', () => {
    const template = compile('${a}::${b}', {}, '::')
    expect(template.render({ a: 'x:y', b: 'z' })).toBe('x:y::z')
    expect(template.match('x:y::z')).toEqual({ a: 'x:y', b: 'z' })
    for (const a of ['x::y', ':x', 'x:', ':']) {
      expect(refusal(() => template.render({ a, b: 'z' })).message).toContain('U+003A')
    }
  })
})

describe('encode: true for text', () => {
  test('escapes what comes before and with "$", and nothing else', () => {
    const template = compile('A#${a}#B', { a: { encode: true } })
    expect(template.render({ a: 'x#y z$\0%é😀\x7f' })).toBe('A#x$Sy$Pz$T$0%é😀\x7f#B')
    expect(template.match('A#x$Sy$Pz$T$0%é😀\x7f#B')).toEqual({ a: 'x#y z$\0%é😀\x7f' })
  })

  test('does not begin with the last code point, with which ranges end', () => {
    const error = refusal(() =>
      compile('A#${a}', { a: { encode: true } }).render({ a: '\u{10ffff}#' }),
    )
    expect(error.message).toContain('U+10FFFF')
    expect(error.message).not.toContain('encode: true')
  })

  test.each(['A#$#B', 'A#$U#B', 'A#$/#B', 'A#a b#B', 'A#\0#B', 'A##B', 'A#\ud800#B'])(
    '%j is not an escaped string',
    (text) => {
      expect(compile('A#${a}#B', { a: { encode: true } }).match(text)).toBeUndefined()
    },
  )

  test.each(['#', '/', ':', '@', '|', '::', '_/', ' ', '`~'])(
    'the separator %j is never in it',
    (separator) => {
      const template = compile(
        `\${a}${separator}\${b}`,
        { a: { encode: true }, b: { encode: true } },
        separator,
      )
      const all = String.fromCharCode(...Array(0x100).keys())
      const key = template.render({ a: all, b: separator }) ?? ''
      expect(key.split(separator)).toHaveLength(2)
      expect(template.match(key)).toEqual({ a: all, b: separator })
    },
  )

  test.each([
    ['${a}#B', '#', true],
    ['A#${a}', '#', true],
    ['A#${a}.json', '#', false],
    ['${a}${n:pad(2)}', '#', false],
    ['${a}/B', '/', false],
    ['${a:lower}#B', '#', false],
  ])('%s with the separator %j promises an order: %s', (source, separator, ordered) => {
    const kinds: Kinds = { a: { encode: true }, n: { type: 'number' } }
    expect(component(compile(source, kinds, separator), 'a')?.ordered).toBe(ordered)
  })

  test('plain text promises no order where more follows, as a blank comes before the separator', () => {
    expect(component(compile('${a}#B'), 'a')?.ordered).toBe(false)
    expect(component(compile('B#${a}'), 'a')?.ordered).toBe(true)
  })
})

describe('numbers', () => {
  const padded: Kinds = { n: { type: 'number', pad: 4 } }

  test('are padded with zeros, by the placeholder or else by the attribute', () => {
    expect(compile('N#${n}', padded).render({ n: 7 })).toBe('N#0007')
    expect(compile('N#${n:pad(6)}', padded).render({ n: 7 })).toBe('N#000007')
    expect(compile('N#${n}', padded).match('N#0007')).toEqual({ n: 7 })
    expect(component(compile('N#${n}', padded), 'n')).toMatchObject({ width: 4, ordered: true })
  })

  test.each([-5, 10_000, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '7', 7n, null, [7]])(
    '%s does not fit into four digits',
    (n) => {
      const { message } = refusal(() => compile('N#${n}', padded).render({ n }))
      expect(message).toContain('not a whole number of at most 4 digits, 0 or more')
      expect(message).toContain('encode: true')
    },
  )

  test.each([0, -0, 9999])('%s fits into four digits', (n) => {
    const template = compile('N#${n}', padded)
    expect(template.match(template.render({ n }) ?? '')).toEqual({ n: n + 0 })
  })

  test.each(['N#007', 'N#00007', 'N#-007', 'N#00x7', 'N# 007', 'N#1e03'])(
    '%j is not a padded number',
    (text) => {
      expect(compile('N#${n}', padded).match(text)).toBeUndefined()
    },
  )

  test('digits beyond safe integers are not a number', () => {
    expect(compile('${n:pad(17)}', padded).match('9'.repeat(17))).toBeUndefined()
    expect(compile('${n:pad(17)}', padded).match('09007199254740991')).toEqual({ n: 2 ** 53 - 1 })
  })

  test.each([
    [0, 'o'],
    [5, 'p4005'],
    [12.5, 'p401125'],
    [-12.5, 'n598874Z'],
    [1e-130, 'p2701'],
    [-9.87e125, 'n474012Z'],
  ])('encode: true writes %d as %s', (n, text) => {
    const template = compile('${n}', { n: { type: 'number', encode: true } })
    expect(template.render({ n })).toBe(text)
    expect(template.match(text)).toEqual({ n })
    const turned = compile('${n:desc}', { n: { type: 'number', encode: true } })
    expect(turned.render({ n: -n })).toBe(text)
    expect(turned.match(text)).toEqual({ n: n === 0 ? 0 : -n })
  })

  test.each([
    '',
    'p',
    'p400',
    'p40050',
    'p40005',
    'n5994',
    'n5994z',
    'p9995',
    'o0',
    'p4005Z',
    'x4005',
    '5',
    'nZ',
  ])('%j is not an encoded number', (text) => {
    const template = compile('N#${n}', { n: { type: 'number', encode: true } })
    expect(template.match(`N#${text}`)).toBeUndefined()
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e126, 1e-131, '5', 5n, null])(
    '%s is not a number to encode',
    (n) => {
      refusal(() => compile('${n}', { n: { type: 'number', encode: true } }).render({ n }))
    },
  )

  test('bigints and decimals are exact', () => {
    const n = 12345678901234567890123456789012345678n
    for (const kind of [{ pad: 38 }, { encode: true }]) {
      const bigints = compile('${n}', { n: { type: 'bigint', ...kind } })
      expect(bigints.match(bigints.render({ n }) ?? '')).toEqual({ n })
      const decimals = compile('${n}', { n: { type: 'decimal', ...kind } })
      expect(decimals.match(decimals.render({ n: String(n) }) ?? '')).toEqual({ n: String(n) })
    }
    const decimals = compile('${n}', { n: { type: 'decimal', encode: true } })
    expect(decimals.match(decimals.render({ n: '-1.50' }) ?? '')).toEqual({ n: '-1.5' })
  })

  test.each([
    ['bigint', 5],
    ['bigint', 10n ** 126n],
    ['bigint', 10n ** 38n + 1n],
    ['decimal', 5],
    ['decimal', 'x'],
    ['decimal', '1e126'],
  ] as const)('as %s %s is refused', (type, n) => {
    refusal(() => compile('${n}', { n: { type, encode: true } }).render({ n }))
  })

  test('a padded decimal is whole', () => {
    const template = compile('${n:pad(4)}', { n: { type: 'decimal' } })
    expect(template.render({ n: '1.2e1' })).toBe('0012')
    refusal(() => template.render({ n: '1.5' }))
    refusal(() => template.render({ n: '-1' }))
  })

  test('desc turns padded numbers around', () => {
    const template = compile('${n:pad(4):desc}', padded)
    expect(template.render({ n: 12 })).toBe('9987')
    expect(template.match('9987')).toEqual({ n: 12 })
    expect(component(template, 'n')).toMatchObject({ descending: true, ordered: true })
  })

  test('encoded numbers order before a separator only if it comes before digits', () => {
    const kinds: Kinds = { n: { type: 'number', encode: true } }
    expect(component(compile('${n}#B', kinds), 'n')?.ordered).toBe(true)
    expect(component(compile('${n}|B', kinds, '|'), 'n')?.ordered).toBe(false)
    expect(component(compile('${n}', kinds, '|'), 'n')?.ordered).toBe(true)
  })
})

describe('booleans, dates and paths', () => {
  test('booleans are written out', () => {
    const template = compile('S#${b}#X', { b: { type: 'boolean' } })
    expect(template.render({ b: false })).toBe('S#false#X')
    expect(template.match('S#true#X')).toEqual({ b: true })
    expect(template.match('S#TRUE#X')).toBeUndefined()
    refusal(() => template.render({ b: 'true' }))
    refusal(() => template.render({ b: 1 }))
  })

  test('dates are ISO strings of one length', () => {
    const template = compile('D#${d}', { d: { type: 'date' } })
    const d = new Date('2024-02-29T01:02:03.004Z')
    expect(template.render({ d })).toBe('D#2024-02-29T01:02:03.004Z')
    expect(template.match('D#2024-02-29T01:02:03.004Z')).toEqual({ d })
  })

  test.each([
    '2024-02-30T00:00:00.000Z',
    '2024-02-29T24:00:00.000Z',
    '2024-02-29T00:00:00.000+',
    '2024-02-29 00:00:00.000Z',
    '+02024-02-29T00:00:00.0Z',
  ])('%s is not a date in a key', (text) => {
    expect(compile('${d}', { d: { type: 'date' } }).match(text)).toBeUndefined()
  })

  test.each(['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'])(
    '%s is at the edge',
    (text) => {
      const d = new Date(text)
      for (const source of ['${d}', '${d:desc}']) {
        const template = compile(source, { d: { type: 'date' } })
        expect(template.match(template.render({ d }) ?? '')).toEqual({ d })
      }
    },
  )

  test.each([
    new Date(Number.NaN),
    new Date('-000001-12-31T23:59:59.999Z'),
    new Date('+010000-01-01T00:00:00.000Z'),
    '2024-02-29T00:00:00.000Z',
    0,
    null,
  ])('%s is refused as a date', (d) => {
    for (const source of ['${d}', '${d:desc}']) {
      refusal(() => compile(source, { d: { type: 'date' } }).render({ d }))
    }
  })

  test('desc counts a date back from the last one', () => {
    const template = compile('${d:desc}', { d: { type: 'date' } })
    expect(template.render({ d: new Date(1) })).toBe('253402300799998')
    expect(template.match('253402300799998')).toEqual({ d: new Date(1) })
    expect(template.match('999999999999999')).toBeUndefined()
    expect(template.match('              1')).toBeUndefined()
  })

  test('a path is one or more segments', () => {
    const template = compile('F#v${p}', { p: { type: 'path' } })
    expect(template.render({ p: ['a', 'b', 'c'] })).toBe('F#va#b#c')
    expect(template.match('F#va#b#c')).toEqual({ p: ['a', 'b', 'c'] })
    expect(template.match('F#va')).toEqual({ p: ['a'] })
    expect(template.match('F#v')).toBeUndefined()
    expect(template.match('F')).toBeUndefined()
    expect(template.match('F#va##c')).toBeUndefined()
  })

  test.each([
    [[]],
    ['a'],
    [['a', '']],
    [['a#b']],
    [['a', 5]],
    [['a', undefined]],
    [null],
    [Array(2)],
  ])('%j is refused as a path', (p) => {
    refusal(() => compile('F#${p}', { p: { type: 'path' } }).render({ p }))
  })

  test('segments of a path are escaped with encode: true', () => {
    const template = compile('${p}', { p: { type: 'path', encode: true } })
    expect(template.render({ p: ['a#b', 'c'] })).toBe('a$Sb#c')
    expect(template.match('a$Sb#c')).toEqual({ p: ['a#b', 'c'] })
  })

  test('lower makes values that differ only in case share a key', () => {
    const template = compile('E#${e:lower}')
    expect(template.render({ e: 'Ann@X.org' })).toBe('E#ann@x.org')
    expect(template.match('E#ann@x.org')).toEqual({ e: 'ann@x.org' })
    expect(template.match('E#Ann@x.org')).toBeUndefined()
    expect(component(template, 'e')?.lossy).toBe(true)
  })
})

describe('templates that cannot be used', () => {
  test.each<[string, Kinds, string]>([
    ['${n}', { n: { type: 'number' } }, '${n:pad(8)}'],
    ['${n}', { n: { type: 'bigint' } }, 'encode: true'],
    ['${n}', { n: { type: 'decimal' } }, 'encode: true'],
    ['${n}', { n: { type: 'number', pad: 0 } }, "can't have pad"],
    ['${n}', { n: { type: 'number', pad: 1.5 } }, "can't have pad"],
    ['${n}', { n: { type: 'bigint', pad: 39 } }, "can't have pad"],
    ['${n:pad(4)}', {}, "can't have pad"],
    ['${n:desc}', {}, "can't have desc"],
    ['${n:desc}', { n: { encode: true } }, "can't have desc"],
    ['${n:desc}', { n: { type: 'boolean' } }, "can't have desc"],
    ['${n:desc}', { n: { type: 'path' } }, "can't have desc"],
    ['${n:lower}', { n: { type: 'number', pad: 4 } }, "can't have lower"],
    ['${n:lower}', { n: { type: 'path' } }, "can't have lower"],
    ['${a}${b}', {}, '${a} and ${b} could give the same key'],
    ['${a}-${b}', {}, 'put the separator "#" between them'],
    ['X#${a}.${n}', { n: { type: 'number', encode: true } }, 'same key'],
    ['${p}#X', { p: { type: 'path' } }, 'not at its end'],
    ['${p}#${p}', { p: { type: 'path' } }, 'not at its end'],
    ['${a}${p}', { p: { type: 'path' } }, 'same key'],
    ['${s}', { s: { values: ['a', 'b#c'] } }, '"s" has the value "b#c" in its enum'],
    ['${s}', { s: { values: [''] } }, 'is empty'],
  ])('%s is refused', (source, kinds, text) => {
    expect(() => compile(source, kinds)).toThrow(DefinitionError)
    expect(() => compile(source, kinds)).toThrow(text)
  })

  test('parts of fixed width need no separator', () => {
    const template = compile('${n:pad(2)}${a}${d}', { n: { type: 'number' }, d: { type: 'date' } })
    const values = { n: 7, a: 'x', d: new Date(0) }
    expect(template.match(template.render(values) ?? '')).toEqual(values)
  })

  test.each(['', 'a', '1', '$', '#$', 'é', '\n', '#'.repeat(9)])(
    '%j is not a separator',
    (separator) => {
      expect(() => compile('A', {}, separator)).toThrow("can't be the separator")
    },
  )

  test.each(['-', ':', '.'])('a date does not go with the separator %j', (separator) => {
    expect(() => compile('${d}', { d: { type: 'date' } }, separator)).toThrow(
      'contains the separator',
    )
    expect(() => compile('${d:desc}', { d: { type: 'date' } }, separator)).not.toThrow()
  })
})
