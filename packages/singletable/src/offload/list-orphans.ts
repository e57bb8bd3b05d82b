import { contextOf, type TableLike } from '../builder/context-of.ts'
import { startCall } from '../execute/call.ts'
import { READ, send } from '../execute/send.ts'
import type { CallOptions } from '../execute/table-context.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import type { LargeValues } from './large-values.ts'

export interface OrphanOptions extends CallOptions {
  /** Younger objects are left alone: their item may be about to be written. A day unless given. */
  readonly graceMs?: number | undefined
}

const GRACE_MS = 24 * 60 * 60 * 1000

/**
 * The keys of objects that no item of the table names: what writes left behind that failed,
 * replaced or deleted. Reads the whole table, and keeps the keys of all objects under the prefix in
 * memory. Values must not wander from one item to another meanwhile.
 */
export async function listOrphans(
  table: TableLike<SchemaDefinition>,
  values: LargeValues,
  options: OrphanOptions = {},
): Promise<readonly string[]> {
  const context = contextOf(table, 'listOrphans()')
  const { graceMs = GRACE_MS, ...rest } = options
  const call = startCall(context, 'listOrphans', undefined, rest)
  const before = context.environment.now() - graceMs
  const objects = new Set<string>()
  // Before the items: what is saved and written from here on is not in the list.
  for await (const { key, storedAt } of values.store.list(values.prefix)) {
    call.signal?.throwIfAborted()
    if (storedAt < before) objects.add(key)
  }
  let from: Item | undefined
  while (objects.size > 0) {
    const page = await send(
      context,
      call,
      'Scan',
      {
        TableName: context.name,
        ConsistentRead: true,
        ...(from && { ExclusiveStartKey: from }),
      },
      READ,
    )
    for (const item of page.Items ?? []) forgetNamed({ M: item }, objects)
    from = page.LastEvaluatedKey
    if (from === undefined) break
  }
  return [...objects]
}

/** Deletes the objects that no item names; gives how many there were. */
export async function removeOrphans(
  table: TableLike<SchemaDefinition>,
  values: LargeValues,
  options: OrphanOptions = {},
): Promise<number> {
  const orphans = await listOrphans(table, values, options)
  for (const key of orphans) {
    options.signal?.throwIfAborted()
    await values.store.delete(key)
  }
  return orphans.length
}

/** Any string that is an object's key counts, wherever it is, so that no object in use is
 * deleted. */
function forgetNamed(value: AttributeValue, objects: Set<string>): void {
  if (value.S !== undefined) objects.delete(value.S)
  for (const part of value.L ?? Object.values(value.M ?? {})) forgetNamed(part, objects)
  for (const text of value.SS ?? []) objects.delete(text)
}
