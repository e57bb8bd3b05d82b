import { defineSchema, type Item, type NewItem, Table, type Transport } from 'singletable'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'

const schema = defineSchema({
  indexes: { primary: { hash: 'pk' } },
  models: {
    Drawing: {
      key: { pk: 'D#${id}' },
      attributes: {
        id: { type: String, required: true },
        format: { type: String, const: 'v2' },
        titles: { type: 'record', required: true, values: { type: String, nulls: true } },
        sizes: { type: 'record', keys: ['small', 'large'], values: { type: Number } },
        position: { type: 'tuple', elements: [{ type: Number }, { type: String, nulls: true }] },
        shape: {
          type: 'union',
          discriminator: 'kind',
          required: true,
          variants: {
            circle: { radius: { type: Number, required: true } },
            square: { side: { type: Number, required: true }, at: { type: Date } },
          },
        },
        meta: {
          type: 'any',
          required: true,
          validate: z.object({ made: z.date().transform((date) => date.toISOString()) }),
        },
        owner: {
          type: Object,
          required: true,
          schema: {
            name: { type: String, required: true },
            token: { type: String, hidden: true },
            level: { type: Number, required: true, default: 1 },
            key: { type: String, generate: 'ulid' },
          },
        },
      },
    },
  },
})

type Read = Item<typeof schema, 'Drawing'>
type Given = NewItem<typeof schema, 'Drawing'>

expectTypeOf<Read['format']>().toEqualTypeOf<'v2'>()
expectTypeOf<Read['titles']>().toEqualTypeOf<{ [name: string]: string | null }>()
expectTypeOf<Read['sizes']>().toEqualTypeOf<
  { small?: number | undefined; large?: number | undefined } | undefined
>()
expectTypeOf<Read['position']>().toEqualTypeOf<[number, string | null] | undefined>()
expectTypeOf<Read['shape']['kind']>().toEqualTypeOf<'circle' | 'square'>()
expectTypeOf<Extract<Read['shape'], { kind: 'square' }>['at']>().toEqualTypeOf<Date | undefined>()
expectTypeOf<Read['meta']>().toEqualTypeOf<{ made: string }>()
expectTypeOf<Given['meta']>().toEqualTypeOf<{ made: Date }>()
expectTypeOf<Given['format']>().toEqualTypeOf<'v2' | undefined>()
expectTypeOf<keyof Read['owner']>().toEqualTypeOf<'name' | 'level' | 'key'>()
expectTypeOf<Read['owner']['key']>().toEqualTypeOf<string>()
expectTypeOf<Given['owner']['level']>().toEqualTypeOf<number | undefined>()
expectTypeOf<Given['owner']['token']>().toEqualTypeOf<string | undefined>()

declare const client: Transport
const { Drawing } = new Table({ name: 'D', schema, client }).entities

Drawing.put({
  id: '1',
  titles: { en: null },
  shape: { kind: 'circle', radius: 1 },
  meta: { made: new Date() },
  owner: { name: 'Ann' },
})
Drawing.update({ id: '1' }).set({ meta: { made: new Date() }, position: [1, null] })
// @ts-expect-error What is written is the validator's input.
Drawing.update({ id: '1' }).set({ meta: { made: '2026' } })
// @ts-expect-error The second element is a string.
Drawing.update({ id: '1' }).set({ position: [1, 2] })
Drawing.scan().where((attr, op) =>
  op.and(
    op.eq(attr.shape.kind, 'circle'),
    op.gt(attr.shape.at, new Date()),
    op.eq(attr.sizes.small, 1),
    op.eq(attr.position[1], 'a'),
    op.eq(attr.meta, { made: '2026' }),
    op.eq(attr.meta.made, '2026'),
    op.eq(attr.owner.token, 'a'),
  ),
)
// @ts-expect-error There is no such variant.
Drawing.scan().where((attr, op) => op.eq(attr.shape.kind, 'line'))
// @ts-expect-error A record with keys has no others.
Drawing.scan().where((attr, op) => op.eq(attr.sizes.medium, 1))

const computed = defineSchema({
  indexes: { primary: { hash: 'pk' } },
  models: {
    Person: {
      key: { pk: 'P#${id}' },
      attributes: {
        id: { type: String, required: true },
        first: { type: String, required: true },
        name: {
          type: String,
          required: true,
          from: ['first'],
          compute: ({ first }) => `Dr. ${first}`,
        },
        initial: { type: String, stored: false, from: ['first'], compute: ({ first }) => first[0] },
        email: { type: String, set: (text: string) => text.toLowerCase() },
      },
    },
  },
})
expectTypeOf<Item<typeof computed, 'Person'>['name']>().toEqualTypeOf<string>()
expectTypeOf<Item<typeof computed, 'Person'>['email']>().toEqualTypeOf<string | undefined>()
expectTypeOf<NewItem<typeof computed, 'Person'>['name']>().toEqualTypeOf<undefined>()
expectTypeOf<Item<typeof computed, 'Person'>['initial']>().toEqualTypeOf<string | undefined>()
expectTypeOf<NewItem<typeof computed, 'Person'>['initial']>().toEqualTypeOf<undefined>()
