import { describe, expect, test } from 'vitest'
import { DefinitionError } from '../errors/definition-error.ts'
import type { ComponentKind } from './component.ts'
import { compileTemplate, type KeyTemplate } from './key-template.ts'

const parse = (source: string, type: ComponentKind['type'] = 'text'): KeyTemplate =>
  compileTemplate(source, {
    kindOf: () => ({ type, encode: false }),
    separator: '#',
    where: 'model "User", key pk',
  })

describe('the text of a template', () => {
  test('literals and placeholders come in order, each name once', () => {
    const { parts, names } = parse('A#${b}-!#${c}#${b}!')
    expect(parts.map((part) => (typeof part === 'string' ? part : part.name))).toEqual([
      'A#',
      'b',
      '-!#',
      'c',
      '#',
      'b',
      '!',
    ])
    expect(names).toEqual(['b', 'c'])
  })

  test.each([
    ['pad(8)', { width: 8 }],
    ['pad(38)', { width: 38 }],
    ['pad(8):desc', { width: 8, descending: true }],
    ['desc:pad(8)', { width: 8, descending: true }],
  ])('the modifier %s is read', (text, component) => {
    expect(parse(`\${n:${text}}`, 'number').parts).toMatchObject([{ name: 'n', ...component }])
  })

  test.each(['PROFILE', '$', 'a$b', '}', '{x}', '$ {x}', 'é中😀'])(
    '%s is literal text',
    (source) => {
      expect(parse(source)).toMatchObject({ source, parts: [source], names: [] })
    },
  )

  test.each(['__proto__', 'toString', 'a b', 'ü', 'a.b'])(
    '%s can be the name of an attribute',
    (name) => {
      expect(parse(`\${${name}}`).names).toEqual([name])
    },
  )

  test.each([
    ['', 'it is empty'],
    ['${}', 'no name'],
    ['${:lower}', 'no name'],
    ['A#${b', 'a "${" that is not closed'],
    ['${a${b}', 'a "${" that is not closed'],
    ['${a:upper}', '"a" has the modifier "upper", which does not exist'],
    ['${a:toString}', '"a" has the modifier "toString", which does not exist'],
    ['${a:}', '"a" has the modifier "", which does not exist'],
    ['${a:pad}', '"a" has the modifier "pad", which does not exist'],
    ['${a:pad()}', 'which does not exist'],
    ['${a:pad(0)}', "can't have pad"],
    ['${a:pad(39)}', "can't have pad"],
    ['${a:pad(1.5)}', 'which does not exist'],
    ['${a:pad(8)x}', 'which does not exist'],
    ['${a:lower(2)}', 'which does not exist'],
    ['${a:desc:desc}', '"desc", which does not exist or is repeated'],
    ['A\n${b}', 'control character'],
    ['\ud800', 'half a surrogate pair'],
    ['x'.repeat(2049), 'longer than a key'],
  ])('%j is refused', (source, problem) => {
    let error: unknown
    try {
      parse(source)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(DefinitionError)
    expect(error).toMatchObject({ code: 'TEMPLATE_INVALID' })
    expect(String(error)).toContain(problem)
    expect(String(error)).toMatch(/\n {2}where: {2}model "User", key pk\n {2}fix: {4}\S/)
  })

  test('a template as long as a key can be is read', () => {
    expect(parse('x'.repeat(2048)).parts).toHaveLength(1)
  })
})
