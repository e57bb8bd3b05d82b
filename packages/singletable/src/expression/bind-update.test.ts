import { expect, it } from 'vitest'
import { bindUpdate } from './bind-update.ts'
import { parseUpdate } from './parse-update.ts'
import { Placeholders } from './placeholders.ts'

it('sections may be in any order, and their actions keep the order of the text', () => {
  const placeholders = new Placeholders({
    names: { '#a': 'a.b', '#p': '__proto__' },
    values: { ':one': { N: '1' }, ':l': { L: [] }, ':s': { SS: ['x'] } },
  })
  const text =
    'DELETE e :s REMOVE f, g[1] ADD #p :one SET #a = (b - :one), c.#p = list_append(if_not_exists(c1, :l), d), h = #a'
  expect(bindUpdate(parseUpdate(text), placeholders)).toEqual({
    set: [
      {
        path: ['a.b'],
        value: {
          kind: 'arithmetic',
          operator: '-',
          left: { kind: 'path', path: ['b'] },
          right: { kind: 'value', value: { N: '1' } },
        },
      },
      {
        path: ['c', '__proto__'],
        value: {
          kind: 'list_append',
          left: {
            kind: 'if_not_exists',
            path: ['c1'],
            otherwise: { kind: 'value', value: { L: [] } },
          },
          right: { kind: 'path', path: ['d'] },
        },
      },
      { path: ['h'], value: { kind: 'path', path: ['a.b'] } },
    ],
    remove: [['f'], ['g', 1]],
    add: [{ path: ['__proto__'], value: { N: '1' } }],
    delete: [{ path: ['e'], value: { SS: ['x'] } }],
  })
})
