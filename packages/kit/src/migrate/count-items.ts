import { type SchemaDefinition, SingletableError, Table } from 'singletable'
import type { ItemStep } from 'singletable/migrations'
import {
  type AttributeValue,
  addDecimals,
  type Counter,
  getOwn,
  type Item,
  keyFromItem,
  type Model,
  parseDecimal,
  partNames,
  type Schema,
  ServiceError,
  type Transport,
} from 'singletable/tools'
import { sendPatiently } from '../transfer/send-patiently.ts'
import { MigrationError } from './migration-error.ts'

/** Brings the counters of an item up to date; gives whether one was wrong. */
export type ItemCounter = (item: Item, isDry: boolean) => Promise<boolean>

export interface CounterOf {
  readonly child: Model
  readonly counter: Counter
}

interface LooseQuery extends PromiseLike<readonly Record<string, unknown>[]> {
  useIndex(name: string): LooseQuery
  consistent(): LooseQuery
  includeExpired(): LooseQuery
}
interface LooseEntity {
  query(values: object): LooseQuery
}

/**
 * Counts what the steps name, as far as the keys of the table find the counted items; the others
 * need `countByScan`. A counter is written only if it is as it was before the count, so that what
 * the application counts at the same time is not lost.
 */
export function createItemCounter(options: {
  readonly transport: Transport
  readonly tableName: string
  readonly after: Schema
  readonly steps: readonly ItemStep[]
  /** Counts in global indexes too, which may lack the last writes. */
  readonly isLate?: boolean
}): ItemCounter {
  const { transport, tableName, after, steps, isLate = false } = options
  const counters = countersOf(after, steps)
  if (counters.length === 0) return async () => false
  const table = new Table({ name: tableName, schema: after.definition, client: transport })
  return async (item, isDry) => {
    let changed = false
    for (const { child, counter } of counters) {
      const type = getOwn(item, after.params.typeField)
      if (type?.S !== counter.parent.type) continue
      if (isLate || isFoundByKey({ child, counter })) {
        if (await recount(child, counter, item, isDry)) changed = true
      } else if (isDry && !getOwn(item, counter.attribute.stored)) changed = true
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
      if (await setCounter({ transport, tableName, after }, counter, Key, known, count)) return true
    }
  }
}

/** Sets a counter that is still as it was found; false if it is not, or if the parent is gone. */
export async function setCounter(
  {
    transport,
    tableName,
    after,
  }: { readonly transport: Transport; readonly tableName: string; readonly after: Schema },
  { parent, attribute }: Counter,
  Key: Item,
  known: AttributeValue | undefined,
  count: string,
): Promise<boolean> {
  try {
    await sendPatiently(transport, 'UpdateItem', {
      TableName: tableName,
      Key,
      UpdateExpression: 'SET #count = :count',
      ConditionExpression: `#type = :type AND ${known ? '#count = :known' : 'attribute_not_exists(#count)'}`,
      ExpressionAttributeNames: { '#count': attribute.stored, '#type': after.params.typeField },
      ExpressionAttributeValues: {
        ':type': { S: parent.type },
        ':count': { N: count },
        ...(known && { ':known': known }),
      },
    })
    return true
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (error.name !== 'ConditionalCheckFailedException') throw error
    return false
  }
}

/** A number as everybody else writes it: DynamoDB Local has 95.50 after it added two. */
export function plain(number: string): string {
  return parseDecimal(number).text ?? number
}

/** The counters that the steps name. */
export function countersOf(schema: Schema, steps: readonly ItemStep[]): readonly CounterOf[] {
  return steps.flatMap((step) =>
    step.kind === 'countItems'
      ? [...schema.models.values()].flatMap((child) =>
          (child.derivedItems?.counters ?? [])
            .filter(
              ({ parent, attribute }) =>
                parent.name === step.model && attribute.name === step.attribute,
            )
            .map((counter) => ({ child, counter })),
        )
      : [],
  )
}

/**
 * Whether the items of a parent are in partitions of the table that it names, so that a consistent
 * read finds all of them. A local index can be read so too, but it may lack some of them.
 */
export function isFoundByKey({ child, counter }: CounterOf): boolean {
  const given = [...counter.links.values()]
  return child.primary.hash.flatMap(partNames).every((name) => given.includes(name))
}

async function countChildren(
  table: Table<SchemaDefinition>,
  child: Model,
  counter: Counter,
  values: object,
): Promise<string> {
  const { when, sums } = counter
  // The types of a schema that is loaded at run time say nothing; the entity checks what it is
  // given.
  const entity = (table.entities as unknown as Record<string, LooseEntity>)[child.name]!
  try {
    const query = entity.query(values).includeExpired()
    const items = await (isFoundByKey({ child, counter })
      ? query.useIndex(child.primary.index.name).consistent()
      : query)
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
