import { execFileSync } from 'node:child_process'
import { createEngine } from 'singletable/engine'
import { describe, expect, test } from 'vitest'
import { runInfra } from './run-infra.ts'

/** The arguments of a command line, as a shell reads it. */
function argumentsOf(command: string): readonly string[] {
  const text = execFileSync('bash', ['-c', `printf '%s\\0' ${command}`]).toString()
  return text.split('\0').slice(0, -1)
}

const LIMIT = '--max-items'
const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The request that a command of the AWS CLI sends. */
function requestOf(command: string): { operation: string; request: Record<string, unknown> } {
  const [program, service, operation = '', ...rest] = argumentsOf(command)
  expect([program, service]).toEqual(['aws', 'dynamodb'])
  const request: Record<string, unknown> = {}
  for (let at = 0; at < rest.length; at++) {
    const option = rest[at] ?? ''
    const next = rest[at + 1]
    if (next === undefined || next.startsWith('--')) {
      request[pascalCase(option.replace(/^--(no-)?/, ''))] = !option.startsWith('--no-')
      continue
    }
    at++
    const name = option === LIMIT ? 'Limit' : pascalCase(option.slice(2))
    request[name] = /^[[{]/.test(next) ? JSON.parse(next) : option === LIMIT ? Number(next) : next
  }
  return { operation: pascalCase(operation), request }
}

/** Patterns without a command: of other services, and of transactions. */
const UNSHOWN = new Map([['blog', ['searchPosts: OpenSearch answers it: full text']]])

describe.each(['blog', 'shop', 'social', 'metrics', 'files', 'saas'])('of the %s', (example) => {
  test('every command works on the table and the items of the file', async () => {
    const given = ['awslabs', '--schema', `examples/${example}/schema.ts`, '--table', 'Things']
    const { code, printed, complaints } = await runInfra(given)
    expect([code, complaints]).toEqual([0, ''])
    expect((await runInfra(given)).printed).toBe(printed)
    const model = JSON.parse(printed)
    const engine = createEngine()
    for (const table of model.tables) await engine.send('CreateTable', table)
    expect(model.items.Things.length).toBeGreaterThan(3)
    for (const { PutRequest } of model.items.Things) {
      await engine.send('PutItem', { TableName: 'Things', ...PutRequest })
    }
    const patterns: Record<string, string>[] = model.access_patterns
    const isRead = ({ dynamodb_operation: operation = '' }): boolean =>
      /Get|Query|Scan/.test(operation)
    const reads = patterns.filter(isRead)
    const writes = patterns.filter((pattern) => !isRead(pattern))
    for (const { implementation, pattern, dynamodb_operation } of [...reads, ...writes]) {
      if (implementation === undefined) continue
      const { operation, request } = requestOf(implementation)
      expect(operation).toBe(dynamodb_operation)
      // The names are those of operations, and the engine checks the rest.
      const answer = await engine.send(operation as 'Query', request as never)
      if (operation === 'Query') expect([pattern, answer.Items]).not.toEqual([pattern, []])
    }
    const unshown = patterns.filter(({ implementation }) => implementation === undefined)
    expect(unshown.map(({ pattern, reason }) => `${pattern}: ${reason}`)).toEqual(
      UNSHOWN.get(example) ?? [],
    )
    await engine.close()
  })
})
