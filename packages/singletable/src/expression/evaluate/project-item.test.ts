import { describe, expect, it } from 'vitest'
import type { Item } from '../../values/attribute-value.ts'
import { projectItem } from './project-item.ts'

const item: Item = {
  a: { M: { x: { N: '1' }, y: { M: { z: { N: '2' }, w: { N: '3' } } } } },
  l: {
    L: [{ N: '0' }, { N: '1' }, { N: '2' }, { M: { q: { N: '1' }, r: { N: '2' }, s: { N: '3' } } }],
  },
  ll: { L: [{ L: [{ N: '1' }, { N: '2' }] }, { L: [{ N: '3' }] }] },
  s: { S: 'text' },
}

describe('a projection', () => {
  it('gives only what it lists', () => {
    expect(projectItem([['s'], ['none']], item)).toEqual({ s: { S: 'text' } })
    expect(projectItem([['none']], item)).toEqual({})
  })

  it('merges parts of one map and of one list element', () => {
    expect(
      projectItem(
        [['l', 3, 'q'], ['l', 1], ['l', 3, 'r'], ['a', 'y', 'z'], ['l', 0], ['l', 9], ['b']],
        item,
      ),
    ).toEqual({
      l: { L: [{ N: '0' }, { N: '1' }, { M: { q: { N: '1' }, r: { N: '2' } } }] },
      a: { M: { y: { M: { z: { N: '2' } } } } },
    })
  })

  it('gives several elements of one list without gaps in the order of the list', () => {
    expect(
      projectItem(
        [
          ['l', 2],
          ['l', 0],
        ],
        item,
      ),
    ).toEqual({ l: { L: [{ N: '0' }, { N: '2' }] } })
    expect(
      projectItem(
        [
          ['ll', 0, 1],
          ['ll', 1, 0],
          ['ll', 1, 5],
        ],
        item,
      ),
    ).toEqual({
      ll: { L: [{ L: [{ N: '2' }] }, { L: [{ N: '3' }] }] },
    })
    const long: Item = {
      l: { L: Array.from({ length: 12 }, (_, index) => ({ N: String(index) })) },
    }
    expect(
      projectItem(
        [
          ['l', 10],
          ['l', 9],
        ],
        long,
      ),
    ).toEqual({ l: { L: [{ N: '9' }, { N: '10' }] } })
  })

  it('leaves no trace of a path that leads nowhere', () => {
    for (const path of [
      ['a', 'q'],
      ['a', 'q', 'r'],
      ['l', 3, 'none'],
      ['l', 0, 'x'],
      ['s', 0],
      ['a', 0],
      ['l', 'x'],
    ] as const) {
      expect(projectItem([path], item)).toEqual({})
    }
    expect(
      projectItem(
        [
          ['l', 0, 'x'],
          ['l', 3, 'q'],
        ],
        item,
      ),
    ).toEqual({ l: { L: [{ M: { q: { N: '1' } } }] } })
  })

  it('gives an object of its own, also for the maps and lists it takes apart', () => {
    const before = structuredClone(item)
    const projected = projectItem(
      [
        ['a', 'y'],
        ['l', 3],
      ],
      item,
    )
    Object.assign(projected, { added: { S: 'x' } })
    Object.assign(projected.a?.M ?? {}, { added: { S: 'x' } })
    expect(item).toEqual(before)
  })

  it('treats names of prototype members as plain names', () => {
    const odd: Item = JSON.parse(
      '{"__proto__": {"M": {"constructor": {"S": "c"}, "x": {"S": "x"}}}}',
    )
    expect(projectItem([['toString'], ['constructor', 'name']], odd)).toEqual({})
    const projected = projectItem([['__proto__', 'constructor']], odd)
    expect(JSON.stringify(projected)).toBe('{"__proto__":{"M":{"constructor":{"S":"c"}}}}')
    expect(Object.getPrototypeOf(projected)).toBe(Object.prototype)
    expect(JSON.stringify(projectItem([['__proto__']], odd))).toBe(JSON.stringify(odd))
  })
})
