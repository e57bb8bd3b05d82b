import { defineSchema, type Item, type Key, type NewItem, Table, type Transport } from 'singletable'
import type { Assignable, Equal, Expect } from './wire-type.ts'

/** The ways to write a schema: templates under `index`, templates as plain strings, with or without
 * `as const`. */

declare const client: Transport

const capitals = {
  format: 'dynatable:1.0.0',
  version: '2.0.0',
  indexes: {
    primary: { hash: 'PK', sort: 'SK' },
    GSI1: { hash: 'GSI1PK', sort: 'GSI1SK' },
    inverted: { hash: 'SK', sort: 'PK' },
  },
  models: {
    Order: {
      key: {
        PK: { type: String, value: 'CUSTOMER#${customerId}' },
        SK: { type: String, value: 'ORDER#${orderId}' },
      },
      index: {
        GSI1PK: { type: String, value: 'STATUS#${status}' },
        GSI1SK: { type: String, value: 'ORDER#${placedAt:day}#${orderId}' },
      },
      attributes: {
        customerId: { type: String, required: true },
        orderId: { type: String, generate: 'ulid' },
        status: { type: String, enum: ['open', 'sent'], default: 'open' },
        placedAt: { type: Date, required: true },
      },
    },
  },
} as const

export async function capitalKeys(): Promise<void> {
  const { Order } = new Table({ name: 'Shop', schema: capitals, client }).entities
  const order = await Order.get({ customerId: 'c', orderId: 'o' }).execute()
  order?.status satisfies 'open' | 'sent' | undefined
  await Order.query({ status: 'open' }).execute()
  await Order.query({ PK: 'CUSTOMER#c' }).execute()
  await Order.query()
    .where((attr, op) => op.eq(attr.GSI1PK, 'STATUS#open'))
    .useIndex('GSI1')
    .execute()
  Order.renderKey({ customerId: 'c', orderId: 'o' }) satisfies { PK: string; SK: string }
  // @ts-expect-error: this schema has no attribute or key attribute of that name.
  Order.query().where((attr, op) => op.eq(attr.gsi1pk, 'STATUS#open'))
}

const short = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    local: { hash: 'pk', sort: 'at', type: 'local' },
  },
  models: {
    Reading: {
      key: { pk: 'SENSOR#${sensor}', sk: '${at}#${part:pad(3)}' },
      attributes: {
        sensor: { type: Number, required: true },
        at: { type: Date },
        part: { type: BigInt },
        exact: { type: 'decimal', required: true },
        raw: { type: Uint8Array },
        extra: { type: 'any' },
        note: { type: String, nulls: true },
        secret: { type: String, required: true, hidden: true },
        revision: { type: Number, version: true },
        points: {
          type: Array,
          items: {
            type: Object,
            schema: { x: { type: Number, required: true }, y: { type: Number } },
          },
        },
      },
    },
  },
})

type Short = typeof short

export type ShortKey = Expect<
  Equal<
    Key<Short, 'Reading'>,
    { readonly sensor: number; readonly at: Date; readonly part: bigint }
  >
>

export type ShortItem = [
  Expect<Equal<Item<Short, 'Reading'>['at'], Date>>,
  Expect<Equal<Item<Short, 'Reading'>['exact'], string>>,
  Expect<Equal<Item<Short, 'Reading'>['raw'], Uint8Array | undefined>>,
  Expect<Equal<Item<Short, 'Reading'>['extra'], unknown>>,
  Expect<Equal<Item<Short, 'Reading'>['note'], string | null | undefined>>,
  Expect<Equal<Item<Short, 'Reading'>['secret'], undefined>>,
  Expect<Equal<Item<Short, 'Reading'>['revision'], number>>,
  Expect<Equal<NonNullable<Item<Short, 'Reading'>['points']>[number]['x'], number>>,
  Expect<Equal<NonNullable<Item<Short, 'Reading'>['points']>[number]['y'], number | undefined>>,
]

export type ShortNewItem = [
  Expect<
    Assignable<
      { sensor: number; at: Date; part: bigint; exact: string; secret: string },
      NewItem<Short, 'Reading'>
    >
  >,
  Expect<Equal<NewItem<Short, 'Reading'>['revision'], number | undefined>>,
]

export const timestampInKey = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    Event: {
      key: { pk: 'EVENT', sk: '${createdAt}' },
      attributes: { name: { type: String } },
    },
  },
  params: { timestamps: true },
})

export type TimestampKey = Expect<
  Equal<Key<typeof timestampInKey, 'Event'>, { readonly createdAt: Date }>
>

defineSchema({
  indexes: { primary: { hash: 'pk' } },
  models: {
    Wrong: {
      key: { pk: 'WRONG#${id}' },
      // @ts-expect-error: there is no such type.
      attributes: { id: { type: 'text' } },
    },
  },
})

// @ts-expect-error: there is no primary index.
defineSchema({ indexes: { gsi1: { hash: 'pk' } }, models: {} })

export const withoutConstant = new Table({
  name: 'inline',
  client,
  schema: {
    indexes: { primary: { hash: 'pk' } },
    models: {
      Tag: { key: { pk: 'TAG#${tag}' }, attributes: { tag: { type: String, required: true } } },
    },
  },
})
withoutConstant.entities.Tag.get({ tag: 'a' })
// @ts-expect-error: the key is made of `tag`.
withoutConstant.entities.Tag.get({ name: 'a' })
// @ts-expect-error: there is no such model.
withoutConstant.entities.Label
