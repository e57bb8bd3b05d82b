import { describe, expect, test } from 'vitest'
import type { Environment } from '../values/environment.ts'
import { seededRandom } from '../values/seeded-random.ts'
import { namedGenerator } from './generate.ts'

function fixedEnvironment(startMs: number, byte?: number): Environment & { ms: number } {
  const random = seededRandom(7)
  return {
    ms: startMs,
    now() {
      return this.ms
    },
    randomBytes(count) {
      return new Uint8Array(count).map(() => byte ?? random() * 256)
    },
    schedule: () => () => undefined,
  }
}
const generate = (name: string, environment: Environment): string =>
  namedGenerator(name)?.(environment) ?? ''

const FORMS: Record<string, RegExp> = {
  ulid: /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  uuid7: /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  ksuid: /^[0-9A-Za-z]{27}$/,
}

describe.each(Object.keys(FORMS))('%s', (name) => {
  test('has its form', () => {
    const environment = fixedEnvironment(1_767_000_000_000)
    for (let turn = 0; turn < 200; turn++) {
      environment.ms += turn
      expect(generate(name, environment)).toMatch(FORMS[name]!)
    }
  })

  test('comes never twice', () => {
    const environment = fixedEnvironment(1_767_000_000_000)
    const made = Array.from({ length: 2000 }, () => generate(name, environment))
    expect(new Set(made).size).toBe(made.length)
  })
})

describe.each(['ulid', 'uuid7'])('%s is in the order it was made', (name) => {
  test('within a millisecond, from one to the next, and when the clock goes back', () => {
    const environment = fixedEnvironment(1_767_000_000_000)
    const made: string[] = []
    for (const step of [0, 0, 0, 1, 5, -100, -100, 0, 300]) {
      environment.ms += step
      for (let turn = 0; turn < 100; turn++) made.push(generate(name, environment))
    }
    expect([...made].sort()).toEqual(made)
    expect(new Set(made).size).toBe(made.length)
  })

  test('when the random part runs over', () => {
    const environment = fixedEnvironment(1_767_000_000_000, 255)
    const made = [generate(name, environment), generate(name, environment)]
    expect([...made].sort()).toEqual(made)
  })

  test('for each environment by itself', () => {
    const later = generate(name, fixedEnvironment(1_767_000_000_000))
    const earlier = generate(name, fixedEnvironment(1_600_000_000_000))
    expect(earlier < later).toBe(true)
  })
})

test('a ulid begins with its time', () => {
  // From the specification's own example: 1469918176385 is 01ARYZ6S41.
  expect(generate('ulid', fixedEnvironment(1_469_918_176_385)).slice(0, 10)).toBe('01ARYZ6S41')
})

test('a uuid7 begins with its time', () => {
  // From RFC 9562, appendix A.6: 2022-02-22T19:22:22Z is 017F22E2-79B0.
  expect(generate('uuid7', fixedEnvironment(0x017f22e279b0)).slice(0, 15)).toBe('017f22e2-79b0-7')
})

test('a ksuid is twenty bytes in base 62, the seconds first', () => {
  expect(generate('ksuid', fixedEnvironment(1_400_000_000_000, 0))).toBe('0'.repeat(27))
  expect(generate('ksuid', fixedEnvironment((1_400_000_000 + 2 ** 32 - 1) * 1000, 255))).toBe(
    'aWgEPTl1tmebfsQzFP4bxwgy80V',
  )
  const environment = fixedEnvironment(1_767_000_000_000)
  const first = generate('ksuid', environment)
  environment.ms += 1000
  expect(generate('ksuid', environment) > first).toBe(true)
})

test('there are no other generators', () => {
  expect(namedGenerator('toString')).toBeUndefined()
})
