import { ParentMissingError, type Table } from 'singletable'
import { beforeEach, describe, expect, test } from 'vitest'
import { codeOf, failureOf } from './failure-of.ts'
import { onEachTarget } from './on-each-target.ts'
import { requestsOf } from './requests-of.ts'
import { ShopSchema } from './shop-schema.ts'

/** Attributes that count other items, kept by the transactions that write those. */

onEachTarget((target) => {
  let table: Table<typeof ShopSchema>
  beforeEach(async () => {
    table = await target.table(ShopSchema)
    await table.entities.Group.batchWrite([{ groupId: 'a', name: 'A' }, { groupId: 'b' }]).execute()
  })

  const counts = async (): Promise<(number | undefined)[]> => {
    const groups = await table.entities.Group.batchGet([
      { groupId: 'a' },
      { groupId: 'b' },
    ]).execute()
    return groups.flatMap((group) => [group?.memberCount, group?.ownerCount])
  }
  const join = (groupId: string, userId: string, role?: string) =>
    table.entities.Membership.create({ groupId, userId, role })

  test('a new parent counts nothing', async () => {
    expect(await counts()).toEqual([0, 0, 0, 0])
  })

  test('a parent that is deleted is given back by that very request', async () => {
    await join('a', 'ann').execute()
    let deleted: unknown
    const requests = await requestsOf(table, async () => {
      deleted = await table.entities.Group.delete({ groupId: 'a' }).returning('ALL_OLD').execute()
    })
    expect(requests).toEqual(['DeleteItem'])
    expect(deleted).toMatchObject({ groupId: 'a', name: 'A', memberCount: 1 })
  })

  test('what is created and deleted is counted, each once', async () => {
    await join('a', 'ann', 'owner').execute()
    await join('a', 'bob').execute()
    expect(await codeOf(() => join('a', 'bob').execute())).toBe('ITEM_EXISTS')
    expect(await counts()).toEqual([2, 1, 0, 0])
    const { Membership } = table.entities
    await Membership.put({ groupId: 'a', userId: 'bob', role: 'owner' }).execute()
    expect(await counts()).toEqual([2, 2, 0, 0])
    await Membership.put({ groupId: 'b', userId: 'bob' }).execute()
    await Membership.upsert({ groupId: 'b', userId: 'bob' }).set({ role: 'guest' }).execute()
    await Membership.upsert({ groupId: 'b', userId: 'eve' }).set({ role: 'owner' }).execute()
    expect(await counts()).toEqual([2, 2, 2, 1])
    await Membership.delete({ groupId: 'a', userId: 'ann' }).execute()
    await Membership.delete({ groupId: 'a', userId: 'ann' }).execute()
    expect(await counts()).toEqual([1, 1, 2, 1])
  })

  test('an item that changes its parent, or what is counted of it, is counted again', async () => {
    const { Membership } = table.entities
    await join('a', 'ann').execute()
    await Membership.update({ groupId: 'a', userId: 'ann' }).set({ role: 'owner' }).execute()
    expect(await counts()).toEqual([1, 1, 0, 0])
    await Membership.update({ groupId: 'a', userId: 'ann' }).set({ groupId: 'b' }).execute()
    expect(await counts()).toEqual([0, 0, 1, 1])
  })

  test('a parent by an attribute that is not in the key is changed by an update', async () => {
    const { User, Order } = table.entities
    await User.create({ userId: 'ann' }).execute()
    await User.create({ userId: 'bob' }).execute()
    await Order.create({ orderId: '1', userId: 'ann' }).execute()
    await Order.create({ orderId: '2' }).execute()
    await Order.update({ orderId: '1' }).set({ userId: 'bob' }).execute()
    await Order.update({ orderId: '2' }).set({ userId: 'bob', status: 'sent' }).execute()
    expect(await User.get({ userId: 'ann' }).execute()).toMatchObject({ orderCount: 0 })
    expect(await User.get({ userId: 'bob' }).execute()).toMatchObject({
      orderCount: 2,
      openCount: 1,
    })
    await Order.update({ orderId: '1' }).remove('userId').execute()
    expect(await User.get({ userId: 'bob' }).execute()).toMatchObject({
      orderCount: 1,
      openCount: 0,
    })
  })

  describe('a parent that is missing', () => {
    test('is reported by name, and nothing is written', async () => {
      const error = await failureOf(() => join('x', 'ann').execute())
      expect(error).toBeInstanceOf(ParentMissingError)
      expect(error).toMatchObject({ code: 'PARENT_MISSING' })
      expect(error.message).toContain('The Group whose memberCount counts this Membership')
      expect(await table.entities.UserGroup.query({ userId: 'ann' }).execute()).toEqual([])
    })

    test('does not keep its items from being deleted', async () => {
      await join('a', 'ann').execute()
      const { Group, Membership } = table.entities
      await Group.delete({ groupId: 'a' }).execute()
      await Membership.delete({ groupId: 'a', userId: 'ann' }).mustExist().execute()
      expect(await Group.get({ groupId: 'a' }).execute()).toBeUndefined()
    })

    test('and is created again starts at 0, and never falls below', async () => {
      await join('a', 'ann').execute()
      const { Group, Membership } = table.entities
      await Group.delete({ groupId: 'a' }).execute()
      await Group.create({ groupId: 'a' }).execute()
      await Membership.delete({ groupId: 'a', userId: 'ann' }).execute()
      expect((await counts())[0]).toBe(0)
    })
  })

  describe('the counter itself', () => {
    test('is not what an item that was read and is put again says, but what it is by then', async () => {
      const { Group } = table.entities
      const read = await Group.get({ groupId: 'a' })
      await join('a', 'ann', 'owner')
      const put = await Group.put({ ...read!, name: 'New' })
      expect(put).toEqual({ groupId: 'a', name: 'New', memberCount: 1, ownerCount: 1 })
      expect(await Group.get({ groupId: 'a' })).toEqual(put)
      await Group.batchWrite([{ ...read!, name: 'Newer' }])
      expect(await counts()).toEqual([1, 1, 0, 0])
      expect(await Group.put({ ...put, groupId: 'c' })).toMatchObject({ memberCount: 0 })
      // An item that was read has both.
      const some = { groupId: 'a', memberCount: 7 } as unknown as { groupId: string }
      expect(await codeOf(() => Group.put(some).execute())).toBe('INPUT_INVALID')
    })

    test('can not be given to a new item', async () => {
      const { Group } = table.entities
      const given = { groupId: 'c', memberCount: 3 } as unknown as { groupId: string }
      const error = await failureOf(() => Group.create(given).execute())
      expect(error).toMatchObject({
        code: 'INPUT_INVALID',
        issues: [{ path: ['memberCount'] }],
      })
      const change = { memberCount: 3 } as unknown as Record<string, never>
      expect(await codeOf(() => Group.update({ groupId: 'a' }).set(change).execute())).toBe(
        'INPUT_INVALID',
      )
    })

    test('stays when its item is put again or changed', async () => {
      const { Group } = table.entities
      await join('a', 'ann', 'owner').execute()
      expect(await Group.put({ groupId: 'a', name: 'B' }).execute()).toEqual({
        groupId: 'a',
        name: 'B',
        memberCount: 1,
        ownerCount: 1,
      })
      await Group.batchWrite([{ groupId: 'a' }]).execute()
      await Group.update({ groupId: 'a' }).set({ name: 'C' }).execute()
      await Group.upsert({ groupId: 'a' }).set({ name: 'D' }).execute()
      await Group.upsert({ groupId: 'c' }).set({ name: 'D' }).execute()
      expect(await counts()).toEqual([1, 1, 0, 0])
      expect(await Group.get({ groupId: 'c' }).execute()).toMatchObject({ memberCount: 0 })
    })
  })

  describe('in transactions', () => {
    test('several items of one parent are counted at once', async () => {
      await table
        .transactWrite()
        .add(join('a', '1', 'owner'))
        .add(join('a', '2'))
        .add(join('b', '3'))
        .execute()
      expect(await counts()).toEqual([2, 1, 1, 0])
    })

    test('a parent that is created with its items has them counted', async () => {
      const { Group } = table.entities
      const [group] = await table
        .transactWrite()
        .add(Group.create({ groupId: 'c' }))
        .add(join('c', '1'))
        .add(join('c', '2', 'owner'))
        .execute()
      expect(group).toEqual({ groupId: 'c', memberCount: 2, ownerCount: 1 })
      expect(await Group.get({ groupId: 'c' }).execute()).toEqual(group)
    })

    test('a parent can be deleted with its items', async () => {
      const { Group, Membership } = table.entities
      await join('a', '1').execute()
      await table
        .transactWrite()
        .add(Group.delete({ groupId: 'a' }))
        .add(Membership.delete({ groupId: 'a', userId: '1' }).given({ role: 'member' }))
        .execute()
      expect(await counts()).toEqual([undefined, undefined, 0, 0])
      expect(await table.entities.UserGroup.query({ userId: '1' }).execute()).toEqual([])
    })

    test('a parent that is changed, checked or made in the same transaction takes the counts in', async () => {
      const { Group, Membership } = table.entities
      await table.transactWrite([
        Group.update({ groupId: 'a' }).set({ name: 'B' }),
        join('a', '1', 'owner'),
        Group.check({ groupId: 'b' }).where((attr, op) => op.lt(attr.memberCount, 1)),
        join('b', '1'),
        Group.upsert({ groupId: 'c' }).set({ name: 'C' }),
        join('c', '1'),
      ])
      expect(await Group.get({ groupId: 'a' })).toMatchObject({ name: 'B', memberCount: 1 })
      expect(await Group.get({ groupId: 'c' })).toMatchObject({ name: 'C', memberCount: 1 })
      expect(await counts()).toEqual([1, 1, 1, 0])
      const leave = () =>
        table.transactWrite([
          Membership.delete({ groupId: 'a', userId: '1' }).given({ role: 'owner' }),
          Group.update({ groupId: 'a' }).set({ name: 'A' }),
        ])
      await Group.delete({ groupId: 'a' })
      await Group.create({ groupId: 'a' })
      await leave()
      expect(await Group.get({ groupId: 'a' })).toMatchObject({ name: 'A', memberCount: 0 })
    })

    test('a deleted parent does not prevent the write, also with a token', async () => {
      const { Group, Membership } = table.entities
      await join('a', '1').execute()
      await Group.delete({ groupId: 'a' }).execute()
      await table
        .transactWrite()
        .add(Membership.delete({ groupId: 'a', userId: '1' }).given({ role: 'member' }))
        .withClientRequestToken('once')
        .execute()
      expect(await Membership.get({ groupId: 'a', userId: '1' }).execute()).toBeUndefined()
      expect(await Group.get({ groupId: 'a' }).execute()).toBeUndefined()
    })

    test('what is not there is not counted down', async () => {
      const { Membership } = table.entities
      const deletion = Membership.delete({ groupId: 'a', userId: '1' }).given({ role: undefined })
      expect(await codeOf(() => table.transactWrite().add(deletion).execute())).toBe(
        'TRANSACTION_CANCELED',
      )
    })
  })

  test('many writes at the same time are all counted', async () => {
    const users = Array.from({ length: 6 }, (_, index) => `u${index}`)
    await Promise.all(users.map((user) => join('a', user).execute()))
    expect((await counts())[0]).toBe(6)
    const { Membership } = table.entities
    await Promise.all(
      users.slice(2).map((userId) => Membership.delete({ groupId: 'a', userId }).execute()),
    )
    expect((await counts())[0]).toBe(2)
  })
})
