import { describe, expect, test } from 'vitest'
import { DefinitionError } from '../errors/definition-error.ts'
import { parseTemplate } from './parse-template.ts'

const parse = (source: string) => parseTemplate(source, 'model "User", key pk')

describe('parseTemplate', () => {
  test('literals and placeholders come in order, each name once', () => {
    expect(parse('A#${b}-${c}#${b}!')).toEqual({
      source: 'A#${b}-${c}#${b}!',
      parts: [
        'A#',
        { name: 'b', modifiers: [] },
        '-',
        { name: 'c', modifiers: [] },
        '#',
        { name: 'b', modifiers: [] },
        '!',
      ],
      names: ['b', 'c'],
    })
  })

  test.each([
    ['pad(8)', [{ kind: 'pad', width: 8 }]],
    ['pad(38)', [{ kind: 'pad', width: 38 }]],
    ['lower', [{ kind: 'lower' }]],
    ['desc', [{ kind: 'desc' }]],
    ['pad(8):desc', [{ kind: 'pad', width: 8 }, { kind: 'desc' }]],
  ])('the modifier %s is read', (text, modifiers) => {
    expect(parse(`\${n:${text}}`).parts).toEqual([{ name: 'n', modifiers }])
  })

  test.each(['PROFILE', '$', 'a$b', '}', '{x}', '$ {x}', 'é中😀'])(
    '%s is literal text',
    (source) => {
      expect(parse(source)).toEqual({ source, parts: [source], names: [] })
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
    ['A#${b', '"${" at 2 is not closed'],
    ['${a${b}', 'at 0 is not closed'],
    ['${a:upper}', '"upper" of ${a} is no modifier'],
    ['${a:toString}', '"toString" of ${a} is no modifier'],
    ['${a:}', '"" of ${a} is no modifier'],
    ['${a:pad}', '"pad" of ${a} is no modifier'],
    ['${a:pad()}', 'no modifier'],
    ['${a:pad(0)}', 'no modifier'],
    ['${a:pad(39)}', 'no modifier'],
    ['${a:pad(1.5)}', 'no modifier'],
    ['${a:pad(8)x}', 'no modifier'],
    ['${a:lower(2)}', 'no modifier'],
    ['${a:desc:desc}', '"desc" of ${a} is there twice'],
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
