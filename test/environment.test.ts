import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkEnvironment } from './architecture/check-environment.ts'
import { ROOT } from './architecture/package-manifest.ts'
import { loadModules, parseModule } from './architecture/source-module.ts'

const ENVIRONMENT = 'values/environment.ts'
/** Turns of the event loop are the server's alone: no result depends on them. */
const TURNS = 'engine/context/turns.ts'
const modules = loadModules(path.join(ROOT, 'packages/singletable/src'))

test('clock, random and timers come into engine, library and transport through the environment alone', () => {
  const others = modules.filter(({ path }) => path !== ENVIRONMENT && path !== TURNS)
  expect(others.flatMap(checkEnvironment)).toEqual([])
})

test('the environment itself is what the check would refuse elsewhere', () => {
  const environment = modules.filter((module) => module.path === ENVIRONMENT)
  expect(environment.flatMap(checkEnvironment)).not.toEqual([])
})

describe('the check itself', () => {
  const check = (text: string): readonly string[] => checkEnvironment(parseModule('a.ts', text))

  test.each([
    'Date.now()',
    "Date['now']()",
    'new Date()',
    'new Date',
    'Date()',
    'const { now } = Date',
    'const clock = Date',
    'globalThis.Date.now()',
    'Math.random()',
    'const { random } = Math',
    "Math['random']()",
    'setTimeout(() => {}, 1)',
    'setInterval(() => {}, 1)',
    'const later = setImmediate',
    'globalThis.setTimeout(() => {}, 1)',
    'export const timers = { setTimeout }',
    'performance.now()',
    'process.hrtime.bigint()',
    'crypto.randomUUID()',
    'globalThis.crypto.getRandomValues(new Uint8Array(1))',
    "import { randomBytes } from 'node:crypto'",
    "import * as nodeCrypto from 'node:crypto'\nnodeCrypto.randomUUID()",
    "import { setTimeout as wait } from 'node:timers/promises'",
    "import { performance as clock } from 'node:perf_hooks'",
  ])('refuses %s', (text) => {
    expect(check(text)).not.toEqual([])
  })

  test.each([
    'new Date(environment.now())',
    'Date.UTC(2026, 1, 1)',
    'Math.max(1, 2)',
    'value instanceof Date',
    'type === Date',
    'switch (type) { case Date: }',
    'const attribute = { type: Date }',
    'environment.random()',
    'export function at(date: Date): Date { return date }',
    'export interface Timers { setTimeout(callback: () => void): void }',
    "import { createHash } from 'node:crypto'",
  ])('accepts %s', (text) => {
    expect(check(text)).toEqual([])
  })

  test('says where', () => {
    expect(check('export const a = 1\nexport const b = Date.now()')).toEqual([
      'a.ts:2: Date.now does not come through the Environment',
    ])
  })
})
