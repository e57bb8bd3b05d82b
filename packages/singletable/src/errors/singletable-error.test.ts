import { inspect } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import { assert } from './assert.ts'
import { SingletableError } from './singletable-error.ts'

const parts = { what: 'The engine is closed.', where: 'send()', fix: 'open another one' }

describe('SingletableError', () => {
  test('the message says what, where, how to fix it and where to read more', () => {
    const error = new SingletableError('ENGINE_CLOSED', parts)
    expect(error.code).toBe('ENGINE_CLOSED')
    expect(error.name).toBe('SingletableError')
    expect(error.message).toBe(
      [
        'ENGINE_CLOSED: The engine is closed.',
        '  where:  send()',
        '  fix:    open another one',
        '  more:   node_modules/singletable/docs/errors.md#engine_closed',
      ].join('\n'),
    )
  })

  test('its parts can be read, and are not logged again below the message', () => {
    const error = new SingletableError('ENGINE_CLOSED', { ...parts, tried: 'again' })
    const { what, where, tried, fix } = error
    expect({ what, where, tried, fix }).toEqual({ ...parts, tried: 'again' })
    expect(inspect(error)).not.toContain('what:')
  })

  test('the cause is kept, and absent when there is none', () => {
    const cause = new Error('disk')
    expect(new SingletableError('ENGINE_CLOSED', parts, { cause }).cause).toBe(cause)
    expect('cause' in new SingletableError('ENGINE_CLOSED', parts)).toBe(false)
  })

  test('is() recognises errors of ours, also those of another copy of the package', async () => {
    vi.resetModules()
    const copy = await import('./singletable-error.ts')
    const foreign = new copy.SingletableError('ENGINE_CLOSED', parts)
    expect(foreign instanceof SingletableError).toBe(false)
    expect(SingletableError.is(foreign)).toBe(true)
    expect(SingletableError.is(new SingletableError('ENGINE_CLOSED', parts))).toBe(true)
  })

  test.each([
    [new Error('ENGINE_CLOSED')],
    [{ code: 'ENGINE_CLOSED' }],
    [null],
    [undefined],
    ['x'],
  ])('is() refuses %s', (value) => {
    expect(SingletableError.is(value)).toBe(false)
  })
})

describe('assert', () => {
  test('a condition that holds passes', () => {
    expect(() => assert(1, 'one is true')).not.toThrow()
  })

  test('a condition that does not hold throws the reason and asks for a report', () => {
    expect(() => assert(false, 'a leaf has keys')).toThrow(/^a leaf has keys\n.*bug.*report/)
  })
})
