import { describe, expect, test } from 'vitest'
import { type Component, createComponent } from './component.ts'
import { compileTemplate, type KeyTemplate } from './key-template.ts'
import { createShard, hashText } from './shard-component.ts'

const kindOf = (name: string) => ({
  type: name === 'n' ? ('number' as const) : ('text' as const),
  encode: true,
})
const by = (name: string): Component =>
  createComponent(name, {
    kindOf,
    separator: '#',
    next: '#',
    source: 'shard',
    where: 'test',
    refuse: (what) => {
      throw new Error(what)
    },
  })
const compile = (source: string, count: number, names: readonly string[]): KeyTemplate =>
  compileTemplate(source, {
    kindOf,
    separator: '#',
    shard: createShard('shard', count, names.map(by), '#'),
    where: 'test',
  })

describe('the hash of shards', () => {
  // Keys of stored items are made of it: these numbers may never change.
  test.each([
    ['', 2_872_998_923],
    ['a', 444_641_715],
    ['user-1', 2_005_895_916],
    ['user-2', 853_201_105],
    ['é中😀', 2_316_845_688],
    ['2026-11-16T05:30:00.000Z', 3_651_909_664],
  ])('of %j is %i for ever', (text, hash) => {
    expect(hashText(text)).toBe(hash)
  })

  test.each([2, 3, 4, 7, 10, 16, 64, 100])('spreads even numbers evenly over %i', (count) => {
    const found = new Map<number, number>()
    const each = 200
    for (let id = 0; id < each * count; id++) {
      const shard = hashText(`id-${id * 2}`) % count
      found.set(shard, (found.get(shard) ?? 0) + 1)
    }
    expect(found.size).toBe(count)
    for (const items of found.values()) {
      expect(items).toBeGreaterThan(each * 0.7)
      expect(items).toBeLessThan(each * 1.3)
    }
  })
})

describe('a shard in a template', () => {
  test('is made of the attributes it names, in as many digits as the last one has', () => {
    const template = compile('LOG#${shard}#${a}', 16, ['a', 'n'])
    expect(template.names).toEqual(['a', 'n'])
    expect(template.recoverable).toEqual(['a'])
    const expected = hashText('x#p4017') % 16
    expect(template.render({ a: 'x', n: 70 })).toBe(`LOG#${String(expected).padStart(2, '0')}#x`)
    expect(compile('${shard}', 1, ['a']).render({ a: 'x' })).toBe('0')
    expect(compile('${shard}', 10, ['a']).render({ a: 'x' })).toHaveLength(1)
    expect(compile('${shard}', 101, ['a']).render({ a: 'x' })).toHaveLength(3)
  })

  test('values that contain the separator are distinguished', () => {
    const template = compile('${shard}', 100, ['a', 'b'])
    const shards = [
      ['x#y', 'z'],
      ['x', 'y#z'],
    ].map(([a, b]) => template.render({ a, b }))
    expect(shards[0]).not.toBe(shards[1])
  })

  test('without one of its values there is no key', () => {
    const template = compile('LOG#${shard}#${a}', 16, ['a', 'n'])
    expect(template.render({ a: 'x' })).toBeUndefined()
    expect(template.render({ a: 'x', n: null })).toBeUndefined()
  })

  test('a value it can not be made of is refused by its name', () => {
    expect(() => compile('${shard}', 4, ['n']).render({ n: 'x' })).toThrow(
      'The value of "n" can\'t be part of a key',
    )
  })

  test('a shard cannot be read from a key, but must be a valid one', () => {
    const template = compile('LOG#${shard}#${a}', 12, ['a', 'n'])
    expect(template.match('LOG#07#x')).toEqual({ a: 'x' })
    expect(template.match('LOG#11#x')).toEqual({ a: 'x' })
    expect(template.match('LOG#12#x')).toBeUndefined()
    expect(template.match('LOG#1 #x')).toBeUndefined()
    expect(template.match('LOG#7#x')).toBeUndefined()
  })
})
