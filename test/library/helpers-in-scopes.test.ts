import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { itemSize } from 'singletable/limits'
import { expiresAt, expiresIn, extendTime, isExpired, timeLeftMs } from 'singletable/ttl'
import { expect, test } from 'vitest'

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    Session: {
      key: { pk: 'TENANT#${tenantId}', sk: 'SESSION#${token}' },
      attributes: {
        tenantId: { type: String, required: true },
        token: { type: String, required: true },
        until: { type: Date, ttl: true },
      },
    },
  },
})

test('the helpers for lifetimes and sizes take entities of a scope, which fills in its own values', async () => {
  const table = new Table({ name: 'Demo', schema, client: createEngine() })
  await table.create()
  const { Session } = table.scope({ tenantId: 'acme' }).entities
  const session = await Session.put({ token: 't', until: expiresIn('30m') }).execute()
  const before = timeLeftMs(Session, session)!
  expect(isExpired(Session, session)).toBe(false)
  const extended = await extendTime(Session, { token: 't' }, '1h').execute()
  expect(extended.tenantId).toBe('acme')
  expect(expiresAt(Session, extended)!.getTime()).toBeGreaterThan(Date.now() + before)
  const whole = { tenantId: 'acme', token: 't' }
  expect(itemSize(Session, { token: 't' })).toEqual(itemSize(table.entities.Session, whole))
  // @ts-expect-error: outside a scope the whole key is needed.
  expect(() => itemSize(table.entities.Session, { token: 't' })).toThrow('"tenantId" is missing')
  // @ts-expect-error: "tokn" is not an attribute.
  expect(() => itemSize(Session, { tokn: 't' })).toThrow('tokn')
})
