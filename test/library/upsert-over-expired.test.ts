import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { expect, test } from 'vitest'

test('upsert over an expired item frees what followed from it', async () => {
  const schema = defineSchema({
    indexes: { primary: { hash: 'pk' } },
    models: {
      Invitation: {
        key: { pk: 'INVITATION#${id}' },
        attributes: {
          id: { type: String, required: true },
          mail: { type: String, unique: true },
          note: { type: String },
          expiresAt: { type: Date, ttl: true },
        },
      },
    },
  })
  const table = new Table({ name: 'Invitations', schema, client: createEngine() })
  await table.create()
  const { Invitation } = table.entities
  const over = { id: '1', mail: 'ann@example.com', note: 'old', expiresAt: new Date('2015-01-01') }
  await Invitation.put(over).execute()
  await Invitation.upsert({ id: '1' }).set({ mail: 'bob@example.com' }).execute()
  expect(await Invitation.get({ id: '1' }).execute()).toEqual({ id: '1', mail: 'bob@example.com' })
  await Invitation.create({ id: '2', mail: 'ann@example.com' }).execute()
  const taken = Invitation.create({ id: '3', mail: 'bob@example.com' }).execute()
  await expect(taken).rejects.toMatchObject({ code: 'UNIQUE_TAKEN' })
})
