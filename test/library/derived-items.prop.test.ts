import fc from 'fast-check'
import { type SchemaDefinition, SingletableError, Table } from 'singletable'
import { createEngine, type Engine } from 'singletable/engine'
import { expect, test } from 'vitest'

/**
 * After any program on any schema with copies, unique values, counters and indexes, whatever goes
 * wrong on the way, all that follows from the items is just what a naive look at the items says.
 */

// A long run: PROPERTY_RUNS=10000 PROPERTY_SEED=1. A failure prints its seed in any case.
const runs = Number(process.env.PROPERTY_RUNS ?? 150)
const seed = Number(process.env.PROPERTY_SEED ?? Date.now() % 2 ** 31)
const TIMEOUT_MS = 60_000 + runs * 100
const NOW = Date.UTC(2030, 0, 1)

interface Shape {
  /** The parent is in the item's key. */
  readonly inKey: boolean
  readonly version: boolean
  readonly ttl: boolean
  readonly email: false | true | 'ignore-case'
  readonly pair: boolean
  readonly byTag: false | 'all' | 'some' | 'when'
  readonly fixed: boolean
  /** A copy for each label: of a list, or of a set; with all attributes, with none, or while a
   * condition holds. */
  readonly labels: false | 'list' | 'set'
  readonly byLabel: 'all' | 'none' | 'when'
  readonly counts: boolean
  readonly sums: boolean
  readonly sparse: boolean
  readonly parentName: boolean
}

const shape: fc.Arbitrary<Shape> = fc.record({
  inKey: fc.boolean(),
  version: fc.boolean(),
  ttl: fc.boolean(),
  email: fc.constantFrom<Shape['email']>(false, true, 'ignore-case'),
  pair: fc.boolean(),
  byTag: fc.constantFrom<Shape['byTag']>(false, 'all', 'some', 'when'),
  fixed: fc.boolean(),
  labels: fc.constantFrom<Shape['labels']>(false, 'list', 'set'),
  byLabel: fc.constantFrom<Shape['byLabel']>('all', 'none', 'when'),
  counts: fc.boolean(),
  sums: fc.boolean(),
  sparse: fc.boolean(),
  parentName: fc.boolean(),
})

function schemaOf(shape: Shape): SchemaDefinition {
  const id = shape.inKey ? '${pid}#${cid}' : '${cid}'
  return {
    indexes: { primary: { hash: 'pk', sort: 'sk' }, gsi: { hash: 'gpk', sort: 'gsk' } },
    models: {
      Parent: {
        key: { pk: 'P#${pid}', sk: 'P' },
        attributes: {
          pid: { type: String, required: true },
          name: { type: String, ...(shape.parentName && { unique: true }) },
          ...(shape.counts && {
            all: { type: Number, counts: 'Child' },
            on: {
              type: Number,
              counts: { model: 'Child', by: { pid: 'pid' }, when: { state: 'on' } },
            },
          }),
          ...(shape.sums && {
            total: { type: Number, sums: 'Child.n' },
            totalOn: { type: Number, sums: { of: 'Child.n', when: { state: 'on' } } },
          }),
        },
      },
      Child: {
        key: shape.inKey ? { pk: 'P#${pid}', sk: 'C#${cid}' } : { pk: 'C#${cid}', sk: 'C' },
        index: { gpk: 'STATE#${state}', gsk: `TAG#\${tag}#${id}` },
        ...(shape.sparse && { when: { gsi: { state: 'on' } } }),
        attributes: {
          cid: { type: String, required: true },
          pid: { type: String },
          tag: { type: String },
          state: { type: String, enum: ['on', 'off'] },
          email: { type: String, unique: shape.email },
          n: { type: Number, map: 'number' },
          labels: {
            type: shape.labels === 'set' ? Set : Array,
            items: { type: String },
            map: 'names',
          },
          free: { type: Number },
          ...(shape.version && { version: { type: Number, version: true } }),
          ...(shape.ttl && { ends: { type: Number, ttl: true } }),
        },
        ...(shape.pair && { unique: { pair: ['tag', 'n'] } }),
        copies: {
          ...(shape.byTag && {
            ByTag: {
              key: { pk: 'T#${tag}', sk: `C#${id}` },
              ...(shape.byTag === 'some' && {
                index: { gpk: 'COPY#${state}', gsk: 'C#${cid}' },
                attributes: ['email'],
              }),
              ...(shape.byTag === 'when' && { when: { state: 'on' } }),
            },
          }),
          ...(shape.labels && {
            ByLabel: {
              each: 'labels',
              key: { pk: 'L#${label:lower}', sk: `C#${id}` },
              ...(shape.byLabel === 'none' && {
                index: { gpk: 'LABEL#${label}', gsk: 'C#${cid}' },
                attributes: [],
              }),
              ...(shape.byLabel === 'when' && { when: { state: 'on', label: ['l', 'm'] } }),
            },
          }),
          ...(shape.fixed && {
            Fixed: { key: { pk: `F#${id}`, sk: 'F' }, attributes: ['n', 'state'] },
          }),
        },
      },
    },
  } as unknown as SchemaDefinition
}

const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 4 })
const pid = fc.constantFrom('p', 'q')
const cid = fc.constantFrom('1', '2', '3')
const values = fc.record({
  tag: maybe(fc.constantFrom('x', 'y')),
  state: maybe(fc.constantFrom('on', 'off')),
  email: maybe(fc.constantFrom('a', 'A', 'b', '')),
  n: maybe(fc.constantFrom(0, 1, 2.5)),
  labels: maybe(fc.array(fc.constantFrom('l', 'L', 'm', 'k'), { maxLength: 4 })),
  ends: maybe(fc.constantFrom(NOW / 1000 - 10, NOW / 1000 + 10)),
  pid: maybe(pid),
})
type Values = typeof values extends fc.Arbitrary<infer T> ? T : never

const child = fc.record({ pid, cid, values })
const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('create', 'put'), child }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('update', 'upsert'),
      child,
      remove: fc.subarray(['tag', 'email', 'n', 'state', 'labels'], { maxLength: 1 }),
      add: fc.boolean(),
      label: fc.constantFrom('set', 'add', 'delete'),
      free: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('move'), child, to: cid }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete'), child }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('batch', 'transact'),
      children: fc.uniqueArray(child, {
        selector: (each) => each.cid,
        minLength: 1,
        maxLength: 3,
      }),
      deletes: fc.integer({ min: 0, max: 2 }),
      parent: fc.constantFrom('none', 'create', 'check', 'update', 'upsert'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('parent create', 'parent put', 'parent update', 'parent upsert'),
      pid,
      name: maybe(fc.constantFrom('m', 'n')),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('parent delete'), pid }) },
)
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

const fault = fc.record({
  kind: fc.constantFrom('before', 'after', 'throttle', 'conflict'),
  probability: fc.constantFrom(0.1, 0.3, 0.6),
  seed: fc.nat(1000),
})

// The builders of a schema that the compiler does not know.
// biome-ignore lint/suspicious/noExplicitAny: as above
type Anything = any

function start(shape: Shape, table: Anything, operation: Operation): Anything {
  const { Parent, Child } = table.entities
  const labelsOf = (labels: readonly string[] | undefined) =>
    shape.labels !== 'set' ? labels : labels?.length ? new Set(labels) : undefined
  const known = ({ ends, labels, ...rest }: Values, cid: string, pid: string) => ({
    ...rest,
    labels: labelsOf(labels),
    ...(shape.ttl && { ends }),
    cid,
    ...(shape.inKey && { pid }),
  })
  const keyOf = (cid: string, pid: string) => (shape.inKey ? { cid, pid } : { cid })
  const parent = (verb: string, pid: string, name?: string) =>
    verb === 'create' || verb === 'put'
      ? Parent[verb]({ pid, name })
      : verb === 'delete'
        ? Parent.delete({ pid })
        : Parent[verb]({ pid }).set({ name: name ?? 'm' })
  if ('child' in operation) {
    const { cid, pid, values } = operation.child
    const { kind } = operation
    if (kind === 'create' || kind === 'put') return Child[kind](known(values, cid, pid))
    if (kind === 'delete') return Child.delete(keyOf(cid, pid))
    if ('to' in operation) return Child.update(keyOf(cid, pid)).set({ cid: operation.to })
    const { remove, add, free, label } = operation as typeof operation & {
      remove: string[]
      add: boolean
      label: 'set' | 'add' | 'delete'
      free: boolean
    }
    const { cid: _, ...changes } = known(values, cid, pid)
    const changed: Record<string, unknown> = { ...changes }
    if (shape.inKey) delete changed.pid
    for (const name of remove) delete changed[name]
    if (add) delete changed.n
    const members = label === 'set' || free ? undefined : changed.labels
    if (members) delete changed.labels
    let update = Child[kind](keyOf(cid, pid))
    update = free ? update.add('free', 1) : update.set(changed).remove(...remove)
    if (members) {
      if (shape.labels === 'set') update = update[label]('labels', members)
      else update = update.append('labels', members)
    }
    return add && !free && !remove.includes('n') ? update.add('n', 1) : update
  }
  if ('children' in operation) {
    const { children, deletes, kind } = operation
    if (kind === 'batch') {
      return table.batchWrite(
        children.map(({ cid, pid, values }, index) =>
          index < deletes ? Child.delete(keyOf(cid, pid)) : Child.put(known(values, cid, pid)),
        ),
      )
    }
    let transaction = table.transactWrite()
    const { parent: verb } = operation
    if (verb === 'create') transaction = transaction.add(Parent.create({ pid: 'q', name: 'q' }))
    else if (verb !== 'none') {
      const write = Parent[verb]({ pid: 'q' })
      const named = verb === 'check' ? write : write.set({ name: 'q' })
      // A transaction can't look up which name becomes free.
      const isUnique = shape.parentName && verb === 'update'
      transaction = transaction.add(isUnique ? named.given({ name: 'm' }) : named)
    }
    for (const { cid, pid, values } of children) {
      transaction = transaction.add(Child.create(known(values, cid, pid)))
    }
    return transaction
  }
  return parent(
    operation.kind.slice('parent '.length),
    operation.pid,
    'name' in operation ? operation.name : undefined,
  )
}

interface Stored {
  readonly [name: string]: {
    readonly S?: string
    readonly N?: string
    readonly M?: Stored
    readonly L?: readonly { readonly S: string }[]
    readonly SS?: readonly string[]
  }
}

async function allItems(engine: Engine): Promise<Stored[]> {
  // Only strings, numbers, maps, lists and sets of strings are stored here.
  return ((await engine.send('Scan', { TableName: 'things' })).Items ?? []) as unknown as Stored[]
}

/** What the items of the models ask for: all that must be in the table. */
function expected(shape: Shape, items: readonly Stored[]): Map<string, Stored> {
  const all = new Map<string, Stored>()
  const add = (item: Stored) => all.set(`${item.pk?.S}|${item.sk?.S}`, item)
  const children = items.filter((item) => item._type?.S === 'Child')
  const guard = (owner: Stored, parts: readonly (string | undefined)[]) => {
    if (parts.includes(undefined)) return
    const isExpired = owner.ends !== undefined && Number(owner.ends.N) * 1000 <= NOW
    if (isExpired) return
    const { pk, sk, ends } = owner
    add({
      pk: { S: `UNIQUE#${parts.join('#')}` },
      sk: { S: 'UNIQUE' },
      _type: { S: '_unique' },
      _owner: { M: { pk: pk!, sk: sk! } },
      ...(parts[1] === 'email' && shape.email === 'ignore-case' && { _folding: { S: '14.0' } }),
      ...(ends && { ends }),
    } as Stored)
  }
  for (const item of items) {
    if (item._type?.S === 'Parent') {
      const own = children.filter(({ pid }) => pid?.S === item.pid?.S)
      const on = own.filter(({ state }) => state?.S === 'on')
      add({
        ...item,
        ...(shape.counts && { all: { N: String(own.length) }, on: { N: String(on.length) } }),
        ...(shape.sums && { total: { N: sumOf(own) }, totalOn: { N: sumOf(on) } }),
      })
      if (shape.parentName) guard(item, ['Parent', 'name', item.name?.S])
    }
  }
  for (const item of children) {
    const { gpk, gsk, ...rest } = item
    const { cid, pid, tag, state, email, number, ends } = rest
    const id = shape.inKey ? `${pid?.S}#${cid?.S}` : cid?.S
    const isIn = tag && state && (!shape.sparse || state.S === 'on')
    add({
      ...rest,
      ...(isIn && { gpk: { S: `STATE#${state.S}` }, gsk: { S: `TAG#${tag.S}#${id}` } }),
    } as Stored)
    const folded = shape.email === 'ignore-case' ? email?.S?.toLowerCase() : email?.S
    if (shape.email) guard(item, ['Child', 'email', folded])
    if (shape.pair) guard(item, ['Child', 'pair', tag?.S, number?.N])
    if (shape.byTag && tag && (shape.byTag !== 'when' || state?.S === 'on')) {
      const own = { pk: { S: `T#${tag.S}` }, sk: { S: `C#${id}` }, _type: { S: 'ByTag' } }
      if (shape.byTag === 'some') {
        add({
          ...pick({ cid, tag, state, email, ends, ...(shape.inKey && { pid }) }),
          ...own,
          ...(state && { gpk: { S: `COPY#${state.S}` }, gsk: { S: `C#${cid?.S}` } }),
        } as Stored)
      } else add({ ...rest, ...own } as Stored)
    }
    const { names } = rest
    const labels = names?.L?.map(({ S }) => S) ?? [...(names?.SS ?? [])].sort()
    for (const label of shape.labels ? labels : []) {
      if (shape.byLabel === 'when' && !(state?.S === 'on' && ['l', 'm'].includes(label))) continue
      const key = { pk: { S: `L#${label.toLowerCase()}` }, sk: { S: `C#${id}` } }
      // Of labels that differ in case alone the first has the copy.
      if (all.has(`${key.pk.S}|${key.sk.S}`)) continue
      const own = { ...key, _type: { S: 'ByLabel' }, label: { S: label } }
      if (shape.byLabel === 'none') {
        const index = { gpk: { S: `LABEL#${label}` }, gsk: { S: `C#${cid?.S}` } }
        add({ ...pick({ cid, ends, ...(shape.inKey && { pid }) }), ...own, ...index } as Stored)
      } else add({ ...rest, ...own } as Stored)
    }
    if (shape.fixed) {
      add({
        ...pick({ cid, number, state, ends, ...(shape.inKey && { pid }) }),
        pk: { S: `F#${id}` },
        sk: { S: 'F' },
        _type: { S: 'Fixed' },
      } as Stored)
    }
  }
  return all
}

/** Halves are exact in binary, too. */
function sumOf(items: readonly Stored[]): string {
  return String(items.reduce((sum, { number }) => sum + Number(number?.N ?? 0), 0))
}

function pick(item: { readonly [name: string]: unknown }): object {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined))
}

test(
  `what follows from the items agrees with them after any program (seed ${seed})`,
  async () => {
    await fc.assert(
      fc.asyncProperty(
        shape,
        fc.array(fc.array(operation, { minLength: 1, maxLength: 3 }), { maxLength: 12 }),
        fc.array(fault, { maxLength: 3 }),
        async (shape, program, faults) => {
          const engine = createEngine()
          const table = new Table({
            name: 'things',
            schema: schemaOf(shape),
            client: engine,
            retry: { attemptsMax: 3, delayMsBase: 0, delayMsMax: 0 },
            environment: {
              now: () => NOW,
              randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
              schedule(callback, delayMs) {
                const timer = setTimeout(callback, delayMs)
                return () => clearTimeout(timer)
              },
            },
          })
          await table.create()
          for (const { kind, probability, seed } of faults) {
            // The clock does not advance, so that only success ends a call whose items are in
            // conflict, and each of a dozen items can be.
            const most = kind === 'conflict' ? 0.08 : 1
            const scope = { probability: Math.min(probability, most), seed, operation: WRITES }
            if (kind === 'before' || kind === 'after') {
              engine.faults.add({ kind: 'error', when: kind, ...scope })
            } else engine.faults.add({ kind, ...scope })
          }
          for (const group of program) {
            // An application deletes a parent after its items, not while it makes new ones.
            const deletion = group.find(({ kind }) => kind === 'parent delete')
            if (deletion && 'pid' in deletion) {
              const isFree = !(await allItems(engine)).some(
                ({ _type, pid }) => _type?.S === 'Child' && pid?.S === deletion.pid,
              )
              if (isFree) await attempt(start(shape, table, deletion))
              continue
            }
            await Promise.all(group.map((operation) => attempt(start(shape, table, operation))))
          }
          engine.faults.clear()
          const items = await allItems(engine)
          const actual = new Map(
            items
              // What holds nothing any more may stay until DynamoDB deletes it.
              .filter(
                ({ _type, ends }) =>
                  !(_type?.S === '_unique' && ends && Number(ends.N) * 1000 <= NOW),
              )
              .map((item) => [`${item.pk?.S}|${item.sk?.S}`, item]),
          )
          expect(sorted(actual)).toEqual(sorted(expected(shape, items)))
          await engine.close()
        },
      ),
      { numRuns: runs, seed },
    )
  },
  TIMEOUT_MS,
)

const WRITES = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems']

/** Runs it; only errors of ours may come out. */
async function attempt(builder: { execute(): Promise<unknown> }): Promise<void> {
  try {
    await builder.execute()
  } catch (error) {
    if (!SingletableError.is(error)) throw error
  }
}

function sorted(items: ReadonlyMap<string, Stored>): unknown {
  return [...items].sort(([a], [b]) => (a < b ? -1 : 1))
}
