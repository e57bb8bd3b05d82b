import { type Listener, type ListenOptions, listen } from '@singletable/kit/server'
import { createEngine, type Engine } from 'singletable/engine'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authenticationCases } from './cases/authentication.ts'
import { encodingCases } from './cases/encodings.ts'
import { frontCases } from './cases/front.ts'
import { CORS_OPTIONS, corsCases, guardCases } from './cases/guards.ts'
import { jsonTypeCases } from './cases/json-types.ts'
import { operationCases } from './cases/operations.ts'
import { parsingCases } from './cases/parsing.ts'
import type { WireCase } from './wire-case.ts'

interface Group {
  readonly name: string
  readonly options?: ListenOptions
  readonly cases: readonly WireCase[]
}

const GROUPS: readonly Group[] = [
  { name: 'front', cases: frontCases },
  { name: 'authentication', cases: authenticationCases },
  { name: 'JSON types', cases: jsonTypeCases },
  { name: 'encodings', cases: encodingCases },
  { name: 'guards', cases: guardCases },
  { name: 'CORS', options: CORS_OPTIONS, cases: corsCases },
  { name: 'operations', cases: operationCases },
  { name: 'parsing', cases: parsingCases },
]
const CASES_MIN = 400

/** Inputs of the corpus that only a server sees. */
const SERVER_ROWS = [
  ...Array.from({ length: 35 }, (_, at) => `W${at + 1}`),
  ...Array.from({ length: 20 }, (_, at) => `J${at + 1}`),
  ...['H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'H7', 'H8', 'H19', 'H20'],
  ...['S2', 'S3', 'S4', 'S5', 'S10', 'S16'],
]
/** The body that never comes needs a server with short timeouts: slow-clients.test.ts. */
const ELSEWHERE = ['W26']

describe.each(GROUPS)('$name', ({ options, cases }) => {
  let engine: Engine
  let server: Listener

  beforeAll(async () => {
    engine = createEngine()
    const table = {
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' as const }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' as const }],
      BillingMode: 'PAY_PER_REQUEST' as const,
    }
    await engine.send('CreateTable', { TableName: 'table', ...table })
    await engine.send('CreateTable', {
      TableName: 'music',
      AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
    })
    await engine.send('PutItem', {
      TableName: 'music',
      Item: { pk: { S: 'song' }, sk: { S: '1' } },
    })
    server = await listen(engine, { port: 0, ...options })
  })
  afterAll(async () => {
    await server.close()
    await engine.close()
  })

  for (const { id, name, run } of cases) {
    test(id === undefined ? name : `${id}: ${name}`, async () => {
      await run({ engine, port: server.port })
    })
  }
})

const all = GROUPS.flatMap((group) => group.cases)

test(`there are ${CASES_MIN} cases or more over raw HTTP`, () => {
  expect(all.length).toBeGreaterThanOrEqual(CASES_MIN)
})

test('every input of the corpus that a server sees is among them', () => {
  const ids = new Set(all.map((each) => each.id))
  expect(SERVER_ROWS.filter((id) => !ids.has(id) && !ELSEWHERE.includes(id))).toEqual([])
})

test('no two cases of a group have one name', () => {
  for (const { cases } of GROUPS) {
    const names = cases.map((each) => each.name)
    expect(
      names.filter((name, at) => names.indexOf(name) !== at && !/is answered$/.test(name)),
    ).toEqual([])
  }
})
