import { describe, expect, it } from 'vitest'
import { equalPaths, PathCollector } from './paths.ts'
import type { Path } from './tree.ts'

function collect(paths: readonly Path[]): Path[] {
  const collector = new PathCollector()
  for (const path of paths) collector.add(path)
  return collector.paths
}

const problem = (value: unknown): unknown => expect.objectContaining({ problem: value })

describe.each([0, 15, 16, 40])('with %i other paths', (count) => {
  const others = Array.from({ length: count }, (_, index): Path => [`x${index}`, 'y'])

  it('siblings are allowed, and equal text of different kinds of steps', () => {
    const paths: Path[] = [['a', 'b'], ['a', 'c'], ['l', 0], ['l', 1, 'b'], ['0'], ['a.b']]
    expect(collect([...paths, ...others])).toHaveLength(paths.length + count)
    expect(collect([...others, ...paths])).toHaveLength(paths.length + count)
  })

  it('a path overlaps itself, its ancestors and its descendants', () => {
    for (const [first, second] of [
      [['a'], ['a']],
      [['a'], ['a', 'b']],
      [
        ['a', 0, 'c'],
        ['a', 0],
      ],
    ] as [Path, Path][]) {
      expect(() => collect([first, ...others, second])).toThrow(
        problem({ kind: 'paths-overlap', one: second, two: first }),
      )
    }
  })

  it('a name and an index in the same place conflict', () => {
    expect(() => collect([['a', 'b', 'c'], ...others, ['a', 'b', 0, 'd']])).toThrow(
      problem({ kind: 'paths-conflict', one: ['a', 'b', 0, 'd'], two: ['a', 'b', 'c'] }),
    )
  })
})

it('paths are equal if all their steps are, and a name is never an index', () => {
  expect(equalPaths(['a', 0], ['a', 0])).toBe(true)
  expect(equalPaths(['a', 0], ['a', '0'])).toBe(false)
  expect(equalPaths(['a'], ['a', 0])).toBe(false)
})
