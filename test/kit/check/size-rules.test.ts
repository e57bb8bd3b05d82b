import type { Item } from 'singletable/tools'
import { describe, expect, test } from 'vitest'
import type { Design } from '../../../packages/kit/src/check/design/design.ts'
import type { Notice } from '../../../packages/kit/src/check/rules/rule.ts'
import { SIZE_RULES } from '../../../packages/kit/src/check/rules/size-rules.ts'
import { devices, SIZE_FIXTURES } from './fixtures/size-fixtures.ts'

function noticesOf(code: string, design: Design): readonly Notice[] {
  return [...(SIZE_RULES.find((each) => each.code === code)?.check(design) ?? [])]
}

function messagesOf(code: string, design: Design): readonly string[] {
  return noticesOf(code, design).map(({ message }) => message)
}

describe.each(SIZE_FIXTURES)('$code', ({ code, fires, messages, silent }) => {
  test('reports the fault', () => {
    expect(messagesOf(code, fires())).toEqual(messages)
  })

  test('says nothing about its near neighbour', () => {
    expect(messagesOf(code, silent())).toEqual([])
  })
})

const text = { type: String, required: true } as const
const ON = { deviceId: text, on: { type: Boolean, required: true } } as const
const readingKey = { pk: 'DEVICE#${deviceId}', sk: 'READING#${at}' } as const

describe('S01, a collection without bound', () => {
  const attributes = { deviceId: text, at: { type: Date, required: true } } as const

  test.each([
    ['a declared bound', { stats: { growth: 'bounded' } }],
    ['the most that a parent has', { stats: { perPartition: { max: 500 } } }],
    ['a shard', { key: { ...readingKey, pk: 'DEVICE#${deviceId}#${shard}' }, shard: { count: 4 } }],
    ['a time to live', { attributes: { ...attributes, expiresAt: { type: Date, ttl: true } } }],
    ['one item in each partition', { key: { pk: 'READING#${deviceId}#${at}', sk: 'READING' } }],
    ['a few values', { key: { ...readingKey, sk: 'IS#${on}' }, attributes: ON }],
  ] as const)('is none with %s', (_, reading) => {
    expect(messagesOf('S01', devices({ reading }))).toEqual([])
  })

  test('is a warning where items come with time or growth is declared, and else information', () => {
    const sensors = {
      key: { pk: 'DEVICE#${deviceId}', sk: 'SENSOR#${sensor}' },
      attributes: { deviceId: text, sensor: text },
    } as const
    expect(noticesOf('S01', devices({}))).toMatchObject([{ severity: 'warning' }])
    expect(noticesOf('S01', devices({ reading: sensors }))).toMatchObject([
      {
        severity: 'info',
        message:
          'Device\'s partition "DEVICE#${deviceId}" collects Reading and no bound is declared.',
      },
    ])
    const growing = { ...sensors, stats: { growth: 'unbounded' } } as const
    expect(noticesOf('S01', devices({ reading: growing }))).toMatchObject([
      { severity: 'warning', message: expect.stringContaining('collects Reading without bound;') },
    ])
  })

  test('is not looked for in a model without a key', () => {
    const design = devices({ reading: { key: { ...readingKey, sk: 'READING#${at}#${typo}' } } })
    expect(design.issues).toHaveLength(1)
    expect(messagesOf('S01', design)).toEqual([])
  })

  test('names the bucket that its own time would make', () => {
    expect(noticesOf('S01', devices({}))[0]?.fix).toBe(
      "divide it by a bucket such as ${at:month} or a shard, give Reading a time to live, or declare its bound in stats: { growth: 'bounded' } or { perPartition: { max } }",
    )
  })
})

describe('S02, the limit of a local index', () => {
  const index = { bySensor: { type: 'local', hash: 'pk', sort: 'sensor' } } as const
  const severities = (stats: object): readonly unknown[] =>
    noticesOf('S02', devices({ index, reading: { stats } })).map(({ severity }) => severity)

  test('is an error where it follows from what is declared, and else a warning', () => {
    expect(severities({ growth: 'unbounded' })).toEqual(['error'])
    // 1000 B of the item and its entry, each with 100 more.
    const most = 10 * 1024 ** 3
    expect(severities({ itemBytes: 900, perPartition: { max: most / 2000 } })).toEqual(['error'])
    expect(severities({ itemBytes: 900, perPartition: { max: most / 2000 - 1 } })).toEqual([])
    expect(severities({ perPartition: { max: 1e12 } })).toEqual(['warning'])
    expect(severities({})).toEqual(['warning'])
    expect(severities({ growth: 'bounded' })).toEqual([])
  })

  test('is none without a local index', () => {
    expect(messagesOf('S02', devices({ reading: { stats: { growth: 'unbounded' } } }))).toEqual([])
  })

  test('a partition that a sample shows to be half full is reported', () => {
    const items = Array.from({ length: 10 }, (_, at): Item => {
      return {
        pk: { S: `DEVICE#${at < 4 ? 0 : at}` },
        sk: { S: `${at}` },
        m: { S: 'x'.repeat(900) },
      }
    })
    const bounded = { reading: { stats: { growth: 'bounded' } } } as const
    const sampled = (itemCount: number): Design =>
      devices({ index, ...bounded }, { sample: { items, itemCount, takenOn: '2026-11-16' } })
    expect(messagesOf('S02', sampled(20_000_000))).toEqual([
      'With LSI bySensor, pk = {"S":"DEVICE#0"} stops accepting writes at 10 GB; by the sample of 2026-11-16 it has ≈7.6 GB without its index entries.',
    ])
    expect(messagesOf('S02', sampled(10_000_000))).toEqual([])
  })
})

describe('S03, an item that grows', () => {
  test('an item size over the limit is an error, a list of objects a warning, tags are information', () => {
    const fixture = SIZE_FIXTURES.find(({ code }) => code === 'S03')!
    expect(noticesOf('S03', fixture.fires()).map(({ severity }) => severity)).toEqual([
      'warning',
      'warning',
      'info',
      'warning',
      'error',
    ])
  })

  test('large items of a sample are reported, with what makes them large', () => {
    const item = (bytes: number): Item => ({
      _type: { S: 'Device' },
      pk: { S: 'DEVICE#1' },
      sk: { S: 'DEVICE' },
      manual: { S: 'm'.repeat(bytes) },
    })
    const sampled = (bytes: number, large: number): Design => {
      const items = Array.from({ length: 100 }, (_, at) => item(at < large ? bytes : 10))
      return devices({}, { sample: { items, itemCount: 100, takenOn: '2026-11-16' } })
    }
    expect(messagesOf('S03', sampled(320_000, 2))).toEqual([
      'Device items reach 313 KB of 400 KB (99th percentile of 100 sampled); most of it is manual.',
    ])
    expect(messagesOf('S03', sampled(320_000, 1))).toEqual([])
    expect(messagesOf('S03', sampled(300_000, 2))).toEqual([])
  })

  test('a path in a key is bounded by the key', () => {
    const path = { type: Array, items: { type: String }, required: true } as const
    const reading = {
      key: { pk: 'DISK#${deviceId}', sk: 'FILE#${path}' },
      attributes: { deviceId: text, path },
    } as const
    expect(messagesOf('S03', devices({ reading }))).toEqual([])
  })
})
