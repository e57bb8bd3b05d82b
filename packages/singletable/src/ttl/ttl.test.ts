import { expect, test } from 'vitest'
import { Table } from '../builder/table.ts'
import { createEngine } from '../engine/engine.ts'
import { simulatedEnvironment } from '../engine/simulated-environment.ts'
import { defineSchema } from '../plan/define-schema.ts'
import { durationMs } from './duration.ts'
import { epochSeconds, expiresIn, expiresInSeconds } from './expires-in.ts'
import { expiresAt, extendTime, isExpired, timeLeftMs } from './time-to-live.ts'

const schema = defineSchema({
  indexes: { primary: { hash: 'pk' } },
  models: {
    Session: {
      key: { pk: 'SESSION#${token}' },
      attributes: { token: { type: String, required: true }, until: { type: Date, ttl: true } },
    },
    Code: {
      key: { pk: 'CODE#${code}' },
      attributes: {
        code: { type: String, required: true },
        until: { type: Number, ttl: true },
      },
    },
    User: {
      key: { pk: 'USER#${name}' },
      attributes: { name: { type: String, required: true } },
    },
  },
})

async function start() {
  const environment = simulatedEnvironment({ now: Date.UTC(2026, 0, 1) })
  const client = createEngine({ environment })
  const table = new Table({ name: 'Sessions', schema, client, environment })
  await table.create()
  return { environment, ...table.entities }
}

test.each([
  ['7d', 7 * 86_400_000],
  ['2w', 14 * 86_400_000],
  ['1h30m', 5_400_000],
  ['1d2h3m4s', 93_784_000],
  [{ days: 1, hours: 2, minutes: 3, seconds: 4 }, 93_784_000],
  [{ hours: 0.5 }, 1_800_000],
  ['0s', 0],
])('%j is this many milliseconds', (duration, ms) => {
  expect(durationMs(duration)).toBe(ms)
})

const NO_DURATIONS: readonly unknown[] = [
  '',
  '7',
  '7 d',
  'd7',
  '1m1h',
  '1h1h',
  '-1d',
  '1.5d',
  '9999999999999d',
  {},
  { dyas: 1 },
  { days: -1 },
  { days: Number.NaN },
  { days: '7' },
  { days: Number.POSITIVE_INFINITY },
  { weeks: 1e12 },
  { __proto__: null, toString: 1 },
  null,
  undefined,
  7,
]

test.each(NO_DURATIONS)('%j is not a duration', (duration) => {
  expect(() => durationMs(duration as never)).toThrow('OPTION_INVALID')
})

test('a time to live is counted in whole seconds', () => {
  const from = new Date(1_999)
  expect(expiresIn({ seconds: 1 }, { from })).toEqual(new Date(2_999))
  expect(expiresInSeconds('1s', { from })).toBe(2)
  expect(epochSeconds(from)).toBe(1)
  expect(expiresIn('1s', { environment: { now: () => 500 } })).toEqual(new Date(1_500))
})

test('the time of an item ends when its seconds do, for dates and for numbers', async () => {
  const { environment, Session, Code } = await start()
  const until = expiresIn('1h', { environment })
  const session = await Session.put({ token: 't', until }).execute()
  const code = await Code.put({ code: 'c', until: epochSeconds(until) }).execute()
  await environment.advance(3_599_999)
  expect(isExpired(Session, session)).toBe(false)
  expect(timeLeftMs(Code, code)).toBe(1)
  await environment.advance(1)
  expect(isExpired(Session, session)).toBe(true)
  expect(isExpired(Code, code)).toBe(true)
  expect(expiresAt(Code, code)).toEqual(until)
})

test('an item without an end does not expire', async () => {
  const { Session } = await start()
  const session = await Session.put({ token: 't' }).execute()
  expect(expiresAt(Session, session)).toBeUndefined()
  expect(timeLeftMs(Session, session)).toBeUndefined()
  expect(isExpired(Session, session)).toBe(false)
})

test('time can be extended while it lasts, and not after', async () => {
  const { environment, Session, Code } = await start()
  await Session.put({ token: 't', until: expiresIn('1h', { environment }) }).execute()
  await Code.put({ code: 'c', until: expiresInSeconds('1h', { environment }) }).execute()
  await environment.advance(1_800_000)
  const session = await extendTime(Session, { token: 't' }, '1h').execute()
  expect(timeLeftMs(Session, session)).toBe(3_600_000)
  const code = await extendTime(Code, { code: 'c' }, { hours: 1 }).execute()
  expect(timeLeftMs(Code, code)).toBe(3_600_000)
  await environment.advance(3_600_000)
  await expect(extendTime(Session, { token: 't' }, '1h').execute()).rejects.toMatchObject({
    code: 'ITEM_NOT_FOUND',
  })
})

test('a model without a time to live, and a value that is not an entity, are refused by name', async () => {
  const { User } = await start()
  expect(() => isExpired(User, { name: 'alice' })).toThrow('"User" has no time to live')
  expect(() => isExpired({} as typeof User, {})).toThrow('not an entity')
})
