import { describe, expect, it } from 'vitest'
import { bindCondition } from './bind-condition.ts'
import { bindProjection } from './bind-projection.ts'
import { parseCondition } from './parse-condition.ts'
import { parseProjection } from './parse-projection.ts'
import { Placeholders } from './placeholders.ts'

describe('unused placeholders', () => {
  it('are those that none of the expressions of a request has used', () => {
    const placeholders = new Placeholders({
      names: { '#z': 'x', '#a': 'y', '#m': 'z' },
      values: { ':z': { N: '1' }, ':a': { N: '2' } },
    })
    expect(placeholders.unused().names).toEqual(['#z', '#a', '#m'])
    bindCondition(parseCondition('#a = :a'), placeholders)
    expect(placeholders.unused().names).toEqual(['#z', '#m'])
    expect(placeholders.unused().values).toEqual([':z'])
    bindProjection(parseProjection('b.#z, #m'), placeholders)
    expect(placeholders.unused().names).toEqual([])
  })

  it('are none where none are given', () => {
    const placeholders = new Placeholders({})
    expect(placeholders.unused().names).toEqual([])
    expect(placeholders.unused().values).toEqual([])
  })
})

it('a placeholder is never found on the prototype of the given map', () => {
  const names: Record<string, string> = Object.create({ '#a': 'inherited' })
  const placeholders = new Placeholders({ names })
  expect(() => bindProjection(parseProjection('#a'), placeholders)).toThrow(
    expect.objectContaining({ problem: { kind: 'undefined-name', name: '#a' } }),
  )
})

it('a placeholder stands for one whole name, dots and all', () => {
  const placeholders = new Placeholders({ names: { '#a': 'x.y[0]' } })
  expect(bindProjection(parseProjection('#a.b'), placeholders)).toEqual([['x.y[0]', 'b']])
})
