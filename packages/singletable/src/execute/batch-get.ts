import type { GetPlan } from '../plan/plan.ts'
import { compileGet } from '../request/compile-read.ts'
import type { Item } from '../values/attribute-value.ts'
import { BATCH_GET_KEYS_MAX } from '../values/limits.ts'
import { getOwn } from '../values/own.ts'
import type { GetItemRequest } from '../wire/item-operations.ts'
import { batchIncomplete, drain, keyText } from './batch.ts'
import type { Call } from './call.ts'
import { decodeFound } from './decode-found.ts'
import { READ, send } from './send.ts'
import type { TableContext } from './table-context.ts'
import { decodeOrSkip, keepUndecoded } from './undecoded.ts'

/** One key to fetch, however often it was asked for. */
interface Member {
  readonly key: Item
  /**
   * How it is asked for. A request has one projection per table, so keys with another one go into
   * requests of their own.
   */
  readonly shape: object
  readonly shapeText: string
  found: Item | undefined
}

/**
 * Fetches many items by key and gives the outputs in the order of the plans, `undefined` where
 * there is none. Equal keys are fetched once. `inputs` are what the caller gave for each plan, for
 * the error that says which are missing.
 */
export async function executeBatchGet(
  context: TableContext,
  call: Call,
  plans: readonly GetPlan[],
  inputs: readonly unknown[],
): Promise<(Record<string, unknown> | undefined)[]> {
  const requests = plans.map(compileGet)
  const { members, left, cause } = await fetchItems(context, call, requests)
  const outputs: (Record<string, unknown> | undefined)[] = []
  const done: unknown[] = []
  const remaining: unknown[] = []
  for (const [position, member] of members.entries()) {
    if (left.has(member)) remaining.push(inputs[position])
    else {
      done.push(inputs[position])
      // There is a member for each plan.
      const decode = (item: Item) => decodeFound(context, plans[position]!, item)
      outputs.push(member.found && decodeOrSkip(call, member.found, decode))
    }
  }
  if (remaining.length > 0) throw batchIncomplete(call, { done, remaining, outputs }, cause)
  return keepUndecoded(outputs, call.undecoded)
}

/**
 * The raw items for keys of this table, in their order; used for whole items after reading a
 * partial index, too.
 */
export async function fetchItems(
  context: TableContext,
  call: Call,
  requests: readonly GetItemRequest[],
): Promise<{
  readonly members: readonly Member[]
  readonly left: ReadonlySet<Member>
  readonly cause: unknown
}> {
  const { name, schema } = context
  const names = [...schema.primary.hash, ...schema.primary.sort]
  const byText = new Map<string, Member>()
  const chunks: Member[][] = []
  const lastChunks = new Map<string, Member[]>()
  const members = requests.map((request) => {
    const { TableName, Key: key, ReturnConsumedCapacity, ...shape } = request
    const shapeText = JSON.stringify(shape)
    const text = shapeText + keyText(key, names)
    let member = byText.get(text)
    if (member === undefined) {
      member = { key, shape, shapeText, found: undefined }
      byText.set(text, member)
      let chunk = lastChunks.get(shapeText)
      if (chunk === undefined || chunk.length === BATCH_GET_KEYS_MAX) {
        chunk = []
        chunks.push(chunk)
        lastChunks.set(shapeText, chunk)
      }
      chunk.push(member)
    }
    return member
  })
  const { left, cause } = await drain(context, call, chunks, async (chunk) => {
    const [{ shape, shapeText } = { shape: {}, shapeText: '' }] = chunk
    const keys = { ...shape, Keys: chunk.map(({ key }) => key) }
    const request = { RequestItems: { [name]: keys } }
    const response = await send(context, call, 'BatchGetItem', request, READ)
    const find = (key: Item): Member | undefined => byText.get(shapeText + keyText(key, names))
    for (const item of getOwn(response.Responses ?? {}, name) ?? []) {
      const member = find(item)
      if (member !== undefined) member.found = item
    }
    const unprocessed = getOwn(response.UnprocessedKeys ?? {}, name)?.Keys ?? []
    return unprocessed.flatMap((key) => find(key) ?? [])
  })
  return { members, left: new Set(left), cause }
}
