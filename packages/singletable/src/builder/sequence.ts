import { printPlace } from '../errors/print-place.ts'
import { startCall } from '../execute/call.ts'
import { lastNumber, takeNumbers } from '../execute/execute-sequence.ts'
import type { CallOptions } from '../execute/table-context.ts'
import { scopeParts } from '../plan/scope.ts'
import { checkKeySize } from '../plan/write/check-key-size.ts'
import { refuseInput } from '../schema/input-issues.ts'
import type { Schema } from '../schema/model.ts'
import { refuseReserved, reservedKey, reservedText, SEQUENCE } from '../schema/reserved-items.ts'
import type { Item } from '../values/attribute-value.ts'
import { PARTITION_KEY_MAX_BYTES } from '../values/limits.ts'
import type { BuilderContext } from './builder.ts'

/**
 * Numbers that are given out once each, from 1 on and always greater: for invoices, tickets,
 * versions. A number whose answer was lost on the way is never given to anybody, so there can be
 * gaps.
 *
 * @example
 * const schema = defineSchema({
 *   indexes: { primary: { hash: 'pk', sort: 'sk' } },
 *   models: {
 *     Invoice: {
 *       key: { pk: 'SHOP#${shop}', sk: 'INVOICE#${number:pad(8)}' },
 *       attributes: { shop: { type: String, required: true }, number: { type: Number, required: true } },
 *     },
 *   },
 * })
 * const table = new Table({ name: 'shops', schema, client: createEngine() })
 * await table.create()
 * const invoices = table.sequence('invoice', 'north')
 * await invoices.next() // => 1
 * await invoices.next() // => 2
 * await invoices.reserve(10) // => { first: 3, last: 12 }
 * await invoices.peek() // => 12
 * await table.sequence('invoice', 'south').next() // => 1
 */
export interface Sequence {
  /** Takes the next number. */
  next(options?: CallOptions): Promise<number>
  /** Takes this many consecutive numbers. */
  reserve(count: number, options?: CallOptions): Promise<{ first: number; last: number }>
  /** The last number that was taken; 0 if none was. */
  peek(options?: CallOptions): Promise<number>
}

export function createSequence(
  table: BuilderContext,
  name: string,
  scope: readonly (string | number)[],
): Sequence {
  const place = printPlace({ table: table.name, verb: 'sequence' })
  const key = sequenceKey(table, [name, ...scopeParts(table), ...scope], place)
  // Its item is in no partition of a model; the key itself has the values of the scope.
  const context = { ...table, scope: undefined }
  const start = (options: CallOptions | undefined) =>
    startCall(context, 'sequence', undefined, options)
  return {
    next: async (options) => takeNumbers(context, start(options), key, 1),
    async reserve(count, options) {
      if (!Number.isSafeInteger(count) || count < 1) {
        refuseInput([{ path: ['count'], message: 'is not a positive whole number' }], place)
      }
      const last = await takeNumbers(context, start(options), key, count)
      return { first: last - count + 1, last }
    },
    peek: async (options) => lastNumber(context, start(options), key),
  }
}

/** Schemas that have no model with such keys. */
const checked = new WeakSet<Schema>()

/** The key of the item that keeps the last number; no model may have one like it. */
function sequenceKey({ schema }: BuilderContext, parts: readonly unknown[], place: string): Item {
  if (!checked.has(schema)) refuseReserved(schema, SEQUENCE)
  checked.add(schema)
  const isPart = (part: unknown): part is string | number =>
    Number.isSafeInteger(part) || (typeof part === 'string' && part !== '')
  const text = parts.every(isPart)
    ? reservedText(schema, [SEQUENCE.word, ...parts.map(String)])
    : undefined
  if (text === undefined) {
    return refuseInput(
      'name and scope must be strings or whole numbers',
      place,
      "give a name and a scope, as in sequence('invoice', shopId)",
    )
  }
  checkKeySize(text, PARTITION_KEY_MAX_BYTES, 'name and scope', place)
  return reservedKey(schema, SEQUENCE, text)
}
