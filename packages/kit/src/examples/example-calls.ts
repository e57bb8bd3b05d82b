import { Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import {
  compileSchema,
  createTableRequest,
  type OperationName,
  type Pattern,
  type SchemaDefinition,
  ServiceError,
  type Transport,
} from 'singletable/tools'
import { makeItems, type SeedItem } from '../seed/make-items.ts'
import { createRandom, seededEnvironment } from '../seed/seeded-random.ts'
import { transactionInput } from '../seed/transaction-input.ts'
import { writeItems } from '../seed/write-items.ts'
import { chooseInput } from './choose-input.ts'
import { readSample, type Sample, type SampledItem } from './read-sample.ts'

/** A call of a pattern, and the request it sends. */
export interface ExampleCall {
  readonly input: unknown
  readonly operation: OperationName
  readonly request: object
}

/** Sample data as it is stored, and for each pattern that it can answer a call about it. */
export interface Examples {
  readonly items: readonly SampledItem[]
  readonly calls: ReadonlyMap<string, ExampleCall>
}

const ITEMS = 60
const LEAST = 6
const SEED = 1
/** Items of each model that are kept for the calls that write. */
const HELD_MAX = 3

/** A pattern's function without types: the library checks its input. */
type LoosePattern = (input: unknown) => Promise<unknown>
type Values = Readonly<Record<string, unknown>>

/**
 * Writes sample data to an engine of its own and calls every pattern with an input from that data.
 * Equal schemas give equal examples. A model for which no value is found has no items, a pattern
 * that no item can answer has no call, and a table that DynamoDB rejects has neither.
 */
export async function exampleCalls(
  definition: SchemaDefinition,
  tableName: string,
  { count = ITEMS, least = LEAST }: { readonly count?: number; readonly least?: number } = {},
): Promise<Examples> {
  const schema = compileSchema(definition)
  const random = createRandom(SEED)
  const environment = seededEnvironment(random)
  const engine = createEngine()
  let sent: Omit<ExampleCall, 'input'>[] = []
  const transport: Transport = {
    send: (operation, request, options) => {
      sent.push({ operation, request: plainRequest(request) })
      return engine.send(operation, request, options)
    },
  }
  const table = new Table({
    name: tableName,
    schema: definition,
    client: transport,
    // A separate environment, so that making items and writing them don't advance each other's
    // clock.
    environment: seededEnvironment(createRandom(SEED + 1)),
  })
  // A schema that is loaded at run time has no useful types.
  const patterns = table.patterns as unknown as Readonly<Record<string, LoosePattern | undefined>>
  const calls = new Map<string, ExampleCall>()
  try {
    await engine.send('CreateTable', createTableRequest(schema, tableName))
    const [written, fresh] = holdBack(
      makeItems(schema, { count, least, random, environment }),
      createdBy(schema.patterns.values()),
    )
    await writeItems(table, written, { schema, transport: engine, skipsRefused: true })
    const sample = await readSample(engine, schema, tableName)
    // Reads run first, because writes change what they find.
    const ordered = [...schema.patterns.values()].sort(
      (a, b) => Number(isRead(b)) - Number(isRead(a)),
    )
    for (const pattern of ordered) {
      const call = patterns[pattern.name]
      if (call === undefined || pattern.definition.op === 'external') continue
      for (let attempt = 0; attempt < HELD_MAX && !calls.has(pattern.name); attempt++) {
        const input = isRead(pattern)
          ? chooseInput(pattern, sample)
          : writeInput(pattern, sample, fresh, attempt)
        if (input === undefined) break
        sent = []
        // A pattern that the items can't answer after all has no example.
        await call(input).catch(() => {
          sent = []
        })
        // A write may read the item first.
        const example = isRead(pattern) ? sent[0] : sent.at(-1)
        if (example) calls.set(pattern.name, { ...example, input })
      }
    }
    return { items: sample.items, calls }
  } catch (error) {
    if (error instanceof ServiceError) return { items: [], calls }
    throw error
  } finally {
    await engine.close()
  }
}

/** Without what the library adds to every request: it is not interesting in an example. */
function plainRequest(request: object): object {
  const { ReturnConsumedCapacity, ClientRequestToken, ...plain } = request as Values
  return plain
}

function isRead({ definition: { op } }: Pattern): boolean {
  return /query|scan|[gG]et/.test(op)
}

/** The entities whose whole items are written by patterns. */
function createdBy(patterns: Iterable<Pattern>): ReadonlySet<string> {
  const steps = [...patterns].flatMap((pattern) => [pattern, ...pattern.steps.values()])
  const writes = steps.filter(({ definition: { op } }) => op === 'create' || op === 'put')
  return new Set(writes.flatMap(({ models }) => models.map(({ name }) => name)))
}

/**
 * Items to write first, and by entity further items for the calls that write. The latter may
 * reference items that do not exist.
 */
function holdBack(
  made: Iterable<SeedItem>,
  created: ReadonlySet<string>,
): readonly [written: readonly SeedItem[], fresh: ReadonlyMap<string, readonly Values[]>] {
  const byEntity = new Map<string, SeedItem[]>()
  for (const item of made) {
    const list = byEntity.get(item.entity)
    if (list) list.push(item)
    else byEntity.set(item.entity, [item])
  }
  const held = [...byEntity].map(([entity, list]) => {
    const kept = Math.max(1, list.length - HELD_MAX)
    const rest = list.length > 1 && created.has(entity) ? list.splice(kept) : list
    return [entity, rest.map(({ input }) => input)] as const
  })
  return [[...byEntity.values()].flat(), new Map(held)]
}

/** The input of a write: a new item, or the key and the changes of an existing one. */
function writeInput(
  pattern: Pattern,
  sample: Sample,
  inputs: ReadonlyMap<string, readonly Values[]>,
  attempt: number,
): unknown {
  const { definition, models, steps } = pattern
  if (definition.op === 'transact') {
    const inside = [...steps].map(
      ([name, step]) => [name, writeInput(step, sample, inputs, attempt)] as const,
    )
    // The input of a step is an object.
    return inside.every(([, input]) => input !== undefined)
      ? transactionInput(pattern, inside as [string, Values][])
      : undefined
  }
  const [model] = models
  if (model === undefined) return undefined
  const fresh = inputs.get(model.name)?.[attempt]
  if (definition.op === 'create' || definition.op === 'put') return fresh
  const found = sample.items.find((each) => each.model === model)?.output
  if (found === undefined) return undefined
  const pick = (names: Iterable<string>, from: Values): Values =>
    Object.fromEntries(Array.from(names, (name) => [name, from[name] ?? found[name]]))
  if (definition.op === 'update') {
    const changed = [...(definition.set ?? []), ...(definition.add ?? [])]
    return { ...pick(definition.by, found), ...pick(changed, fresh ?? found) }
  }
  if (definition.op === 'delete' || definition.op === 'check') {
    return pick(pattern.input?.keys() ?? definition.by, found)
  }
  return undefined
}
