import { type } from 'arktype'
import { defineSchema, InputError, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import * as valibot from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

/** Schemas of other libraries as `validate`: what they refuse is refused, what they make of a value
 * is stored. */

const validators = {
  zod: z.string().trim().toLowerCase().email(),
  valibot: valibot.pipe(
    valibot.string(),
    valibot.trim(),
    valibot.toLowerCase(),
    valibot.email('is not an e-mail address'),
  ),
  arktype: type('string.trim |> string.lower |> string.email'),
} as const

describe.each(Object.entries(validators))('%s', (_name, validate) => {
  const schema = defineSchema({
    indexes: { primary: { hash: 'pk' } },
    models: {
      User: {
        key: { pk: 'USER#${id}' },
        attributes: {
          id: { type: String, required: true },
          email: { type: String, validate },
        },
      },
    },
  })

  async function users() {
    const table = new Table({ name: 'Users', schema, client: createEngine() })
    await table.create()
    return table.entities.User
  }

  test('what the schema makes of the value is stored and given', async () => {
    const User = await users()
    expect(await User.put({ id: '1', email: ' Ann@Example.com ' }).execute()).toEqual({
      id: '1',
      email: 'ann@example.com',
    })
    expect(await User.get({ id: '1' }).execute()).toEqual({ id: '1', email: 'ann@example.com' })
    expect(await User.update({ id: '1' }).set({ email: 'BEN@example.com' }).execute()).toEqual({
      id: '1',
      email: 'ben@example.com',
    })
  })

  test('a value it refuses is refused with its own words, and nothing is written', async () => {
    const User = await users()
    const error = await User.put({ id: '1', email: 'nobody' })
      .execute()
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(InputError)
    expect((error as InputError).issues).toEqual([
      { path: ['email'], message: expect.stringMatching(/e-?mail/i) },
    ])
    expect(await User.get({ id: '1' }).execute()).toBeUndefined()
  })
})

test('a schema of another library for a whole object, with the path of what is wrong', async () => {
  const schema = defineSchema({
    indexes: { primary: { hash: 'pk' } },
    models: {
      Place: {
        key: { pk: 'PLACE#${id}' },
        attributes: {
          id: { type: String, required: true },
          position: {
            type: Object,
            schema: { latitude: { type: Number }, longitude: { type: Number } },
            validate: z.object({
              latitude: z.number().min(-90).max(90),
              longitude: z.number().min(-180).max(180),
            }),
          },
        },
      },
    },
  })
  const table = new Table({ name: 'Places', schema, client: createEngine() })
  await table.create()
  const error = await table.entities.Place.put({
    id: '1',
    position: { latitude: 91, longitude: 0 },
  })
    .execute()
    .catch((reason: unknown) => reason)
  expect((error as InputError).issues).toMatchObject([{ path: ['position', 'latitude'] }])
})

test('a validator that answers later is refused, because nothing may be written unchecked', async () => {
  const schema = defineSchema({
    indexes: { primary: { hash: 'pk' } },
    models: {
      User: {
        key: { pk: 'USER#${id}' },
        attributes: {
          id: { type: String, required: true },
          email: { type: String, validate: z.string().refine(async () => true) },
        },
      },
    },
  })
  const table = new Table({ name: 'Users', schema, client: createEngine() })
  await table.create()
  await expect(table.entities.User.put({ id: '1', email: 'x' }).execute()).rejects.toMatchObject({
    code: 'INPUT_INVALID',
  })
})
