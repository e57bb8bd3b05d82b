import { columns, defineImport, dynamodbTable } from '@singletable/kit/import'
import { defineSchema, Table } from 'singletable'
import { type CopyReport, Cutover } from 'singletable/cutover'
import {
  addDecimals,
  compileSchema,
  type Item,
  seededRandom,
  type Transport,
} from 'singletable/tools'
import { type LiveCopyOptions, runLiveCopy } from '../../packages/kit/src/cutover/live-copy.ts'

/** A shop of three tables that is copied into one, for the tests of live copies. */
export const SCHEMA = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' }, GSI1: { hash: 'gsi1pk', sort: 'gsi1sk' } },
  models: {
    User: {
      key: { pk: 'USER#${userId}', sk: 'PROFILE' },
      attributes: {
        userId: { type: String, required: true },
        email: { type: String, unique: true },
        orders: { type: Number, counts: 'Order' },
        spent: {
          type: 'decimal',
          sums: { of: 'Order.total', when: { status: 'paid' } },
        },
      },
    },
    Order: {
      key: { pk: 'USER#${userId}', sk: 'ORDER#${day}#${orderId}' },
      index: { gsi1pk: 'STATUS#${status}', gsi1sk: 'ORDER#${orderId}' },
      copies: { OrderOfDay: { key: { pk: 'DAY#${day}', sk: 'ORDER#${orderId}#${userId}' } } },
      attributes: {
        userId: { type: String, required: true },
        orderId: { type: String, required: true },
        day: { type: String, required: true },
        status: { type: String, required: true },
        total: { type: 'decimal' },
      },
    },
    OrderItem: {
      key: { pk: 'ORDER#${orderId}', sk: 'ITEM#${itemId}' },
      attributes: {
        orderId: { type: String, required: true },
        itemId: { type: String, required: true },
        quantity: { type: Number },
      },
    },
  },
  params: { timestamps: true },
})

/** Names of the tables differ, because several tests share one DynamoDB Local. */
export function mappingOf(prefix: string) {
  return defineImport(SCHEMA, {
    sources: {
      users: dynamodbTable(`${prefix}Users`),
      orders: dynamodbTable(`${prefix}Orders`),
      items: dynamodbTable(`${prefix}Items`),
    },
    emit: {
      User: { from: 'users', set: { userId: 'id', email: 'email' } },
      Order: {
        from: 'orders',
        set: { orderId: 'id', userId: 'user', day: 'day', status: 'status', total: 'total' },
      },
      OrderItem: {
        from: 'items',
        where: columns(['n'], (n) => Number(n) > 0),
        set: { orderId: 'order', itemId: 'id', quantity: 'n' },
      },
    },
  })
}

/** Does what the phase asks for. */
export function copyShop(
  transport: Transport,
  change: Partial<LiveCopyOptions>,
  prefix = '',
): Promise<CopyReport> {
  const table = new Table({ name: `${prefix}Shop`, schema: SCHEMA, client: transport as never })
  const now = change.now ?? Date.now
  return runLiveCopy({
    transport,
    tableName: table.name,
    definition: mappingOf(prefix),
    schema: compileSchema(SCHEMA),
    checksum: '1',
    cutover: new Cutover(table, { now }),
    name: 'default',
    now,
    signal: new AbortController().signal,
    owner: 'test',
    isOnce: true,
    ...change,
  })
}

export async function createShop(transport: Transport, prefix = '') {
  const keys = { Users: ['id'], Orders: ['id'], Items: ['order', 'id'] }
  for (const [name, [hash = '', sort]] of Object.entries(keys)) {
    const names = [hash, ...(sort === undefined ? [] : [sort])]
    await transport.send('CreateTable', {
      TableName: prefix + name,
      KeySchema: names.map((AttributeName, at) => ({
        AttributeName,
        KeyType: at === 0 ? 'HASH' : 'RANGE',
      })),
      AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    })
  }
  const table = new Table({ name: `${prefix}Shop`, schema: SCHEMA, client: transport as never })
  await table.create()
  const clock = { now: 1_000_000 }
  const now = () => clock.now
  const cutover = new Cutover(table, { now })
  return {
    cutover,
    transport,
    copy: (change: Partial<LiveCopyOptions> = {}): Promise<CopyReport> =>
      // All requests of a process that dies end with it.
      copyShop(
        change.transport ?? transport,
        { now, ...(!change.transport && { cutover }), ...change },
        prefix,
      ),
    advance(isLiveCopy = false) {
      clock.now += 20_000
      return cutover.advance({ isLiveCopy })
    },
    back() {
      clock.now += 20_000
      return cutover.back()
    },
    clock,
    put: (name: string, Item: Item) =>
      transport.send('PutItem', { TableName: prefix + name, Item }),
    delete: (name: string, Key: Item) =>
      transport.send('DeleteItem', { TableName: prefix + name, Key }),
    scan: async (name: string): Promise<Item[]> => {
      const { Items = [] } = await transport.send('Scan', {
        TableName: prefix + name,
        ConsistentRead: true,
      })
      return Items
    },
  }
}

export type Shop = Awaited<ReturnType<typeof createShop>>

/** What the new table should have, worked out from the rows without the code of the copy. */
export async function expectedItems(shop: Shop): Promise<string[]> {
  const rows = await shop.scan('Orders')
  const users = (await shop.scan('Users')).flatMap(({ id, email }) => {
    const own = rows.filter(({ user }) => user?.S === id?.S)
    const spent = own
      .filter(({ status }) => status?.S === 'paid')
      .reduce((sum, { total }) => addDecimals(sum, total?.N ?? '0') ?? sum, '0')
    return [
      `USER#${id?.S} PROFILE ${email?.S} ${own.length} orders, ${spent}`,
      `guard of ${email?.S}`,
    ]
  })
  const orders = rows.flatMap(({ id, user, day, status, total }) => {
    const content = `${status?.S} ${total?.N}`
    return [
      `USER#${user?.S} ORDER#${day?.S}#${id?.S} ${content}`,
      `DAY#${day?.S} ORDER#${id?.S}#${user?.S} ${content}`,
    ]
  })
  const items = (await shop.scan('Items'))
    .filter(({ n }) => Number(n?.N) > 0)
    .map(({ order, id, n }) => `ORDER#${order?.S} ITEM#${id?.S} ${n?.N}`)
  return [...users, ...orders, ...items].sort()
}

export async function foundItems(shop: Shop): Promise<string[]> {
  const found = (await shop.scan('Shop')).filter(({ _type }) => _type?.S !== '_kit')
  return found
    .map(({ pk, sk, _type, email, orders, spent, status, total, quantity }) => {
      if (_type?.S === '_unique') return `guard of ${String(pk?.S).split('#').at(-1)}`
      if (_type?.S === 'User') {
        return `${pk?.S} ${sk?.S} ${email?.S} ${orders?.N ?? 0} orders, ${addDecimals(spent?.N ?? '0', '0')}`
      }
      const content = status === undefined ? quantity?.N : `${status.S} ${total?.N}`
      return `${pk?.S} ${sk?.S} ${content}`
    })
    .sort()
}

/** An application that puts, changes and deletes rows until it is stopped. */
export function startWriter(shop: Shop, seed: number) {
  const random = seededRandom(seed)
  const upTo = (count: number): number => Math.floor(random() * count)
  let isStopped = false
  let writes = 0
  const write = async (): Promise<void> => {
    const id = String(upTo(40))
    const isDelete = random() < 0.3
    const table = upTo(3)
    if (table === 0) {
      const key = { id: { S: id } }
      // Emails are of one user each, and change.
      if (isDelete) await shop.delete('Users', key)
      else await shop.put('Users', { ...key, email: { S: `${id}-${upTo(5)}@x` } })
    } else if (table === 1) {
      const key = { id: { S: id } }
      if (isDelete) await shop.delete('Orders', key)
      else {
        await shop.put('Orders', {
          ...key,
          user: { S: String(upTo(5)) },
          day: { S: `2024-01-0${1 + upTo(3)}` },
          status: { S: ['open', 'paid'][upTo(2)] ?? '' },
          total: { N: `${upTo(100)}.25` },
        })
      }
    } else {
      const key = { order: { S: String(upTo(8)) }, id: { S: id } }
      if (isDelete) await shop.delete('Items', key)
      else await shop.put('Items', { ...key, n: { N: String(upTo(4)) } })
    }
    writes++
  }
  const running = (async () => {
    while (!isStopped) {
      await write()
      await new Promise((resolve) => setTimeout(resolve, 8))
    }
  })()
  return {
    async some(count: number) {
      for (let at = 0; at < count; at++) await write()
    },
    async stop() {
      isStopped = true
      await running
      return writes
    },
  }
}
