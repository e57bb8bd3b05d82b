import { Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import {
  compileSchema,
  type Item,
  type Pattern,
  type SchemaDefinition,
  type Transport,
} from 'singletable/tools'
import { chooseInput } from '../dev/choose-input.ts'
import { readSample, type Sample } from '../dev/read-sample.ts'
import type { ExampleRequest, Examples } from '../infra/awslabs.ts'
import { makeItems } from '../seed/make-items.ts'
import { createRandom, seededEnvironment, writingEnvironment } from '../seed/seeded-random.ts'
import { writeItems } from '../seed/write-items.ts'

const ITEMS = 60
const SEED = 1

/** A pattern's function, as it is called without types: the library checks what it is given. */
type LoosePattern = (input: unknown) => Promise<unknown>

/**
 * Makes sample data on an engine of its own and calls every pattern with an input about them, to see the request it sends. Equal schemas give equal
 * examples. Patterns that no item can answer have none.
 */
export async function exampleRequests(
  definition: SchemaDefinition,
  tableName: string,
): Promise<Examples> {
  const schema = compileSchema(definition)
  const random = createRandom(SEED)
  const environment = seededEnvironment(random)
  const engine = createEngine()
  let sent: ExampleRequest[] = []
  const transport: Transport = {
    send: (operation, request, options) => {
      sent.push({ operation, request })
      return engine.send(operation, request, options)
    },
  }
  const table = new Table({
    name: tableName,
    schema: definition,
    client: transport,
    environment: writingEnvironment(),
  })
  // The types of a schema that is loaded at run time say nothing.
  const patterns = table.patterns as unknown as Readonly<Record<string, LoosePattern | undefined>>
  try {
    await table.create()
    const made = makeItems(schema, { count: ITEMS, least: 2, random, environment })
    await writeItems(table, made, { schema, transport: engine, skipsRefused: true })
    // Others than those that are there, so that something new can be written.
    const others = makeItems(schema, { count: schema.models.size, random, environment })
    const fresh = new Map(Array.from(others, ({ entity, input }) => [entity, input]))
    const sample = await readSample(engine, schema, tableName)
    const requests = new Map<string, ExampleRequest>()
    // Reads come first: writes change what they would find.
    const isRead = ({ definition: { op } }: Pattern): boolean => /query|scan|[gG]et/.test(op)
    const ordered = [...schema.patterns.values()].sort(
      (a, b) => Number(isRead(b)) - Number(isRead(a)),
    )
    for (const pattern of ordered) {
      const input = isRead(pattern)
        ? chooseInput(pattern, sample)
        : writeInput(pattern, sample, fresh)
      const call = patterns[pattern.name]
      if (input === undefined || call === undefined || pattern.definition.op === 'external')
        continue
      sent = []
      // What the items can't answer after all has no example.
      await call(input).catch(() => {
        sent = []
      })
      // A write may read the item first.
      const example = isRead(pattern) ? sent[0] : sent.at(-1)
      if (example) requests.set(pattern.name, example)
    }
    return { items: itemsOf(sample), requests }
  } finally {
    await engine.close()
  }
}

function itemsOf({ items }: Sample): readonly Item[] {
  return items.map(({ item }) => item)
}

/** Of what is written: the whole of a new item, or the key and the changes of one that is there. */
function writeInput(
  { definition, models, input }: Pattern,
  { items }: Sample,
  inputs: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
): unknown {
  const [model] = models
  if (model === undefined) return undefined
  const fresh = inputs.get(model.name)
  const found = items.find((each) => each.model === model)?.output
  if (definition.op === 'create' || definition.op === 'put') return fresh
  if (definition.op === 'update' && found) {
    const names = [...(definition.set ?? []), ...(definition.add ?? [])]
    return Object.fromEntries([
      ...definition.by.map((name) => [name, found[name]]),
      ...names.map((name) => [name, fresh?.[name] ?? found[name]]),
    ])
  }
  if (definition.op === 'delete' && found) {
    return Object.fromEntries(
      [...(input?.keys() ?? definition.by)].map((name) => [name, found[name]]),
    )
  }
  return undefined
}
