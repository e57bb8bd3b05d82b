import fc from 'fast-check'
import { defineSchema, SingletableError, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { expect, test } from 'vitest'

/**
 * Whatever is given to a scope, no request that is sent names a partition of another tenant, and
 * nothing of another tenant comes back. What was sent is judged by the text of its keys alone.
 */

const runs = Number(process.env.PROPERTY_RUNS ?? 300)
const TIMEOUT_MS = 60_000 + runs * 50

const tenantId = { type: String, required: true } as const
const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byOwner: { hash: 'gsi1pk', sort: 'gsi1sk' },
    byKind: { hash: 'gsi2pk', sort: 'gsi2sk' },
    inverted: { hash: 'sk', sort: 'pk' },
  },
  models: {
    User: {
      key: { pk: 'T#${tenantId}', sk: 'USER#${id}' },
      index: {
        gsi1pk: 'T#${tenantId}#O#${owner}',
        gsi1sk: '${id}',
        gsi2pk: 'K#${kind}',
        gsi2sk: '${id}',
      },
      attributes: {
        tenantId,
        id: { type: String, required: true },
        owner: { type: String, default: 'o' },
        kind: { type: String, default: 'k' },
      },
    },
    Note: {
      key: { pk: 'T#${tenantId}#N#${id}', sk: 'NOTE#${id}' },
      attributes: { tenantId, id: { type: String, required: true } },
    },
    Global: {
      key: { pk: 'G#${id}', sk: 'GLOBAL' },
      attributes: { id: { type: String, required: true } },
    },
  },
})
// biome-ignore lint/suspicious/noExplicitAny: the inputs are those that the compiler would refuse.
type Anything = any

const IDS = ['a', 'ab', 'b', '*', 'T', 'N', '%', '__proto__', 'toString']
const id = fc.constantFrom(...IDS)
const hostile = fc.oneof(
  id,
  fc.constantFrom(
    'a#N#x',
    '#',
    '',
    'T#a',
    'T#b',
    '${tenantId}',
    'a\0',
    'a\u{10FFFF}',
    null,
    7,
    {},
    [],
  ),
  fc.string({ unit: fc.constantFrom('a', 'b', 'T', 'N', '#', '$', '*', ' '), maxLength: 6 }),
)
const hostileKey = fc.record(
  {
    tenantId: hostile,
    id: hostile,
    owner: hostile,
    pk: fc.oneof(
      hostile,
      fc.tuple(id, id).map(([t, n]) => `T#${t}#N#${n}`),
      id.map((t) => `T#${t}`),
    ),
    sk: fc.oneof(
      hostile,
      id.map((n) => `USER#${n}`),
    ),
    gsi1pk: fc.tuple(id, id).map(([t, n]) => `T#${t}#O#${n}`),
  },
  { requiredKeys: [] },
)
// Most are nearly right, so that they come far.
const key = fc.oneof(
  id.map((own) => ({ id: own })),
  fc.tuple(id, id).map(([own, t]) => ({ id: own, tenantId: t })),
  fc.tuple(id, hostileKey).map(([own, { pk, sk }]) => ({ id: own, pk, sk })),
  fc.tuple(id, id).map(([t, n]) => ({ pk: `T#${t}`, sk: `USER#${n}` })),
  fc.tuple(id, id).map(([t, n]) => ({ pk: `T#${t}#N#${n}`, sk: `NOTE#${n}` })),
  hostileKey,
)
const entity = fc.constantFrom('User', 'User', 'Note', 'Global')
const VERBS = [
  'get',
  'put',
  'create',
  'update',
  'upsert',
  'delete',
  'query',
  'where',
  'scan',
  'batchGet',
  'batchWrite',
  'batchDelete',
  'move',
  'collect',
  'deleteCollection',
  'foreign',
  'foreignBatch',
  'foreignGet',
  'params',
  'cursor',
  'scope',
] as const
const step = fc.record({
  verb: fc.constantFrom(...VERBS),
  entity,
  key,
  other: id,
  index: fc.constantFrom(undefined, 'byOwner', 'byKind', 'inverted'),
  name: fc.constantFrom('pk', 'sk', 'gsi1pk', 'gsi2pk', 'tenantId'),
})

test('no step of any program leaves its tenant', { timeout: TIMEOUT_MS }, async () => {
  const engine = createEngine()
  const sent: { operation: string; request: Anything }[] = []
  const client = {
    send: ((operation: string, request: object) => {
      sent.push({ operation, request })
      return engine.send(operation as never, request as never)
    }) as typeof engine.send,
  }
  const retry = { attemptsMax: 1, delayMsBase: 1, delayMsMax: 1 }
  const options = { name: 'notes', schema, retry, onWarning: () => {} }
  const table = new Table({ ...options, client })
  // Others may read what is theirs.
  const unseen = new Table({ ...options, client: engine })
  await table.create()
  for (const each of IDS) {
    for (const own of IDS) {
      await table.entities.User.put({ tenantId: each, id: own }).execute()
      await table.entities.Note.put({ tenantId: each, id: own }).execute()
    }
    await table.entities.Global.put({ id: each }).execute()
  }
  let answered = 0
  await fc.assert(
    fc.asyncProperty(id, fc.array(step, { minLength: 1, maxLength: 6 }), async (tenant, steps) => {
      const scope: Anything = table.scope({ tenantId: tenant })
      for (const each of steps) {
        sent.length = 0
        let given: unknown
        try {
          given = await run(unseen as Anything, scope, each)
          answered++
        } catch (error) {
          // What is wrong with a scope's call is one of our errors, never an accident.
          expect(SingletableError.is(error) ? '' : error).toBe('')
        }
        for (const { operation, request } of sent) {
          expect(operation).not.toBe('Scan')
          for (const partition of partitionsOf(request)) {
            expect(partition === `T#${tenant}` || partition.startsWith(`T#${tenant}#`)).toBe(true)
          }
        }
        for (const found of outputsOf(given)) {
          if (found.tenantId !== undefined) expect(found.tenantId).toBe(tenant)
        }
      }
    }),
    { numRuns: runs },
  )
  // Not everything was refused.
  expect(answered).toBeGreaterThan(runs / 6)
  await engine.close()
})

async function run(
  table: Anything,
  scope: Anything,
  { verb, entity, key, other, index, name }: typeof step extends fc.Arbitrary<infer T> ? T : never,
): Promise<unknown> {
  const own = scope.entities[entity]
  const whole = table.entities[entity]
  const theirs = table.scope({ tenantId: other }).entities[entity]
  const { pk, sk, gsi1pk, ...values } = key as Anything
  switch (verb) {
    case 'where': {
      const query = own
        .query()
        .where((attr: Anything, op: Anything) => op.eq(attr[name], pk ?? gsi1pk ?? 'T#b'))
      return (index === undefined ? query : query.useIndex(index)).execute()
    }
    case 'query': {
      const query = own.query(key)
      return (index === undefined ? query : query.useIndex(index)).execute()
    }
    case 'scan':
      return own.scan().execute()
    case 'update':
    case 'upsert':
      return own[verb](key).set('kind', 'x').execute()
    case 'move':
      return own
        .update({ id: other })
        .set('tenantId', values.tenantId ?? other)
        .execute()
    case 'batchGet':
      return own.batchGet([{ id: other }, key]).execute()
    case 'batchWrite':
      return own.batchWrite([{ id: other }, values]).execute()
    case 'batchDelete':
      return own.batchWrite([]).delete([key]).execute()
    case 'collect':
      return scope.collect([entity], key).execute()
    case 'deleteCollection':
      // Only of keys that nobody else looks for.
      return own.deleteCollection({ ...values, tenantId: values.tenantId, id: 'gone' }).execute()
    case 'foreign':
      return scope
        .transactWrite()
        .add(theirs.put({ id: other }))
        .execute()
    case 'foreignBatch':
      return scope
        .batchWrite([own.put({ id: 'own' }), whole.put({ tenantId: other, id: other })])
        .execute()
    case 'foreignGet':
      return scope
        .transactGet()
        .addGet(whole.get({ tenantId: other, id: other }))
        .execute()
    case 'params':
      return scope
        .transactWrite()
        .addPut({ TableName: table.name, Item: { pk: `T#${other}`, sk: `USER#${other}`, gsi1pk } })
        .execute()
    case 'cursor': {
      const page = await theirs.query({ id: other }).limit(1).executeWithPagination()
      return own
        .query({ id: other })
        .startFrom(page.cursor ?? 'AAAA')
        .execute()
    }
    case 'scope':
      return scope.scope(values).entities[entity].query().execute()
    default:
      return own[verb](key).execute()
  }
}

/** The partitions that a request names: those of items it reads or writes, or the one that it
 * queries. */
function partitionsOf(request: Anything): string[] {
  const keys: Anything[] = []
  const collect = (value: Anything): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [member, content] of Object.entries(value) as [string, Anything][]) {
      if (member === 'Key' || member === 'Item') keys.push(content)
      else if (member === 'Keys') keys.push(...content)
      else if (!member.startsWith('Expression')) collect(content)
    }
  }
  collect(request)
  if (request.KeyConditionExpression !== undefined) {
    const { KeyConditionExpression: text, ExpressionAttributeNames: names = {} } = request
    const hash =
      { byOwner: 'gsi1pk', byKind: 'gsi2pk', inverted: 'sk' }[request.IndexName as string] ?? 'pk'
    const equalities = [...text.matchAll(/([#\w]+) = (:\w+)/g)] as string[][]
    const [, , value = ''] =
      equalities.find(([, path = '']) => (names[path] ?? path) === hash) ?? []
    return [String(request.ExpressionAttributeValues[value]?.S)]
  }
  return keys.map(({ pk }) => String(pk?.S))
}

function outputsOf(given: Anything): Anything[] {
  if (Array.isArray(given)) return given.flatMap(outputsOf)
  if (typeof given !== 'object' || given === null) return []
  return 'tenantId' in given ? [given] : Object.values(given).flatMap(outputsOf)
}
