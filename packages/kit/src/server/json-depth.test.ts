import { describe, expect, test } from 'vitest'
import { isDeeperThan } from './json-depth.ts'

const deeper = (text: string, depthMax: number): boolean =>
  isDeeperThan(Buffer.from(text), depthMax)
const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

describe('isDeeperThan', () => {
  test.each([9, 10])('%i levels are not deeper than 10', (depth) => {
    expect(deeper(lists(depth), 10)).toBe(false)
  })
  test('11 levels are deeper than 10', () => {
    expect(deeper(lists(11), 10)).toBe(true)
  })
  test('levels that are closed again do not add up', () => {
    expect(deeper(`[${`${lists(9)},`.repeat(50)}1]`, 10)).toBe(false)
  })
  test('objects and lists count alike', () => {
    expect(deeper(`${'{"a":['.repeat(6)}`, 11)).toBe(true)
    expect(deeper(`${'{"a":['.repeat(5)}`, 11)).toBe(false)
  })
  test.each(['"[[[[[[[["', '"\\"[[[[[[["', '"\\\\","[[[["', '"a\\'])('%s has no level', (text) => {
    expect(deeper(text, 2)).toBe(false)
  })
  test('a backslash before the closing quote does not hide what follows', () => {
    expect(deeper('["\\\\",[[[', 2)).toBe(true)
  })
})
