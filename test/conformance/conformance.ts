import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, test as vitestTest } from 'vitest'
import { refereePort } from '../referee/referee-port.ts'
import { differences } from './differences.ts'
import {
  closeDurable,
  durableTarget,
  engineTarget,
  localTarget,
  RefereeUnavailable,
  type Refusal,
  type Target,
} from './targets.ts'

/** What a conformance test gets. */
export interface Conformance {
  readonly target: Target['name']
  readonly send: Target['send']
  /**
   * Creates a table with a name of its own, waits until it is ACTIVE and returns the name. Without
   * members it has the partition key `pk` and the sort key `sk`, both strings, on demand; any
   * member of CreateTable may be given instead.
   */
  table(members?: Readonly<Record<string, unknown>>): Promise<string>
  /** A table name nobody else uses, for tests that create the table themselves. */
  tableName(): string
  /**
   * Asserts that the request is refused with this exception and, when given, exactly this text (or
   * one that the expression matches), and returns the error.
   */
  fails(
    operation: string,
    request: unknown,
    errorName: string,
    message?: string | RegExp,
  ): Promise<Refusal>
  /** Asks again until the check no longer throws: for what DynamoDB does in its own time. */
  eventually<TResult>(check: () => Promise<TResult>): Promise<TResult>
}

export type ConformanceBody = (t: Conformance) => Promise<void>

export interface ConformanceTest {
  (name: string, body: ConformanceBody): void
  /** A test DynamoDB Local cannot take part in, not even by failing. */
  engineOnly(name: string, reason: string, body: ConformanceBody): void
}

const port = await refereePort()

/**
 * Defines tests that run on the engine in memory, on the engine on LMDB and on DynamoDB Local, the
 * referee.
 *
 * Each becomes three tests, `<title> › <name> [engine]`, `[durable]` and `[local]`. A test named in
 * differences.ts must fail on local.
 */
export function conformance(title: string, define: (test: ConformanceTest) => void): void {
  const registerEngine = (name: string, body: ConformanceBody): void => {
    vitestTest(`${title} › ${name} [engine]`, async () => runOn(await engineTarget(), body))
    vitestTest(`${title} › ${name} [durable]`, async () => runOn(await durableTarget(), body))
  }
  const registerLocal = (name: string, body: ConformanceBody): void => {
    const difference = differences.find((entry) => entry.test === `${title} › ${name}`)
    vitestTest.skipIf(port === undefined)(`${title} › ${name} [local]`, async () => {
      // Vitest does not run this where the port is undefined.
      const run = (): Promise<void> => runOn(localTarget(port ?? 0), body)
      if (difference === undefined) await untilJudged(run)
      else await expectDifference(run(), difference.reason)
    })
  }
  afterAll(closeDurable)
  const both = (name: string, body: ConformanceBody): void => {
    registerEngine(name, body)
    registerLocal(name, body)
  }
  define(Object.assign(both, {
    engineOnly(name: string, reason: string, body: ConformanceBody) {
      if (reason.trim() === '') throw new Error(`"${name}" does not say why it is engine only`)
      registerEngine(name, body)
    },
  }))
}

const REFEREE_FAILURE = 'InternalFailure'

/** How often a test is repeated on a referee that fails inside itself. */
const ATTEMPTS_TO_BE_JUDGED = 3

/**
 * Runs a test again, on tables of its own, when DynamoDB Local fails with InternalFailure: busy
 * with several tables it does so now and then, and that does not judge the request. What fails
 * so every time does fail.
 */
export async function untilJudged(run: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      const failedInside = error instanceof Error && error.name === REFEREE_FAILURE
      if (!failedInside || attempt === ATTEMPTS_TO_BE_JUDGED) throw error
    }
  }
}

/** Resolves when the run fails, as it must on the target that differs. */
export async function expectDifference(run: Promise<void>, reason: string): Promise<void> {
  try {
    await run
  } catch (error) {
    if (error instanceof RefereeUnavailable) throw error
    return
  }
  throw new Error(
    `The difference has disappeared: DynamoDB Local passes this test. Delete its line from test/conformance/differences.ts ("${reason}").`,
  )
}

async function runOn(target: Target, body: ConformanceBody): Promise<void> {
  const tables = new Set<string>()
  try {
    await body(conformanceOn(target, tables))
  } finally {
    // The referee is shared by the whole run and slows down with every table left behind.
    if (target.name === 'local') {
      for (const TableName of tables) {
        await target.send('DeleteTable', { TableName }).catch(() => undefined)
      }
    }
    await target.close()
  }
}

function conformanceOn(target: Target, tables: Set<string>): Conformance {
  const tableName = (): string => {
    const name = `conformance-${randomBytes(6).toString('hex')}`
    tables.add(name)
    return name
  }
  const t: Conformance = {
    target: target.name,
    send: target.send,
    tableName,
    async table(members = {}) {
      const name = typeof members.TableName === 'string' ? members.TableName : tableName()
      tables.add(name)
      await target.send('CreateTable', { ...defaultTable(members), ...members, TableName: name })
      await t.eventually(async () => {
        const { Table } = await target.send('DescribeTable', { TableName: name })
        if (Table.TableStatus !== 'ACTIVE') throw new Error(`${name} is ${Table.TableStatus}`)
      })
      return name
    },
    async fails(operation, request, errorName, message) {
      const error = await refusalOf(target, operation, request)
      if (error.name === REFEREE_FAILURE) throw error
      expect(`${error.name}: ${error.message}`).toMatch(new RegExp(`^${errorName}: `))
      if (typeof message === 'string') expect(error.message).toBe(message)
      else if (message !== undefined) expect(error.message).toMatch(message)
      return error
    },
    eventually,
  }
  return t
}

function defaultTable(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return {
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
    ],
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    ...('ProvisionedThroughput' in members ? {} : { BillingMode: 'PAY_PER_REQUEST' }),
  }
}

async function refusalOf(target: Target, operation: string, request: unknown): Promise<Refusal> {
  let answer: unknown
  try {
    answer = await target.send(operation, request)
  } catch (error) {
    if (error instanceof RefereeUnavailable) throw error
    if (error instanceof Error) return error as Refusal
    throw error
  }
  throw new Error(`${operation} was expected to be refused, but answered ${JSON.stringify(answer)}`)
}

const EVENTUALLY_MS_MAX = 20_000

async function eventually<TResult>(check: () => Promise<TResult>): Promise<TResult> {
  const end = Date.now() + EVENTUALLY_MS_MAX
  for (let delayMs = 1; ; delayMs = Math.min(delayMs * 2, 100)) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > end || error instanceof RefereeUnavailable) throw error
      await wait(delayMs)
    }
  }
}
