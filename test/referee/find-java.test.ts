import { expect, test } from 'vitest'
import { javaMajorVersion } from './find-java.ts'

test('the major version is read from both ways of writing a Java version', () => {
  expect(javaMajorVersion('openjdk version "17.0.15" 2025-04-15')).toBe(17)
  expect(javaMajorVersion('java version "1.8.0_392"')).toBe(8)
  expect(javaMajorVersion('openjdk version "21" 2023-09-19')).toBe(21)
  expect(javaMajorVersion('command not found')).toBe(0)
})
