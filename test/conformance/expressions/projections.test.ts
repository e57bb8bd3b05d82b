import { expect } from 'vitest'
import { conformance } from '../conformance.ts'
import { KEY, tableWith } from '../item-cases.ts'

const N = (number: number) => ({ N: String(number) })
const item = {
  a: N(1),
  b: { S: 'x' },
  m: { M: { x: N(1), y: N(2), deep: { M: { z: N(3) } } } },
  l: { L: [N(0), { M: { p: N(1), q: N(2), r: N(3) } }, { L: [N(4), N(5)] }, N(6)] },
  'a.b': N(7),
}

const projected: [name: string, projection: string, expected: object, names?: object][] = [
  ['one attribute is returned alone, without the keys', 'a', { a: N(1) }],
  ['several attributes are returned', 'a, b , pk', { a: N(1), b: { S: 'x' }, pk: KEY.pk }],
  ['attributes that are not there are left out', 'a, absent', { a: N(1) }],
  ['an item of which nothing is wanted is empty', 'absent', {}],
  ['a member of a map comes inside its map', 'm.x', { m: { M: { x: N(1) } } }],
  [
    'several members of a map come together',
    'm.x, m.deep.z',
    { m: { M: { x: N(1), deep: { M: { z: N(3) } } } } },
  ],
  ['a member that is not there brings no map', 'm.absent', {}],
  ['a member of a number is not there', 'a.x', {}],
  ['an element of a list comes inside a list', 'l[3]', { l: { L: [N(6)] } }],
  ['several elements come in the order of the list', 'l[3], l[0]', { l: { L: [N(0), N(6)] } }],
  [
    'several parts of one element are one element',
    'l[1].r, l[1].p',
    { l: { L: [{ M: { p: N(1), r: N(3) } }] } },
  ],
  ['an element of a list in a list comes inside both', 'l[2][1]', { l: { L: [{ L: [N(5)] }] } }],
  ['an element beyond the end is left out', 'l[9]', {}],
  ['a member of a list is not there', 'l.x', {}],
  ['an element of a map is not there', 'm[0]', {}],
  ['a name with a dot is one name', '#d', { 'a.b': N(7) }, { '#d': 'a.b' }],
  ['names may stand for any step', '#m.#x', { m: { M: { x: N(1) } } }, { '#m': 'm', '#x': 'x' }],
]

const syntax = (token: string, near: string) => `Syntax error; token: "${token}", near: "${near}"`
const overlap = (one: string, two: string) =>
  `Two document paths overlap with each other; must remove or rewrite one of these paths; path one: ${one}, path two: ${two}`
const refused: Record<string, string> = {
  '': 'The expression can not be empty;',
  'a,': syntax('<EOF>', ','),
  ',a': syntax(',', ',a'),
  'a b': syntax('b', 'a b'),
  'a, :v': syntax(':v', ', :v'),
  'size(a)': syntax('(', 'size(a'),
  'a.*': syntax('*', '.*'),
  'a[b]': syntax('b', '[b]'),
  name: 'Attribute name is a reserved keyword; reserved keyword: name',
  '#x': 'An expression attribute name used in the document path is not defined; attribute name: #x',
  'a, a': overlap('[a]', '[a]'),
  'm.x, m': overlap('[m, x]', '[m]'),
  'l[0], l[0].a': overlap('[l, [0]]', '[l, [0], a]'),
  'm.x, m[0]':
    'Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [m, x], path two: [m, [0]]',
}

conformance('Projections', (test) => {
  for (const [name, projection, expected, names] of projected) {
    test(name, async (t) => {
      const TableName = await tableWith(t, item)
      const answer = await t.send('GetItem', {
        TableName,
        Key: KEY,
        ProjectionExpression: projection,
        ExpressionAttributeNames: names,
      })
      expect(answer).toEqual({ Item: expected })
    })
  }

  test('a missing item has no Item', async (t) => {
    const TableName = await t.table()
    const answer = await t.send('GetItem', { TableName, Key: KEY, ProjectionExpression: 'a' })
    expect(answer).toEqual({})
  })

  test('a missing item without a projection has no Item', async (t) => {
    const TableName = await t.table()
    expect(await t.send('GetItem', { TableName, Key: KEY })).toEqual({})
  })

  for (const [text, message] of Object.entries(refused)) {
    test(`the projection ${JSON.stringify(text)} is refused`, async (t) => {
      const TableName = await tableWith(t, item)
      await t.fails(
        'GetItem',
        { TableName, Key: KEY, ProjectionExpression: text },
        'ValidationException',
        `Invalid ProjectionExpression: ${message}`,
      )
    })
  }
})
