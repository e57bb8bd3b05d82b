import { describe, expect, it } from 'vitest'
import { updateMessage } from '../../engine/messages/update-messages.ts'
import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import type { Path, Update, UpdateValue } from '../tree.ts'
import { applyUpdate, UpdateError } from './apply-update.ts'
import { updatedAttributes } from './updated-attributes.ts'

const update = (parts: Partial<Update>): Update => ({
  set: [],
  remove: [],
  add: [],
  delete: [],
  ...parts,
})
const at = (...path: Path): UpdateValue => ({ kind: 'path', path })
const value = (content: AttributeValue): UpdateValue => ({ kind: 'value', value: content })
const n = (number: number): AttributeValue => ({ N: String(number) })
const list = (...numbers: number[]): AttributeValue => ({ L: numbers.map(n) })
const set = (path: Path, content: AttributeValue | UpdateValue) => ({
  path,
  value: 'kind' in content ? (content as UpdateValue) : value(content),
})
const plus = (left: UpdateValue, right: UpdateValue): UpdateValue => ({
  kind: 'arithmetic',
  operator: '+',
  left,
  right,
})
const append = (left: UpdateValue, right: UpdateValue): UpdateValue => ({
  kind: 'list_append',
  left,
  right,
})
const ifNotExists = (path: Path, otherwise: UpdateValue): UpdateValue => ({
  kind: 'if_not_exists',
  path,
  otherwise,
})

function problemOf(parts: Partial<Update>, item: Item): string {
  const before = structuredClone(item)
  try {
    applyUpdate(update(parts), item)
  } catch (error) {
    expect(item).toEqual(before)
    if (error instanceof UpdateError) return error.problem
    throw error
  }
  return 'none'
}

describe('SET', () => {
  it('reads everything from the item as it was before', () => {
    const swap = update({ set: [set(['a'], at('b')), set(['b'], at('a'))], remove: [['c']] })
    expect(applyUpdate(swap, { a: n(1), b: n(2), c: n(3) })).toEqual({ a: n(2), b: n(1) })
    const move = update({ set: [set(['b'], at('a'))], remove: [['a']] })
    expect(applyUpdate(move, { a: n(1) })).toEqual({ b: n(1) })
    const copyOfParent = update({ set: [set(['m', 'y'], at('m', 'x')), set(['m', 'z'], at('m'))] })
    expect(applyUpdate(copyOfParent, { m: { M: { x: n(1) } } })).toEqual({
      m: { M: { x: n(1), y: n(1), z: { M: { x: n(1) } } } },
    })
  })

  it('replaces list elements, and appends those beyond the end in ascending order without gaps', () => {
    const item = { l: list(0, 1, 2) }
    expect(applyUpdate(update({ set: [set(['l', 1], n(9))] }), item)).toEqual({ l: list(0, 9, 2) })
    const beyond = update({
      set: [set(['l', 10], n(10)), set(['l', 5], n(5)), set(['l', 0], n(7))],
    })
    expect(applyUpdate(beyond, item)).toEqual({ l: list(7, 1, 2, 5, 10) })
    expect(applyUpdate(update({ set: [set(['l', 0], n(1))] }), { l: list() })).toEqual({
      l: list(1),
    })
    const mixed = update({ set: [set(['l', 9], n(9))], add: [{ path: ['l', 3], value: n(4) }] })
    expect(applyUpdate(mixed, item)).toEqual({ l: list(0, 1, 2, 4, 9) })
  })

  it('computes sums, differences, joined lists and defaults', () => {
    const item: Item = { a: n(5), l: list(1) }
    const minus: UpdateValue = {
      kind: 'arithmetic',
      operator: '-',
      left: at('a'),
      right: value(n(7)),
    }
    const result = applyUpdate(
      update({
        set: [
          set(['sum'], plus(at('a'), value({ N: '0.1' }))),
          set(['difference'], minus),
          set(['joined'], append(at('l'), value(list(2, 3)))),
          set(['present'], ifNotExists(['a'], value(n(0)))),
          set(['absent'], ifNotExists(['none', 'x'], value(n(0)))),
        ],
      }),
      item,
    )
    expect(result).toEqual({
      ...item,
      sum: { N: '5.1' },
      difference: n(-2),
      joined: list(1, 2, 3),
      present: n(5),
      absent: n(0),
    })
  })

  it('writes names like __proto__ as own ones, at the top and in maps', () => {
    const item: Item = { m: { M: {} } }
    const result = applyUpdate(
      update({ set: [set(['__proto__'], n(1)), set(['m', '__proto__'], n(2))] }),
      item,
    )
    expect(JSON.stringify(result)).toBe('{"m":{"M":{"__proto__":{"N":"2"}}},"__proto__":{"N":"1"}}')
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype)
    const removed = applyUpdate(update({ remove: [['__proto__'], ['toString']] }), result)
    expect(JSON.stringify(removed)).toBe('{"m":{"M":{"__proto__":{"N":"2"}}}}')
  })
})

describe('REMOVE', () => {
  it('means the positions the list had before, and shifts what is left', () => {
    const item = { l: list(0, 1, 2) }
    expect(
      applyUpdate(
        update({
          remove: [
            ['l', 0],
            ['l', 2],
            ['l', 9],
          ],
        }),
        item,
      ),
    ).toEqual({ l: list(1) })
    const both = update({ set: [set(['l', 2], n(7)), set(['l', 8], n(8))], remove: [['l', 0]] })
    expect(applyUpdate(both, item)).toEqual({ l: list(1, 7, 8) })
  })

  it('leaves an empty list or map when it takes the last child', () => {
    const item: Item = { l: list(1), m: { M: { x: n(1) } } }
    expect(
      applyUpdate(
        update({
          remove: [
            ['l', 0],
            ['m', 'x'],
          ],
        }),
        item,
      ),
    ).toEqual({ l: list(), m: { M: {} } })
  })

  it('of a missing leaf changes nothing', () => {
    const item: Item = { l: list(1), m: { M: {} } }
    expect(applyUpdate(update({ remove: [['none'], ['l', 5], ['m', 'x']] }), item)).toEqual(item)
  })

  it('of a path into nothing is an error, but not on an item that does not exist', () => {
    expect(problemOf({ remove: [['none', 'x']] }, {})).toBe('invalid-path')
    const parts = update({
      set: [set(['a'], n(1))],
      remove: [
        ['none', 'x'],
        ['none', 1],
      ],
    })
    expect(applyUpdate(parts, { pk: n(0) }, { exists: false })).toEqual({ pk: n(0), a: n(1) })
  })
})

describe('ADD and DELETE', () => {
  const add = (path: Path, content: AttributeValue) => update({ add: [{ path, value: content }] })
  const remove = (path: Path, content: AttributeValue) =>
    update({ delete: [{ path, value: content }] })

  it('ADD adds numbers, and counts a missing one as zero', () => {
    expect(applyUpdate(add(['a'], n(2)), { a: n(1) })).toEqual({ a: n(3) })
    expect(applyUpdate(add(['a'], n(2)), {})).toEqual({ a: n(2) })
    expect(applyUpdate(add(['m', 'a'], n(2)), { m: { M: { a: n(1) } } })).toEqual({
      m: { M: { a: n(3) } },
    })
  })

  it('ADD joins sets without duplicates', () => {
    expect(applyUpdate(add(['s'], { SS: ['b', 'c'] }), { s: { SS: ['a', 'b'] } })).toEqual({
      s: { SS: ['a', 'b', 'c'] },
    })
    expect(applyUpdate(add(['s'], { NS: ['2'] }), { s: { NS: ['1'] } })).toEqual({
      s: { NS: ['1', '2'] },
    })
    expect(applyUpdate(add(['s'], { BS: ['AQ=='] }), {})).toEqual({ s: { BS: ['AQ=='] } })
  })

  it('DELETE takes elements away and an emptied set with them', () => {
    expect(applyUpdate(remove(['s'], { SS: ['b', 'z'] }), { s: { SS: ['a', 'b'] } })).toEqual({
      s: { SS: ['a'] },
    })
    expect(applyUpdate(remove(['s'], { NS: ['1'] }), { s: { NS: ['1'] } })).toEqual({})
    expect(
      applyUpdate(remove(['l', 0], { SS: ['a'] }), { l: { L: [{ SS: ['a'] }, n(2)] } }),
    ).toEqual({ l: list(2) })
    expect(applyUpdate(remove(['s'], { SS: ['b'] }), { t: n(1) })).toEqual({ t: n(1) })
  })

  it('refuse a value of another type in the item', () => {
    expect(problemOf(add(['a'], n(1)), { a: { S: '1' } })).toBe('operand-type')
    expect(problemOf(add(['a'], { SS: ['a'] }), { a: { NS: ['1'] } })).toBe('operand-type')
    expect(problemOf(remove(['a'], { SS: ['a'] }), { a: { NS: ['1'] } })).toBe('operand-type')
    expect(problemOf(remove(['a'], { SS: ['a'] }), { a: { S: 'a' } })).toBe('operand-type')
  })
})

describe('an update that cannot be applied', () => {
  const item: Item = { s: { S: 'x' }, l: list(1), m: { M: {} }, big: { N: `1${'0'.repeat(50)}` } }

  it('reads a missing attribute', () => {
    for (const read of [
      at('none'),
      at('s', 'x'),
      at('l', 1),
      plus(at('none'), at('s')),
      append(at('none'), at('s')),
    ]) {
      expect(problemOf({ set: [set(['a'], read)] }, item)).toBe('missing-attribute')
    }
  })

  it('reads a missing default even where it is not needed', () => {
    expect(problemOf({ set: [set(['a'], ifNotExists(['s'], at('none')))] }, item)).toBe(
      'missing-attribute',
    )
  })

  it('computes with a wrong type, which the left operand shows first', () => {
    for (const read of [
      plus(at('s'), at('none')),
      append(at('s'), at('none')),
      plus(value(n(1)), at('l')),
    ]) {
      expect(problemOf({ set: [set(['a'], read)] }, item)).toBe('operand-type')
    }
  })

  it('writes where nothing can be', () => {
    for (const path of [
      ['none', 'x'],
      ['s', 'x'],
      ['l', 'x'],
      ['m', 0],
      ['l', 1, 0],
      ['m', 'x', 'y'],
    ] as const) {
      expect(problemOf({ set: [set(path, n(1))] }, item)).toBe('invalid-path')
      expect(problemOf({ remove: [path] }, item)).toBe('invalid-path')
      expect(problemOf({ add: [{ path, value: n(1) }] }, item)).toBe('invalid-path')
      expect(problemOf({ delete: [{ path, value: { SS: ['a'] } }] }, item)).toBe('invalid-path')
    }
  })

  it('has a bad path rather than a bad value when it has both', () => {
    expect(problemOf({ set: [set(['none', 'x'], at('none'))] }, item)).toBe('invalid-path')
  })

  it('nests deeper than 32 levels, where even an empty list counts the level of its elements', () => {
    const nested = (lists: number, inner: AttributeValue): AttributeValue => {
      let result = inner
      for (let count = 0; count < lists; count++) result = { L: [result] }
      return result
    }
    const problem = (content: AttributeValue) =>
      problemOf({ set: [set(['m', 'x'], content)] }, item)
    expect(problem(nested(29, list()))).toBe('none')
    expect(problem(nested(30, n(1)))).toBe('none')
    expect(problem(nested(30, list()))).toBe('nesting')
    expect(problem(nested(30, { M: {} }))).toBe('nesting')
    expect(problem(nested(31, n(1)))).toBe('nesting')
  })

  it('stops an item from being nested into itself without end', () => {
    let growing: Item = { m: { M: {} } }
    const grow = update({ set: [set(['m', 'x'], at('m'))] })
    let steps = 0
    expect(() => {
      for (; steps < 100; steps++) growing = applyUpdate(grow, growing)
    }).toThrow(UpdateError)
    expect(steps).toBe(30)
  })

  it('has a result with too many digits, which AWS calls an overflow', () => {
    expect(problemOf({ set: [set(['a'], plus(at('big'), value(n(1))))] }, item)).toBe(
      'number-out-of-range',
    )
    expect(problemOf({ add: [{ path: ['big'], value: n(1) }] }, item)).toBe('number-out-of-range')
    expect(updateMessage('number-out-of-range')).toMatch(/^Number overflow\./)
  })
})

describe('an update that makes more than an item has room for', () => {
  const long = { L: Array.from({ length: 90_000 }, () => n(1)) }

  it('is refused before it has copied its lists hundreds of times', () => {
    let appended = at('l')
    for (let count = 0; count < 270; count++) appended = append(appended, at('l'))
    expect(problemOf({ set: [set(['a'], appended)] }, { l: long })).toBe('item-size')
    const sets = Array.from({ length: 160 }, (_, n) => set([`a${n}`], append(at('l'), at('l'))))
    expect(problemOf({ set: sets }, { l: long })).toBe('item-size')
    expect(updateMessage('item-size')).toMatch(/^Item size to update/)
  })

  it('takes four lists of 90,000 elements, which are more than 400 KB, but not more elements', () => {
    const sets = Array.from({ length: 3 }, (_, n) => set([`a${n}`], at('l')))
    expect(Object.keys(applyUpdate(update({ set: sets }), { l: long }))).toHaveLength(4)
  })
})

describe('updated attributes', () => {
  const item: Item = { a: { M: { b: { S: 'dog' }, c: list(1, 2, 3) } }, d: { S: 'cat' } }
  const both = (parts: Partial<Update>) => {
    const whole = update(parts)
    return {
      old: updatedAttributes(whole, item),
      new: updatedAttributes(whole, applyUpdate(whole, item)),
    }
  }

  it('are only the nested parts that were written', () => {
    expect(both({ set: [set(['a', 'c', 1], n(7)), set(['a', 'b'], n(8))] })).toEqual({
      old: { a: { M: { c: list(2), b: { S: 'dog' } } } },
      new: { a: { M: { c: list(7), b: n(8) } } },
    })
  })

  it('do not hold what was not there before or is gone after', () => {
    expect(both({ set: [set(['a', 'x'], n(1))], remove: [['d']] })).toEqual({
      old: { d: { S: 'cat' } },
      new: { a: { M: { x: n(1) } } },
    })
  })

  it('do not hold an element appended beyond the end, but the one that took a removed position', () => {
    expect(both({ set: [set(['a', 'c', 100], n(1))] })).toEqual({ old: {}, new: {} })
    expect(both({ remove: [['a', 'c', 1]] })).toEqual({
      old: { a: { M: { c: list(2) } } },
      new: { a: { M: { c: list(3) } } },
    })
  })
})
