import { describe, expect, test } from 'vitest'
import type { ComponentKind } from './component.ts'
import { compileTemplate, type KeyTemplate } from './key-template.ts'
import {
  type BucketUnit,
  bucketNumber,
  bucketStart,
  bucketTime,
  finerUnit,
  prefixTimes,
} from './time-bucket.ts'

const UNITS: readonly BucketUnit[] = ['year', 'month', 'day', 'hour', 'minute']
const compile = (
  source: string,
  type: ComponentKind['type'] = 'date',
  separator = '#',
): KeyTemplate =>
  compileTemplate(source, {
    kindOf: () => ({ type, encode: false }),
    separator,
    where: 'model "Log", key pk',
  })

describe('a time bucket in a template', () => {
  test.each([
    ['year', '2026'],
    ['month', '2026-11'],
    ['day', '2026-11-16'],
    ['hour', '2026-11-16T05'],
    ['minute', '2026-11-16T05:30'],
  ])('%s is printed as %s, in UTC, from each kind of timestamp', (unit, text) => {
    const iso = '2026-11-16T05:30:59.999Z'
    const source = `LOG#\${at:${unit}}`
    for (const [type, value] of [
      ['date', new Date(iso)],
      ['text', iso],
      ['number', Date.parse(iso)],
    ] as const) {
      expect(compile(source, type).render({ at: value })).toBe(`LOG#${text}`)
    }
  })

  test('a key gives the beginning of its bucket, and not the time', () => {
    const template = compile('LOG#${at:month}')
    expect(template.match('LOG#2026-11')).toEqual({ at: new Date('2026-11-01T00:00:00.000Z') })
    expect(template.recoverable).toEqual([])
    expect(template.names).toEqual(['at'])
    expect(compile('${at:hour}', 'text').match('2026-11-16T05')).toEqual({
      at: '2026-11-16T05:00:00.000Z',
    })
    expect(compile('${at:day}', 'number').match('1970-01-02')).toEqual({ at: 86_400_000 })
    expect(compile('${at:day}#${at}').recoverable).toEqual(['at'])
  })

  test.each(['LOG#2026-13', 'LOG#2026-1x', 'LOG#2026-11-01', 'LOG#'])(
    '%s is not a key of months',
    (text) => {
      expect(compile('LOG#${at:month}').match(text)).toBeUndefined()
    },
  )

  test.each([
    '2026',
    '2026-11',
    '2026-11-16T05',
    '2026-11-16T05:30',
    '2026-11-16T05:30:00',
    '2026-11-16T05:30:00+01:00',
    '2026-02-30',
    '2026-11-16T24:00Z',
    '16.11.2026',
    '',
  ])('%j is refused where the hour is asked for', (at) => {
    expect(() => compile('${at:hour}', 'text').render({ at })).toThrow(
      ' is a string, not an ISO text in UTC down to the hour',
    )
  })

  test.each(['2026-11-16T05:30Z', '2026-11-16T05:30:00Z', '2026-11-16T05:30:00.123456Z'])(
    '%j has an hour',
    (at) => {
      expect(compile('${at:hour}', 'text').render({ at })).toBe('2026-11-16T05')
    },
  )

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 8.64e15])('%s is not a time', (at) => {
    expect(() => compile('${at:day}', 'number').render({ at })).toThrow('KEY_COMPONENT_INVALID')
    expect(() => compile('${at:day}').render({ at: new Date(at) })).toThrow('KEY_COMPONENT_INVALID')
  })

  test.each([
    ['${at:day:desc}', 'date', '#', '"at" has day and more modifiers'],
    ['${at:day:month}', 'date', '#', '"at" has day and more modifiers'],
    ['${at:week}', 'date', '#', 'has the modifier "week", which does not exist'],
    ['${at:day}', 'boolean', '#', '"at" can\'t have day'],
    ['${at:day}', 'bigint', '#', '"at" can\'t have day'],
    ['${at:day}', 'date', '-', 'its text in a key contains the separator'],
    ['${at:minute}', 'date', ':', 'its text in a key contains the separator'],
  ] as const)('%s of kind %s with the separator %s is refused', (source, type, separator, text) => {
    expect(() => compile(source, type, separator)).toThrow(text)
  })

  test('a separator that only finer buckets contain is allowed', () => {
    expect(compile('A:${at:day}', 'date', ':').render({ at: new Date(0) })).toBe('A:1970-01-01')
  })
})

describe('the numbers of buckets', () => {
  const times = [
    '0000-01-01T00:00:00.000Z',
    '0099-03-01T00:00:00.000Z',
    '1969-12-31T23:59:59.999Z',
    '1970-01-01T00:00:00.000Z',
    '2024-02-29T12:00:00.000Z',
    '2026-12-31T23:59:59.999Z',
    '9999-12-31T23:59:59.999Z',
  ]
  test.each(UNITS)('count %ss without a gap', (unit) => {
    for (const time of times) {
      const ms = Date.parse(time)
      const number = bucketNumber(ms, unit)
      expect(bucketStart(number, unit)).toBeLessThanOrEqual(ms)
      expect(bucketStart(number + 1, unit)).toBeGreaterThan(ms)
      expect(bucketNumber(bucketStart(number, unit), unit)).toBe(number)
      expect(bucketNumber(bucketStart(number, unit) - 1, unit)).toBe(number - 1)
    }
  })

  test('the finer unit is the one with the longer text', () => {
    expect(finerUnit(undefined, 'day')).toBe('day')
    expect(finerUnit('day', 'month')).toBe('day')
    expect(finerUnit('month', 'minute')).toBe('minute')
  })

  test.each([
    ['2026', '2026-01-01T00:00:00.000Z'],
    ['2026-11', '2026-11-01T00:00:00.000Z'],
    ['2026-11-16', '2026-11-16T00:00:00.000Z'],
    ['2026-11-16T05', '2026-11-16T05:00:00.000Z'],
    ['2026-11-16T05:30Z', '2026-11-16T05:30:00.000Z'],
    ['2026-11-16T05:30:07Z', '2026-11-16T05:30:07.000Z'],
    ['2026-11-16T05:30:07.12Z', '2026-11-16T05:30:07.120Z'],
    ['2026-11-16T05:30:07.1239Z', '2026-11-16T05:30:07.123Z'],
  ])('the bound %s is the time %s', (bound, time) => {
    expect(bucketTime(bound)).toBe(Date.parse(time))
  })

  test.each([
    ['2026', '2026-01-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
    ['2026-1', '2026-01-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
    ['2024-02', '2024-02-01T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
    ['2024-02-2', '2024-02-01T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
    ['2026-12-31', '2026-12-31T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
    ['2026-11-16T05', '2026-11-16T05:00:00.000Z', '2026-11-16T05:59:59.999Z'],
    ['2026-11-16T05:30:07', '2026-11-16T05:30:00.000Z', '2026-11-16T05:30:59.999Z'],
  ])('strings that begin with %s are times from %s to %s', (prefix, first, last) => {
    expect(prefixTimes(prefix)?.map((ms) => new Date(ms).toISOString())).toEqual([first, last])
  })

  test.each(['', '202', 'x', '2026-13'])('a string that begins with %j is not a time', (prefix) => {
    expect(prefixTimes(prefix)).toBeUndefined()
  })
})
