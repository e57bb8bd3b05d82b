import { describe, expect, test } from 'vitest'
import type { InputIssue } from '../errors/input-error.ts'
import type { StandardSchema, Validator } from './schema-definition.ts'
import { checkOf } from './validator.ts'

function check(validator: Validator, value: unknown): { result: unknown; issues: InputIssue[] } {
  const issues: InputIssue[] = []
  return { result: checkOf(validator)(value, issues), issues }
}
const standard = (vendor: string, validate: (value: unknown) => unknown): StandardSchema => ({
  '~standard': { version: 1, vendor, validate },
})

describe('a pattern', () => {
  test('reports what does not match', () => {
    expect(check(/^\d+$/, '12').issues).toEqual([])
    expect(check(/^\d+$/, 'x').issues[0]?.message).toBe('does not match /^\\d+$/')
  })

  test('with the flag g or y looks at each value from its start, and stays as it was', () => {
    const pattern = Object.freeze(/a/g)
    const repeated = checkOf(pattern)
    const issues: InputIssue[] = []
    for (let turn = 0; turn < 3; turn++) repeated('a', issues)
    expect(issues).toEqual([])
    expect(pattern.lastIndex).toBe(0)
  })
})

describe('a function', () => {
  test('accepts with true or undefined', () => {
    expect(check(() => true, 1).issues).toEqual([])
    expect(check(() => undefined, 1).issues).toEqual([])
  })

  test('refuses with false, or with the reason', () => {
    expect(check(() => false, 1).issues[0]?.message).toBe('is refused by its validator')
    expect(check(() => 'is odd', 1).issues[0]?.message).toBe('is odd')
  })

  test('that throws refuses, with the error as cause', () => {
    const error = new RangeError('mine')
    const [issue] = check(() => {
      throw error
    }, 1).issues
    expect(issue).toMatchObject({ message: 'has a validator that threw: mine', cause: error })
  })

  test('that answers later is refused, and its failure does not end the process', async () => {
    const late = (() => Promise.reject(new Error('late'))) as never
    expect(check(late, 1).issues[0]?.message).toContain('asynchronous validator')
    await new Promise((resolve) => setTimeout(resolve, 5))
  })
})

describe('a Standard Schema', () => {
  test('gives the value to store', () => {
    const trim = standard('zod', (value) => ({ value: String(value).trim() }))
    expect(check(trim, ' a ')).toEqual({ result: 'a', issues: [] })
  })

  test('reports issues with their paths, written in either form', () => {
    const schema = standard('valibot', () => ({
      issues: [
        { message: 'is short', path: [{ key: 'tags' }, { key: 0 }] },
        { message: 'is long', path: ['name', 1] },
        { message: 'is wrong' },
      ],
    }))
    expect(check(schema, {}).issues).toEqual([
      { path: ['tags', 0], message: 'is short' },
      { path: ['name', 1], message: 'is long' },
      { path: [], message: 'is wrong' },
    ])
  })

  test('may be a function, as those of arktype are', () => {
    const type = Object.assign(
      () => 'called in the wrong way',
      standard('arktype', (value) => ({ value })),
    )
    expect(check(type as never, 5)).toEqual({ result: 5, issues: [] })
  })

  test('that answers later is refused', () => {
    const schema = standard('zod', (value) => Promise.resolve({ value }))
    expect(check(schema, 5).issues[0]?.message).toContain('asynchronous validator')
  })

  test('that breaks the interface is refused, not trusted', () => {
    expect(
      check(
        standard('none', () => undefined),
        5,
      ).issues,
    ).toHaveLength(1)
  })
})
