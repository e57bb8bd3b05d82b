import { type SchemaDefinition, SingletableError, Table } from 'singletable'
import type { ItemStep } from 'singletable/migrations'
import {
  addDecimals,
  type Counter,
  getOwn,
  type Item,
  keyFromItem,
  type Model,
  parseDecimal,
  type Schema,
  ServiceError,
  type Transport,
} from 'singletable/tools'
import { sendPatiently } from '../transfer/send-patiently.ts'
import { MigrationError } from './migration-error.ts'

/** Brings the counters of an item up to date; gives whether one was wrong. */
export type ItemCounter = (item: Item, isDry: boolean) => Promise<boolean>

interface CounterOf {
  readonly child: Model
  readonly counter: Counter
}

interface LooseEntity {
  query(values: object): PromiseLike<readonly Record<string, unknown>[]>
}

/**
 * Counts what the steps name. A counter is written only if it is as it was before the count, so
 * that what the application counts at the same time is not lost.
 */
export function createItemCounter(options: {
  readonly transport: Transport
  readonly tableName: string
  readonly after: Schema
  readonly steps: readonly ItemStep[]
}): ItemCounter {
  const { transport, tableName, after, steps } = options
  const counters = steps.flatMap((step): readonly CounterOf[] =>
    step.kind === 'countItems' ? countersOf(after, step.model, step.attribute) : [],
  )
  if (counters.length === 0) return async () => false
  const table = new Table({ name: tableName, schema: after.definition, client: transport })
  return async (item, isDry) => {
    let changed = false
    for (const { child, counter } of counters) {
      const type = getOwn(item, after.params.typeField)
      if (type?.S !== counter.parent.type) continue
      if (await recount(child, counter, item, isDry)) changed = true
    }
    return changed
  }

  async function recount(
    child: Model,
    counter: Counter,
    item: Item,
    isDry: boolean,
  ): Promise<boolean> {
    const { parent, attribute, links } = counter
    const Key = keyFromItem(after.primary, item)
    const values = parent.decode(item, true)
    const wanted = Object.fromEntries(
      [...links].map(([name, link]) => [link, getOwn(values, name)]),
    )
    for (;;) {
      const { Item: current } = await sendPatiently(transport, 'GetItem', {
        TableName: tableName,
        Key,
        ConsistentRead: true,
      })
      if (current === undefined) return false
      const known = getOwn(current, attribute.stored)
      const count = await countChildren(table, child, counter, wanted)
      const isRight = known?.N !== undefined && plain(known.N) === count
      if (isRight || isDry) return !isRight
      try {
        await sendPatiently(transport, 'UpdateItem', {
          TableName: tableName,
          Key,
          UpdateExpression: 'SET #count = :count',
          ConditionExpression: known ? '#count = :known' : 'attribute_not_exists(#count)',
          ExpressionAttributeNames: { '#count': attribute.stored },
          ExpressionAttributeValues: {
            ':count': { N: count },
            ...(known && { ':known': known }),
          },
        })
        return true
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        if (error.name !== 'ConditionalCheckFailedException') throw error
      }
    }
  }
}

/** A number as everybody else writes it: DynamoDB Local has 95.50 after it added two. */
export function plain(number: string): string {
  return parseDecimal(number).text ?? number
}

function countersOf(schema: Schema, parent: string, attribute: string): readonly CounterOf[] {
  return [...schema.models.values()].flatMap((child) =>
    (child.derivedItems?.counters ?? [])
      .filter((each) => each.parent.name === parent && each.attribute.name === attribute)
      .map((counter) => ({ child, counter })),
  )
}

async function countChildren(
  table: Table<SchemaDefinition>,
  child: Model,
  { when, sums }: Counter,
  values: object,
): Promise<string> {
  // The types of a schema that is loaded at run time say nothing; the entity checks what it is
  // given.
  const entity = (table.entities as unknown as Record<string, LooseEntity>)[child.name]!
  try {
    const items = await entity.query(values)
    const counted = items.filter((item) =>
      [...(when ?? [])].every(([name, allowed]) => allowed.includes(getOwn(item, name))),
    )
    if (sums === undefined) return String(counted.length)
    return counted.reduce(
      (sum, item) => addDecimals(sum, String(getOwn(item, sums.name) ?? 0)) ?? sum,
      '0',
    )
  } catch (error) {
    if (!SingletableError.is(error) || error.code !== 'PLAN_NO_INDEX') throw error
    throw new MigrationError(
      `The items of ${child.name} that a parent counts can't be found by ${Object.keys(values).join(', ')}.`,
      `migration, countItems`,
      `give ${child.name} an index by ${Object.keys(values).join(', ')}, or write the counts by a custom step`,
      { cause: error },
    )
  }
}
