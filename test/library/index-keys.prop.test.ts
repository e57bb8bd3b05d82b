import fc from 'fast-check'
import type { Item } from 'singletable/engine'
import { expect, test } from 'vitest'
import type { SchemaDefinition } from '../../packages/singletable/src/schema/schema-definition.ts'
import { type Changes, createWriteTable, type WriteTable } from './write-table.ts'

// A long run: PROPERTY_RUNS=100000 PROPERTY_SEED=1. A failure prints its seed in any case.
const runs = Number(process.env.PROPERTY_RUNS ?? 300)
// During other work a run takes some tens of milliseconds at most.
const timeoutMs = 60_000 + 50 * runs
const seed =
  process.env.PROPERTY_SEED === undefined ? {} : { seed: Number(process.env.PROPERTY_SEED) }

type Values = Record<string, string | number>

/** How a template is written, and what it gives: distinguished from the library's own templates. */
interface Part {
  readonly literal: string
  readonly names: readonly string[]
}
interface IndexCase {
  readonly hash: Part
  /** A template, or an attribute that is the sort key as it is. */
  readonly sort: Part | 'b'
  readonly when: readonly string[] | undefined
  /** Shares the hash attribute of the first index. */
  readonly shared: boolean
  /** Keys end where a value is missing; in all indexes or in none. */
  readonly short: boolean
}

const NAMES = ['a', 'b', 'c', 'n', 'state'] as const
const STATES = ['draft', 'live', 'gone']
const DEFAULT_STATE = 'draft'

const part = (literal: string): fc.Arbitrary<Part> =>
  fc
    .uniqueArray(fc.constantFrom('id', 'part', ...NAMES), { maxLength: 3 })
    .map((names) => ({ literal, names }))

const indexCase = (position: number): fc.Arbitrary<Omit<IndexCase, 'short'>> =>
  fc.record({
    hash: part(`H${position}`),
    sort: fc.oneof({ weight: 4, arbitrary: part(`S${position}`) }, fc.constant('b' as const)),
    when: fc.option(fc.subarray(STATES, { minLength: 1 }), { nil: undefined }),
    shared: fc.boolean(),
  })

const indexCases = fc.tuple(fc.integer({ min: 1, max: 3 }), fc.boolean()).chain(([count, short]) =>
  fc.tuple(
    ...Array.from({ length: count }, (_, position) =>
      indexCase(position).map((each): IndexCase => {
        const { sort } = each
        if (!short) return { ...each, short }
        const template = sort === 'b' ? { literal: `S${position}`, names: ['b'] } : sort
        return { ...each, short, sort: template, when: undefined }
      }),
    ),
  ),
)

const values = fc.record(
  {
    a: fc.constantFrom('x', 'Y', 'zz'),
    b: fc.constantFrom('x', 'y'),
    c: fc.constantFrom('x', 'y'),
    n: fc.integer({ min: 0, max: 99 }),
    state: fc.constantFrom(...STATES),
  },
  { requiredKeys: [] },
)
const key = fc.record({ id: fc.constantFrom('1', '2'), part: fc.constantFrom('p', 'q') })

type Step =
  | { readonly kind: 'put' | 'create'; readonly key: Values; readonly values: Values }
  | { readonly kind: 'delete'; readonly key: Values }
  | {
      readonly kind: 'update' | 'upsert'
      readonly key: Values
      readonly set: Values
      readonly remove: readonly string[]
      readonly add: boolean
      readonly given: readonly string[]
      readonly target: string | undefined
    }

const asValues = (arbitrary: fc.Arbitrary<object>): fc.Arbitrary<Values> =>
  arbitrary as fc.Arbitrary<Values>

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('put' as const, 'create' as const),
    key: asValues(key),
    values: asValues(values),
  }),
  fc.record({ kind: fc.constant('delete' as const), key: asValues(key) }),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('update' as const, 'update' as const, 'upsert' as const),
      key: asValues(key),
      set: asValues(values),
      remove: fc.subarray([...NAMES], { maxLength: 2 }),
      add: fc.boolean(),
      given: fc.subarray([...NAMES], { maxLength: 2 }),
      target: fc.option(fc.constantFrom('p', 'q'), { nil: undefined, freq: 4 }),
    }),
  },
)

function hashName(cases: readonly IndexCase[], position: number): string {
  return cases[position]?.shared ? 'h0' : `h${position}`
}

/** The hash template of an index is that of the first one where they share the attribute. */
function hashPart(cases: readonly IndexCase[], position: number): Part {
  return cases[cases[position]?.shared ? 0 : position]!.hash
}

function define(cases: readonly IndexCase[]): SchemaDefinition {
  const template = ({ literal, names }: Part): string =>
    [
      literal,
      ...names.map(
        (name) => `\${${name}${name === 'n' ? ':pad(4)' : name === 'a' ? ':lower' : ''}}`,
      ),
    ].join('#')
  const indexes: Record<string, object> = {}
  const index: Record<string, string> = {}
  const when: Record<string, object> = {}
  cases.forEach(({ sort, when: states }, position) => {
    const hash = hashName(cases, position)
    indexes[`gsi${position}`] = { hash, sort: sort === 'b' ? 'b' : `s${position}` }
    index[hash] = template(hashPart(cases, position))
    if (sort !== 'b') index[`s${position}`] = template(sort)
    if (states !== undefined) when[`gsi${position}`] = { state: states }
  })
  return {
    indexes: { primary: { hash: 'pk', sort: 'sk' }, ...indexes },
    models: {
      Thing: {
        key: { pk: 'THING#${id}', sk: 'PART#${part}' },
        index,
        when,
        shortKeys: cases.flatMap(({ short }, position) => (short ? `gsi${position}` : [])),
        attributes: {
          id: { type: String },
          part: { type: String },
          a: { type: String },
          b: { type: String },
          c: { type: String },
          n: { type: Number },
          state: { type: String, enum: STATES, default: DEFAULT_STATE },
        },
      },
    },
  } as unknown as SchemaDefinition
}

/** The keys an item with these values must have in an index; none if it is not in it. */
function keysOf(
  cases: readonly IndexCase[],
  position: number,
  item: Values,
): Record<string, string> | undefined {
  const { sort, when, short } = cases[position]!
  const hash = hashPart(cases, position)
  const names = [...hash.names, ...(sort === 'b' ? ['b'] : sort.names)]
  const missing = names.filter((name) => item[name] === undefined)
  if (missing.length > 0 && (!short || missing.length === names.length)) return undefined
  if (when !== undefined && !when.includes(String(item.state))) return undefined
  const render = ({ literal, names: all }: Part): string => {
    const end = all.findIndex((name) => item[name] === undefined)
    const parts = end < 0 ? all : all.slice(0, end)
    const strings = parts.map((name) =>
      name === 'n'
        ? String(item[name]).padStart(4, '0')
        : name === 'a'
          ? String(item[name]).toLowerCase()
          : item[name],
    )
    return [literal, ...strings, ...(end < 0 ? [] : [''])].join('#')
  }
  const keys = { [hashName(cases, position)]: render(hash) }
  if (sort !== 'b') keys[`s${position}`] = render(sort)
  return keys
}

const wire = (value: string | number) =>
  typeof value === 'number' ? { N: String(value) } : { S: value }

/** The whole item as it must be stored. */
function storedItem(cases: readonly IndexCase[], item: Values): Item {
  const keys = cases.map((_, position) => keysOf(cases, position, item) ?? {})
  const strings = { pk: `THING#${item.id}`, sk: `PART#${item.part}`, _type: 'Thing' }
  const all: Values = Object.assign({}, item, strings, ...keys)
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, wire(value)]))
}

const keyOf = (item: Values): string => `${item.id} ${item.part}`
const sorted = (items: readonly Item[]): Item[] =>
  [...items].sort((a, b) => (`${a.pk?.S} ${a.sk?.S}` < `${b.pk?.S} ${b.sk?.S}` ? -1 : 1))

/** Carries out a step in the table and in a Map; both must agree on whether it can be. */
async function run(table: WriteTable, items: Map<string, Values>, it: Step): Promise<void> {
  const place = keyOf(it.key)
  const current = items.get(place)
  if ('values' in it) {
    const written = table.put('Thing', { ...it.key, ...it.values }, { verb: it.kind })
    if (it.kind === 'create' && current !== undefined) {
      await expect(written).rejects.toMatchObject({ code: 'ITEM_EXISTS' })
      return
    }
    const item = { state: DEFAULT_STATE, ...it.key, ...it.values }
    expect(await written).toEqual(item)
    items.set(place, item)
    return
  }
  if (it.kind === 'delete') {
    await table.delete('Thing', it.key)
    items.delete(place)
    return
  }
  const remove = it.remove.filter((name) => !Object.hasOwn(it.set, name))
  const add = it.add && !Object.hasOwn(it.set, 'n') && !remove.includes('n')
  const moves = it.kind === 'update' && it.target !== undefined && it.target !== it.key.part
  const set: Values =
    it.kind === 'update' && it.target !== undefined ? { ...it.set, part: it.target } : it.set
  const given = Object.fromEntries(it.given.map((name) => [name, current?.[name]]))
  const changes: Changes = { set, remove, add: add ? { n: 1 } : {}, given }
  if (it.kind === 'update' && Object.keys(set).length + remove.length + Number(add) === 0) {
    expect(() => table.planUpdate('Thing', it.key, changes)).toThrow(/nothing is changed/)
    return
  }
  const written = table[it.kind]('Thing', it.key, changes)
  if (it.kind === 'update' && current === undefined) {
    await expect(written).rejects.toMatchObject({ code: 'ITEM_NOT_FOUND' })
    return
  }
  const target = { ...it.key, ...(moves && { part: it.target! }) }
  if (moves && items.has(keyOf(target))) {
    await expect(written).rejects.toMatchObject({ code: 'ITEM_EXISTS' })
    return
  }
  const item: Values = { ...current, ...it.key, ...set }
  for (const name of remove) delete item[name]
  if (add) item.n = Number(item.n ?? 0) + 1
  if (it.kind === 'upsert' && !current && !remove.includes('state')) item.state ??= DEFAULT_STATE
  expect(await written).toEqual(item)
  items.delete(place)
  items.set(keyOf(target), item)
}

test(
  'after any writes the entries of every index are the items that belong there, under their keys',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        indexCases,
        fc.array(step, { minLength: 1, maxLength: 10 }),
        async (cases, steps) => {
          const table = await createWriteTable(define(cases))
          const items = new Map<string, Values>()
          for (const it of steps) {
            await run(table, items, it)
            const stored = sorted([...items.values()].map((item) => storedItem(cases, item)))
            expect(sorted(await table.scan())).toEqual(stored)
          }
          for (const position of cases.keys()) {
            const held = [...items.values()].filter(
              (item) => entryOf(cases, position, item) !== undefined,
            )
            const expected = sorted(held.map((item) => storedItem(cases, item)))
            expect(sorted(await table.scan(`gsi${position}`))).toEqual(expected)
          }
          await table.engine.close()
        },
      ),
      { numRuns: runs, ...seed },
    )
  },
  timeoutMs,
)

/** DynamoDB holds an item in an index that has both key attributes, also if another index put one
 * of them there. */
function entryOf(cases: readonly IndexCase[], position: number, item: Values): true | undefined {
  const stored = storedItem(cases, item)
  const { sort } = cases[position]!
  const names = [hashName(cases, position), sort === 'b' ? 'b' : `s${position}`]
  return names.every((name) => stored[name] !== undefined) ? true : undefined
}
