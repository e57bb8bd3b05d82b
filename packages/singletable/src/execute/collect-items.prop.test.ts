import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createEngine } from '../engine/index.ts'
import { compileSchema } from '../plan/compile-schema.ts'
import { operators as op } from '../plan/operators.ts'
import { planRead } from '../plan/read/plan-read.ts'
import { referencesOf } from '../plan/references.ts'
import type { QueryState } from '../plan/state.ts'
import type { Model } from '../schema/model.ts'
import { createTableRequest } from '../schema/table-request.ts'
import type { Item } from '../values/attribute-value.ts'
import { systemEnvironment } from '../values/environment.ts'
import { compareUtf8 } from '../values/utf8.ts'
import { RetryPolicy } from '../wire/retry-policy.ts'
import { startCall } from './call.ts'
import { type Collected, groupCollected } from './collect-items.ts'
import { fetchAll, fetchPage } from './execute-query.ts'
import type { TableContext } from './table-context.ts'

/**
 * Whatever models are collected, the groups have just what a look at all items of the table finds,
 * in pages of any size.
 */

const runs = Number(process.env.PROPERTY_RUNS ?? 150)
const TIMEOUT_MS = 60_000 + runs * 100

const text = { type: String, required: true } as const
const attributes = { p: text, a: text, b: { type: String } } as const
/** Keys that are equal, begin alike, lie in one another, or share nothing. */
const SORTS = {
  Whole: 'M',
  Other: 'MA',
  One: 'M#${a}',
  Two: 'M#${a}#X',
  Three: 'M#${a}#X#${b}',
  Low: 'A#${a}',
  High: 'Z#${b}#${a}',
  Bare: '${a}#${b}#OF#BARE#KEYS',
} as const
type Name = keyof typeof SORTS
const NAMES = Object.keys(SORTS) as Name[]

const schema = compileSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    // The same keys the other way round, so that partitions are mixed differently.
    inverted: { hash: 'sk', sort: 'pk' },
    byB: { hash: 'gsi', sort: 'sk' },
  },
  models: Object.fromEntries(
    NAMES.map((name) => [
      name,
      {
        key: { pk: 'P#${p}', sk: SORTS[name] },
        index: { gsi: 'B#${p}' },
        attributes: SORTS[name].includes('${b}') ? { ...attributes, b: text } : attributes,
      },
    ]),
  ),
})

const letters = fc.constantFrom('a', 'b', 'ab', 'z', '~', 'X', 'é', '\u{10000}')
const program = fc.record({
  items: fc.array(
    fc.record({
      name: fc.constantFrom(...NAMES, 'Unknown' as const),
      p: fc.constantFrom('1', '2'),
      a: letters,
      b: letters,
      typed: fc.boolean(),
    }),
    { maxLength: 24 },
  ),
  names: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 }),
  a: fc.option(letters, { nil: undefined }),
  b: fc.option(letters, { nil: undefined, freq: 4 }),
  index: fc.constantFrom(undefined, undefined, 'byB'),
  forward: fc.boolean(),
  limit: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
  pageSize: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
})

it('a collection has what a look at all items finds, in one piece and in pages', {
  timeout: TIMEOUT_MS,
}, async () => {
  await fc.assert(
    fc.asyncProperty(program, async ({ items, names, a, b, index, forward, limit, pageSize }) => {
      const engine = createEngine()
      await engine.send('CreateTable', createTableRequest(schema, 'table'))
      const context: TableContext = {
        name: 'table',
        schema,
        transport: engine,
        environment: systemEnvironment,
        retry: new RetryPolicy({ attemptsMax: 1, delayMsBase: 1, delayMsMax: 1 }),
        deadlineMs: undefined,
        cursorSecrets: [],
        warn: () => {},
      }
      for (const { name, typed, ...values } of items) {
        await engine.send('PutItem', { TableName: 'table', Item: itemOf(name, values, typed) })
      }
      const { Items: all = [] } = await engine.send('Scan', { TableName: 'table' })
      const asked = { p: '1', ...(a && { a }), ...(b && { b }) }
      const state: QueryState = {
        model: modelOf(names[0]!),
        verb: 'query',
        where: undefined,
        select: undefined,
        segment: undefined,
        hydrate: false,
        members: names.map((name) => ({ model: modelOf(name), where: whereOf(name, asked) })),
        consistentRead: false,
        includeExpired: false,
        capacity: undefined,
        index,
        forward,
        limit,
        pageSize,
        cursor: undefined,
      }
      const plan = planRead(state, { tableName: 'table', environment: systemEnvironment })
      const call = startCall(context, 'collect', undefined, undefined)
      const whole = (await fetchAll(context, call, plan, undefined)) as unknown as Collected[]
      const known = (entries: readonly Collected[]): unknown[] =>
        entries.flatMap(({ entity, item }) =>
          entity === undefined ? [] : `${entity} ${item.a} ${item.b}`,
        )
      const found = all
        .filter((item) => item.pk?.S === 'P#1' && isAsked(item, names, asked))
        .sort((left, right) => compareUtf8(left.sk?.S ?? '', right.sk?.S ?? ''))
        .map((item) => `${nameOf(item)} ${item.a?.S} ${item.b?.S}`)
      if (!forward) found.reverse()
      // What nobody declares counts for the limit, too; it is looked at where there is none.
      if (limit === undefined) {
        expect(known(whole)).toEqual(found)
      } else expect(found.slice(0, limit)).toEqual(expect.arrayContaining(known(whole)))
      const paged: Collected[] = []
      let cursor: string | undefined
      do {
        const page = await fetchPage(context, call, plan, cursor)
        if (limit !== undefined) expect(page.items.length).toBeLessThanOrEqual(limit)
        paged.push(...(page.items as unknown as Collected[]))
        cursor = page.cursor
      } while (cursor !== undefined)
      expect(known(paged)).toEqual(found)
      expect(paged.slice(0, limit)).toEqual(whole)
      const groups = groupCollected(plan, paged)
      expect(Object.keys(groups).sort()).toEqual([...names, 'unknown'].sort())
      for (const name of names) {
        const own = paged.filter(({ entity }) => entity === name).map(({ item }) => item)
        expect(groups[name]).toEqual(own)
      }
      // Of what nobody declares only what lies in the range is read.
      expect(groups.unknown.every((item) => item._type === 'Unknown')).toBe(true)
      await engine.close()
    }),
    { numRuns: runs },
  )
})

function modelOf(name: Name): Model {
  return schema.models.get(name)!
}

function itemOf(
  name: Name | 'Unknown',
  values: { readonly p: string; readonly a: string; readonly b: string },
  typed: boolean,
): Item {
  if (name === 'Unknown') {
    const sk = { S: `M#${values.a}#UNKNOWN#${values.b}#OF#NOBODY` }
    return { pk: { S: `P#${values.p}` }, sk, gsi: { S: `B#${values.p}` }, _type: { S: name } }
  }
  const { item } = modelOf(name).encodeNew(values, systemEnvironment, 'test')
  const { _type, ...rest } = item
  return typed ? item : rest
}

/** The model of an item: by its type, or else by its key. */
function nameOf({ sk, _type }: Item): string | undefined {
  if (_type !== undefined) return NAMES.find((name) => name === _type.S)
  return NAMES.find((name) => modelOf(name).primary.sort[0]?.template?.match(sk?.S ?? ''))
}

function whereOf(name: Name, asked: { readonly [attribute: string]: string }) {
  const attr = referencesOf(modelOf(name)) as Record<string, unknown>
  return op.and(...Object.entries(asked).map(([attribute, value]) => op.eq(attr[attribute], value)))
}

function isAsked(item: Item, names: readonly Name[], asked: { a?: string; b?: string }): boolean {
  const name = names.find((each) => each === nameOf(item))
  if (name === undefined) return false
  const differs = (['a', 'b'] as const).some(
    (attribute) => asked[attribute] !== undefined && item[attribute]?.S !== asked[attribute],
  )
  return !differs
}
