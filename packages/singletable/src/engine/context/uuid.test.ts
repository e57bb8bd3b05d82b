import { expect, test } from 'vitest'
import { simulatedEnvironment } from '../simulated-environment.ts'
import { uuid } from './uuid.ts'

test('a uuid is one of version 4', () => {
  const environment = simulatedEnvironment({ seed: 3 })
  for (let round = 0; round < 1000; round++) {
    expect(uuid(environment)).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
  }
})
test('the same seed gives the same uuids', () => {
  const ids = (seed: number) => uuid(simulatedEnvironment({ seed }))
  expect(ids(5)).toBe(ids(5))
  expect(ids(5)).not.toBe(ids(6))
})
test('the highest and lowest random bytes still make a uuid', () => {
  for (const byte of [0, 255]) {
    const randomBytes = (count: number) => new Uint8Array(count).fill(byte)
    expect(uuid({ ...simulatedEnvironment(), randomBytes })).toHaveLength(36)
  }
})
