import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isOurs, parseOrigin, printOrigin } from './document-origin.ts'

test('the first line of a document says how it was made, whatever its name', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.constantFrom('-->', '<!--', '"} -->', '\n')),
      fc.boolean(),
      (name, isRecorded) => {
        const origin = {
          name,
          ...(isRecorded && { recording: true as const, sample: '2026-11-15' }),
        }
        const line = printOrigin(origin)
        expect(line).not.toContain('\n')
        expect(line.indexOf('-->')).toBe(line.length - 3)
        expect(parseOrigin(`${line}\r\n\r\n# x`)).toEqual(origin)
      },
    ),
  )
})

test.each([
  ['# Mine', false],
  ['<!-- Written by "singletable docs" from the schema: change that, not this file. {} -->', false],
  ['<!-- Written by "singletable docs" from the schema: change that, not this file. x -->', false],
  ['', true],
  ['{\n  "format": "singletable-docs/1",', true],
  ['{"format":"other"}', false],
])('the beginning of a file says whether we made it: %s', (text, expected) => {
  expect(isOurs(text)).toBe(expected)
})
