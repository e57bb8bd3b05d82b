import fc from 'fast-check'
import { SingletableError } from 'singletable'
import type { Item } from 'singletable/engine'
import { verifyCopies } from 'singletable/streams'
import { expect, test } from 'vitest'
import { verifyTable } from './verify-table.ts'

const RUNS = Number(process.env.PROPERTY_RUNS ?? 25)

const damage = fc.record({
  do: fc.constantFrom('remove', 'alter', 'forge copy', 'forge guard', 'count', 'rename'),
  which: fc.nat(20),
})
const write = fc.record({
  do: fc.constantFrom('create', 'delete', 'close', 'move', 'email'),
  order: fc.constantFrom('o1', 'o2', 'o3', 'o4', 'o5'),
  user: fc.constantFrom('u1', 'u2'),
})
const fault = fc.record({
  kind: fc.constantFrom('before', 'after', 'throttle', 'conflict'),
  seed: fc.nat(1000),
})

test('whatever was damaged agrees again after a repair, also while others write', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(damage, { maxLength: 8 }),
      fc.array(write, { maxLength: 8 }),
      fc.array(fault, { maxLength: 2 }),
      async (damages, writes, faults) => {
        const setting = await verifyTable()
        const { engine, table, items, put, environment } = setting
        for (const each of damages) await inflict(setting, each.do, each.which)
        for (const { kind, seed } of faults) {
          const scope = { table: table.name, probability: 0.2, count: 5, seed }
          if (kind === 'throttle' || kind === 'conflict') engine.faults.add({ kind, ...scope })
          else engine.faults.add({ kind: 'error', when: kind as 'before', ...scope })
        }
        let busy = true
        const clock = (async () => {
          while (busy) {
            await environment.advance(100)
            await new Promise((resolve) => setImmediate(resolve))
          }
        })()
        const writing = (async () => {
          for (const each of writes) await attempt(() => run(table, each))
        })()
        await attempt(() => verifyCopies(table, { repair: true }))
        await writing
        engine.faults.clear()
        // A repair can uncover what another item hid, and writes can meet damage that was not
        // repaired yet.
        let found = 1
        for (let round = 0; round < 4 && found > 0; round++) {
          found = (await verifyCopies(table, { repair: true })).found
        }
        busy = false
        await clock
        expect(found).toBe(0)
        expectAgreement(Object.values(await items()))
        await put({ pk: { S: 'x' }, sk: { S: 'x' } })
      },
    ),
    { numRuns: RUNS },
  )
})

type Setting = Awaited<ReturnType<typeof verifyTable>>

async function inflict({ items, put, engine }: Setting, how: string, which: number): Promise<void> {
  const all = Object.values(await items())
  const pick = (type: string): Item | undefined => {
    const candidates = all.filter(({ _type }) => _type?.S === type)
    return candidates[which % Math.max(1, candidates.length)]
  }
  const copy = pick('UserOrder')
  const guard = pick('_unique')
  const user = pick('User')
  const victim = which % 2 ? copy : guard
  if (how === 'remove' && victim) {
    const { pk, sk } = victim
    await engine.send('DeleteItem', { TableName: 'Shop', Key: { pk: pk!, sk: sk! } })
  } else if (how === 'alter' && copy) await put({ ...copy, total: { N: String(which) } })
  else if (how === 'forge copy' && copy) {
    await put({ ...copy, sk: { S: `ORDER#f${which}` }, orderId: { S: `f${which}` } })
  } else if (how === 'forge guard' && guard) {
    await put({ ...guard, pk: { S: `UNIQUE#User#email#f${which}` } })
  } else if (how === 'count' && user) await put({ ...user, orders: { N: String(which) } })
  else if (how === 'rename' && user) await put({ ...user, name: { S: `Name ${which}` } })
}

async function run(
  { entities: { Order, User } }: Setting['table'],
  { do: what, order: orderId, user: userId }: { do: string; order: string; user: string },
): Promise<unknown> {
  if (what === 'create') return Order.create({ orderId, userId }).execute()
  if (what === 'delete') return Order.delete({ orderId }).execute()
  if (what === 'close') return Order.update({ orderId }).set({ status: 'done' }).execute()
  if (what === 'move') return Order.update({ orderId }).set({ userId }).execute()
  return User.update({ userId })
    .set({ email: `${orderId}-${userId}@x.org` })
    .execute()
}

/** Errors that faults and meeting writes cause are expected here; others are. */
async function attempt(call: () => Promise<unknown>): Promise<void> {
  try {
    await call()
  } catch (error) {
    if (!SingletableError.is(error)) throw error
  }
}

/** Worked out from the items alone, without the library. */
function expectAgreement(all: readonly Item[]): void {
  const of = (type: string): Item[] => all.filter(({ _type }) => _type?.S === type)
  const text = (item: Item, name: string): string => item[name]?.S ?? ''
  const orders = of('Order')
  const copied = orders.filter((order) => ['open', 'paid'].includes(text(order, 'status')))
  const line = (item: Item): string =>
    [...['userId', 'orderId', 'status'].map((name) => text(item, name)), item.total?.N].join()
  expect(of('UserOrder').map(line).sort()).toEqual(copied.map(line).sort())
  const guards = of('_unique').map((guard) => [text(guard, 'pk'), guard._owner?.M?.pk?.S].join())
  const emails = of('User').map((user) =>
    [`UNIQUE#User#email#${text(user, 'email').toLowerCase()}`, user.pk?.S].join(),
  )
  expect(guards.sort()).toEqual(emails.sort())
  for (const user of of('User')) {
    const own = orders.filter((order) => text(order, 'userId') === text(user, 'userId'))
    const open = own.filter((order) => text(order, 'status') === 'open')
    expect([Number(user.orders?.N), Number(user.open?.N)]).toEqual([own.length, open.length])
    for (const order of own) expect(text(order, 'userName')).toBe(text(user, 'name'))
  }
}
