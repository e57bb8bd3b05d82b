import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { codeOf, failureOf } from '../behaviour/failure-of.ts'
import { onEachTarget, type Target } from '../behaviour/on-each-target.ts'
import { requestsOf } from '../behaviour/requests-of.ts'
import { ShopSchema } from './5-schema.ts'
import { storedItems } from './stored-items.ts'

/** The fifth reference text: one test for each of its headings and code blocks. Where the text
 * errs, what its heading promises. */

type Shop = Table<typeof ShopSchema>
type OrderStatus = 'pending' | 'shipped' | 'delivered'

const DAY_MS = 86_400_000
const FIRST_DAY = new Date('2024-01-15T14:30:00Z')
const daysLater = (days: number): Date => new Date(FIRST_DAY.getTime() + days * DAY_MS)
const ids = (orders: readonly { readonly orderId: string }[]): string[] =>
  orders.map(({ orderId }) => orderId)

/** As the text's function of that name: the order, its summary under the user and its items, by one
 * transaction. */
async function createOrder(
  shop: Shop,
  order: {
    readonly orderId: string
    readonly userId: string
    readonly createdAt: Date
    readonly status?: OrderStatus
  },
  itemIds: readonly string[] = ['001'],
): Promise<void> {
  const { Order, OrderItem } = shop.entities
  const write = itemIds.reduce(
    (transaction, itemId) =>
      transaction.addPut(
        OrderItem.create({
          orderId: order.orderId,
          itemId,
          productId: 'P100',
          quantity: 2,
          price: 10,
        }),
      ),
    shop.transactWrite().addPut(Order.create({ ...order, total: 20 * itemIds.length })),
  )
  await write.execute()
}

/** A shop with a user, orders on three days, and what the text keeps next to them. */
async function openShop(target: Target): Promise<Shop> {
  const shop = await target.table(ShopSchema)
  const { User, Address, Membership, Product } = shop.entities
  await User.create({ userId: '12345', name: 'Alice', email: 'a@example.com' }).execute()
  await Address.create({ userId: '12345', label: 'home', street: '123 Main St' }).execute()
  await Membership.create({ userId: '12345', orgId: '456', role: 'admin' }).execute()
  await Product.create({ productId: 'P100', name: 'Lamp', price: 10 }).execute()
  await createOrder(shop, { orderId: '98765', userId: '12345', createdAt: FIRST_DAY }, ['A1', 'A2'])
  await createOrder(shop, { orderId: '98766', userId: '12345', createdAt: daysLater(5) })
  await createOrder(shop, {
    orderId: '98767',
    userId: '999',
    createdAt: daysLater(6),
    status: 'shipped',
  })
  return shop
}

onEachTarget((target) => {
  /** Only read. */
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop(target)
  })

  describe('1. Why Single-Table Design?', () => {
    test('Benefits: related entities come by one request, written by one transaction', async () => {
      const read = await requestsOf(shop, () => shop.patterns.orderById({ orderId: '98765' }))
      expect(read).toEqual(['Query'])
      const order = { orderId: 'b', userId: 'b', createdAt: FIRST_DAY }
      const written = await requestsOf(shop, () => createOrder(shop, order, ['1', '2', '3']))
      expect(written).toEqual(['TransactWriteItems'])
    })

    test('The Mental Shift: what is joined at write time is read as one', async () => {
      const order = await shop.collect(['Order', 'OrderItem'], { orderId: '98765' }).tree('Order')
      expect(order).toMatchObject({
        userId: '12345',
        OrderItem: [{ itemId: 'A1' }, { itemId: 'A2' }],
      })
    })
  })

  describe('2. Understanding DynamoDB Fundamentals', () => {
    test('Partition Key (PK): all items of a partition are read by it alone', async () => {
      const names = ['User', 'Address', 'Membership', 'OrderSummary'] as const
      const groups = await shop.collect(names, { userId: '12345' }).execute()
      expect(names.map((name) => groups[name].length)).toEqual([1, 1, 1, 2])
      expect(groups.unknown).toEqual([])
    })

    test('Sort Key (SK): orders a partition, and takes begins_with, between, > and <', async () => {
      const orders = shop.entities.OrderSummary.query({ userId: '12345' })
      const between = orders.where((attr, op) =>
        op.between(attr.createdAt, daysLater(1), daysLater(9)),
      )
      expect(ids(await between.execute())).toEqual(['98766'])
      const after = orders.where((attr, op) => op.gt(attr.createdAt, daysLater(1)))
      expect(ids(await after.execute())).toEqual(['98766'])
      const before = orders.where((attr, op) => op.lt(attr.createdAt, daysLater(1)))
      expect(ids(await before.execute())).toEqual(['98765'])
      const beginning = orders.where((attr, op) => op.beginsWith(attr.SK, 'ORDER#2024-01-2'))
      expect(ids(await beginning.execute())).toEqual(['98766'])
    })

    test('How Queries Work: a query without a partition key is refused, never a scan', async () => {
      const { OrderItem } = shop.entities
      const query = OrderItem.query().where((attr, op) => op.eq(attr.itemId, 'A1'))
      expect(await requestsOf(shop, () => codeOf(() => query.execute()))).toEqual([])
      expect(await codeOf(() => query.execute())).toBe('PLAN_NO_INDEX')
      expect(OrderItem.query({ orderId: '98765', itemId: 'A1' }).explain()).toMatchObject({
        operation: 'Query',
        keyCondition: 'PK = "ORDER#98765" AND SK = "ITEM#A1"',
      })
    })
  })

  describe('3. Access Pattern-First Design', () => {
    test('Example: E-commerce Application: each line of the list is one declared pattern', async () => {
      const { patterns } = shop
      expect((await patterns.getUser({ userId: '12345' })).item?.name).toBe('Alice')
      expect(ids((await patterns.userOrders({ userId: '12345' })).items)).toEqual([
        '98766',
        '98765',
      ])
      const { groups } = await patterns.orderById({ orderId: '98765' })
      expect([groups.Order.length, groups.OrderItem.length]).toEqual([1, 2])
      expect((await patterns.orderItems({ orderId: '98765' })).items).toHaveLength(2)
      expect((await patterns.getProduct({ productId: 'P100' })).item?.name).toBe('Lamp')
      const { items } = await patterns.ordersByStatus({ status: 'shipped' })
      expect(ids(items)).toEqual(['98767'])
    })

    test('Get recent orders: the last 7 days are served by a key, which the text has not', async () => {
      const week = { createdAt: { from: daysLater(0), to: daysLater(7) } }
      const { items } = await shop.patterns.recentOrders(week)
      expect(ids(items)).toEqual(expect.arrayContaining(['98767', '98766', '98765']))
      expect(items.map(({ createdAt }) => createdAt.getTime())).toEqual(
        items.map(({ createdAt }) => createdAt.getTime()).sort((a, b) => b - a),
      )
      const later = { createdAt: { from: daysLater(4), to: daysLater(7) } }
      expect(ids((await shop.patterns.recentOrders(later)).items)).toEqual(['98767', '98766'])
    })
  })

  describe('4. Key Design Strategies', () => {
    test('Entity Prefixes: the keys are those of the text', () => {
      const { User, OrderSummary, OrderItem } = shop.entities
      expect(User.renderKey({ userId: '12345' })).toEqual({ PK: 'USER#12345', SK: 'PROFILE' })
      expect(
        OrderSummary.renderKey({ userId: '12345', createdAt: FIRST_DAY, orderId: '98765' }),
      ).toEqual({ PK: 'USER#12345', SK: 'ORDER#2024-01-15#98765' })
      expect(OrderItem.renderKey({ orderId: '98765', itemId: '001' })).toEqual({
        PK: 'ORDER#98765',
        SK: 'ITEM#001',
      })
    })

    test('Composite Sort Keys: all orders, orders after a date, one order, and nothing else of the partition', async () => {
      const { OrderSummary } = shop.entities
      const all = OrderSummary.query({ userId: '12345' })
      expect(all.explain().keyCondition).toBe('PK = "USER#12345" AND begins_with(SK, "ORDER#")')
      expect(ids(await all.execute())).toEqual(['98765', '98766'])

      // The text's `> "ORDER#2024-01-01"` gives the profile as well, which comes after all orders.
      const after = all.where((attr, op) => op.gt(attr.createdAt, new Date('2024-01-16')))
      expect(after.explain().keyCondition).toMatch(
        /^PK = "USER#12345" AND SK BETWEEN "ORDER#2024-01-16.*" AND "ORDER#/,
      )
      const page = await after.executeWithPagination()
      expect([ids(page.items), page.scannedCount]).toEqual([['98766'], 1])

      const key = { userId: '12345', createdAt: FIRST_DAY, orderId: '98765' }
      expect(await OrderSummary.get(key).execute()).toMatchObject({ orderId: '98765', total: 40 })
    })

    test('Key Structure Diagram: the table has the keys and indexes of the diagram', async () => {
      const [item] = await storedItems(target, shop, 'PK', 'SK')
      expect(Object.keys(item ?? {})).toEqual(expect.arrayContaining(['PK', 'SK']))
      const { Order } = shop.entities
      const plan = Order.query({ status: 'pending' }).explain()
      expect(plan.index).toBe('GSI1')
      expect(plan.keyCondition).toContain('GSI1PK = "STATUS#pending" AND begins_with(GSI1SK')
    })
  })

  describe('5. Implementing a Real-World Example', () => {
    test('Table Design: each row of the table is stored so, byte for byte', async () => {
      const stored = await storedItems(target, await openShop(target), 'PK', 'SK')
      const rows = stored.map(({ PK, SK, GSI1PK, GSI1SK }) =>
        [PK, SK, GSI1PK, GSI1SK].filter((text) => text !== undefined).join(' '),
      )
      expect(rows).toEqual([
        'ORDER#98765 ITEM#A1',
        'ORDER#98765 ITEM#A2',
        'ORDER#98765 META STATUS#pending ORDER#2024-01-15#98765',
        'ORDER#98766 ITEM#001',
        'ORDER#98766 META STATUS#pending ORDER#2024-01-20#98766',
        'ORDER#98767 ITEM#001',
        'ORDER#98767 META STATUS#shipped ORDER#2024-01-21#98767',
        'PRODUCT#P100 INFO',
        'USER#12345 ADDRESS#home',
        'USER#12345 ORDER#2024-01-15#98765',
        'USER#12345 ORDER#2024-01-20#98766',
        'USER#12345 ORG#456 ORG#456 USER#12345',
        'USER#12345 PROFILE',
        'USER#999 ORDER#2024-01-21#98767',
      ])
    })

    test('Data Model Visualization: the partitions hold what the picture shows', async () => {
      const user = await shop.collect(['User', 'OrderSummary'], { userId: '12345' }).tree('User')
      expect(user).toMatchObject({
        name: 'Alice',
        email: 'a@example.com',
        createdAt: expect.any(Date),
        OrderSummary: [
          { total: 40, status: 'pending' },
          { total: 20, status: 'pending' },
        ],
      })
      const { groups } = await shop.patterns.orderById({ orderId: '98765' })
      expect(groups.Order).toMatchObject([{ userId: '12345', total: 40, status: 'pending' }])
      expect(groups.OrderItem).toMatchObject([
        { productId: 'P100', quantity: 2, price: 10 },
        { productId: 'P100', quantity: 2, price: 10 },
      ])
      const { item } = await shop.patterns.getProduct({ productId: 'P100' })
      expect(item).toMatchObject({ name: 'Lamp', price: 10, inventory: 0 })
    })
  })

  describe('6. Global Secondary Indexes (GSIs)', () => {
    test('GSI for Order Status Queries: orders by status across all users', async () => {
      const { items } = await shop.patterns.ordersByStatus({ status: 'pending' })
      expect(ids(items).filter((id) => id !== 'b')).toEqual(['98766', '98765'])
      expect(shop.patterns.ordersByStatus.params({ status: 'shipped' })).toMatchObject({
        IndexName: 'GSI1',
        ScanIndexForward: false,
      })
    })

    test('Sparse Indexes: only active users are in the index, and they leave it by themselves', async () => {
      const { User } = shop.entities
      const active = async () =>
        (await User.query().useIndex('GSI2').execute()).map(({ userId }) => userId)
      const user = { userId: 'sparse', name: 'S', email: 's@example.com' }
      await User.create({ ...user, active: true }).execute()
      expect(await active()).toEqual(['sparse'])
      const stored = await storedItems(target, shop, 'PK', 'SK')
      const keys = stored.filter(({ GSI2PK }) => GSI2PK === 'ACTIVE_USER')
      expect(keys).toMatchObject([{ PK: 'USER#sparse', SK: 'PROFILE', GSI2SK: 'USER#sparse' }])
      await User.update({ userId: 'sparse' }).set({ active: false }).execute()
      expect(await active()).toEqual([])
    })

    test('GSI Overloading: one index has orders by status, products by category and users by region', async () => {
      const { Order, Product, User } = shop.entities
      await Product.create({
        productId: 'tv',
        name: 'TV',
        price: 9,
        category: 'electronics',
      }).execute()
      await User.create({
        userId: 'west',
        name: 'W',
        email: 'w@example.com',
        region: 'us-west',
      }).execute()
      const products = Product.query({ category: 'electronics' })
      const users = User.query({ region: 'us-west' })
      expect((await products.execute()).map(({ productId }) => productId)).toEqual(['tv'])
      expect((await users.execute()).map(({ userId }) => userId)).toEqual(['west'])
      for (const query of [Order.query({ status: 'pending' }), products, users]) {
        expect(query.explain().index).toBe('GSI1')
      }
    })
  })

  describe('7. Common Patterns and Techniques', () => {
    test('Pattern 1: One-to-Many Relationships: all addresses of a user', async () => {
      const { Address } = shop.entities
      await Address.create({ userId: '123', label: 'work', street: '456 Office Blvd' }).execute()
      await Address.create({ userId: '123', label: 'home', street: '123 Main St' }).execute()
      const query = Address.query({ userId: '123' })
      expect(query.explain().keyCondition).toBe('PK = "USER#123" AND begins_with(SK, "ADDRESS#")')
      expect((await query.execute()).map(({ label }) => label)).toEqual(['home', 'work'])
    })

    test('Pattern 2: Many-to-Many Relationships: from both sides, by one declaration', async () => {
      const { Membership } = shop.entities
      await Membership.create({ userId: '123', orgId: '456', role: 'admin' }).execute()
      await Membership.create({ userId: '123', orgId: '457', role: 'member' }).execute()
      const organisations = Membership.query({ userId: '123' })
      expect(organisations.explain().keyCondition).toBe(
        'PK = "USER#123" AND begins_with(SK, "ORG#")',
      )
      expect((await organisations.execute()).map(({ orgId }) => orgId)).toEqual(['456', '457'])
      const users = Membership.query({ orgId: '456' })
      expect(users.explain().keyCondition).toBe(
        'GSI1PK = "ORG#456" AND begins_with(GSI1SK, "USER#")',
      )
      expect((await users.execute()).map(({ userId }) => userId)).toEqual(['123', '12345'])
    })

    test('Pattern 3: Hierarchical Data: a folder and all below it, and no folder whose name only begins alike', async () => {
      const { Folder } = shop.entities
      const paths = ['documents', 'documents/projects/2024', 'documents-old/x', 'music']
      await Folder.batchWrite(
        paths.map((path) => ({ owner: 'user123', path: path.split('/') })),
      ).execute()
      const keys = (await storedItems(target, shop, 'PK', 'SK')).filter(
        ({ PK }) => PK === 'FILESYSTEM#user123',
      )
      expect(keys.map(({ SK }) => SK)).toContain('FOLDER#documents#projects#2024')
      const below = Folder.query({ owner: 'user123' }).where((attr, op) =>
        op.and(op.beginsWith(attr.path, ['documents']), op.size(attr.path).gt(1)),
      )
      expect((await below.execute()).map(({ path }) => path.join('/'))).toEqual([
        'documents/projects/2024',
      ])
    })

    test('Pattern 4: Time-Series Data: days are partitions, and a range reads those it touches', async () => {
      const { Metric } = shop.entities
      const write = (server: string, date: string, time: string) =>
        Metric.put({ server, at: new Date(`${date}T${time}Z`), time, cpu: 45.2 }).execute()
      await write('server1', '2024-01-15', '14:30:00')
      await write('server1', '2024-01-16', '01:00:00')
      await write('server1', '2024-01-17', '01:00:00')
      await write('server2', '2024-01-15', '14:30:00')
      const range = Metric.query({ server: 'server1' }).where((attr, op) =>
        op.between(attr.at, new Date('2024-01-15T15:00:00Z'), new Date('2024-01-17T00:00:00Z')),
      )
      expect((await range.execute()).map(({ at }) => at.toISOString())).toEqual([
        '2024-01-16T01:00:00.000Z',
      ])
      expect(range.explain().partitions).toContain(
        '3 partitions, "METRICS#server1#2024-01-15" to "METRICS#server1#2024-01-17"',
      )
      // The text's METRICS#2024-01-15 takes the writes of all servers; a server of its own per key
      // does not.
      const at = new Date('2024-01-15T14:30:00Z')
      expect(Metric.renderKey({ server: 'server1', at, time: '14:30:00' })).toEqual({
        PK: 'METRICS#server1#2024-01-15',
        SK: '14:30:00',
      })
    })
  })

  describe('8. Query Examples with Code', () => {
    test('Setting Up the DynamoDB Client: a document client of the SDK is a client', async () => {
      const engine = createEngine()
      const client = DynamoDBDocumentClient.from(new DynamoDBClient(engine.clientConfig()), {
        marshallOptions: { removeUndefinedValues: true },
      })
      const table = new Table({ name: 'ECommerceTable', schema: ShopSchema, client })
      await table.create()
      const { User } = table.entities
      await User.create({
        userId: '1',
        name: 'A',
        email: 'a@example.com',
        region: undefined,
      }).execute()
      expect((await table.patterns.getUser({ userId: '1' })).item?.name).toBe('A')
      client.destroy()
      await engine.close()
    })

    test('Creating a User: with its keys and type, and never over another', async () => {
      const { User } = shop.entities
      const user = { userId: 'new', email: 'n@example.com', name: 'New' }
      await User.create(user).execute()
      const stored = (await storedItems(target, shop, 'PK', 'SK')).find(
        ({ PK }) => PK === 'USER#new',
      )
      expect(stored).toMatchObject({ ...user, PK: 'USER#new', SK: 'PROFILE', entityType: 'User' })
      expect(await codeOf(() => User.create({ ...user, name: 'Other' }).execute())).toBe(
        'ITEM_EXISTS',
      )
    })

    test('Creating an Order with Items (Transaction): all of it by one request, or nothing', async () => {
      const order = { orderId: 'tx', userId: 'tx', createdAt: FIRST_DAY }
      const requests = await requestsOf(shop, () => createOrder(shop, order, ['1', '2']))
      expect(requests).toEqual(['TransactWriteItems'])
      const stored = (await storedItems(target, shop, 'PK', 'SK')).filter(({ PK }) =>
        /#tx$/.test(String(PK)),
      )
      expect(stored).toMatchObject([
        { PK: 'ORDER#tx', SK: 'ITEM#1', entityType: 'OrderItem', productId: 'P100' },
        { PK: 'ORDER#tx', SK: 'ITEM#2', entityType: 'OrderItem' },
        {
          PK: 'ORDER#tx',
          SK: 'META',
          entityType: 'Order',
          userId: 'tx',
          GSI1PK: 'STATUS#pending',
          GSI1SK: 'ORDER#2024-01-15#tx',
        },
        {
          PK: 'USER#tx',
          SK: 'ORDER#2024-01-15#tx',
          entityType: 'OrderSummary',
          orderId: 'tx',
          status: 'pending',
          createdAt: FIRST_DAY.toISOString(),
        },
      ])
      const again = await failureOf(() => createOrder(shop, order, ['3']))
      expect(again.code).toBe('TRANSACTION_CANCELED')
      expect((await shop.patterns.orderItems({ orderId: 'tx' })).items).toHaveLength(2)
    })

    test("Fetching a User's Orders: summaries, the newest first", async () => {
      const { items } = await shop.patterns.userOrders({ userId: '12345' })
      expect(items).toEqual([
        {
          orderId: '98766',
          userId: '12345',
          total: 20,
          status: 'pending',
          createdAt: daysLater(5),
        },
        { orderId: '98765', userId: '12345', total: 40, status: 'pending', createdAt: FIRST_DAY },
      ])
    })

    test('Fetching an Order with All Items: by one query, or undefined', async () => {
      const orderWithItems = (orderId: string) =>
        shop.collect(['Order', 'OrderItem'], { orderId }).tree('Order')
      const requests = await requestsOf(shop, async () => {
        const order = await orderWithItems('98765')
        expect(order).toMatchObject({
          orderId: '98765',
          userId: '12345',
          total: 40,
          status: 'pending',
          createdAt: FIRST_DAY,
        })
        expect(order?.OrderItem).toMatchObject(
          ['A1', 'A2'].map((itemId) => ({
            orderId: '98765',
            itemId,
            productId: 'P100',
            quantity: 2,
            price: 10,
          })),
        )
      })
      expect(requests).toEqual(['Query'])
      expect(await orderWithItems('missing')).toBeUndefined()
    })

    describe('orders that change', () => {
      let own: Shop
      beforeEach(async () => {
        own = await openShop(target)
      })

      test('Querying Orders by Status (Using GSI): the newest first', async () => {
        const { items } = await own.patterns.ordersByStatus({ status: 'pending' })
        expect(items).toMatchObject([
          { orderId: '98766', total: 20, status: 'pending', createdAt: daysLater(5) },
          { orderId: '98765', total: 40, status: 'pending', createdAt: FIRST_DAY },
        ])
      })

      test('Updating Order Status: the index and the copy under the user follow, which the text forgets', async () => {
        const { Order, OrderSummary } = own.entities
        await Order.update({ orderId: '98765' }).set({ status: 'shipped' }).execute()
        expect(ids((await own.patterns.ordersByStatus({ status: 'pending' })).items)).toEqual([
          '98766',
        ])
        const { items } = await own.patterns.ordersByStatus({ status: 'shipped' })
        expect(ids(items)).toEqual(['98767', '98765'])
        const [copy] = await OrderSummary.query({ userId: '12345' }).execute()
        expect(copy).toMatchObject({ orderId: '98765', status: 'shipped' })
        const missing = Order.update({ orderId: 'missing' }).set({ status: 'shipped' })
        expect(await codeOf(() => missing.execute())).toBe('ITEM_NOT_FOUND')
      })
    })
  })

  describe('9. Migration Strategies', () => {
    test('From Relational to Single-Table: rows that are written while the migration runs keep what is newer', async () => {
      const { User } = shop.entities
      // Dual writes: the application has written it already, so the migration must not put the old
      // row over it.
      await User.create({ userId: 'dual', name: 'New', email: 'new@example.com' }).execute()
      const old = User.create({ userId: 'dual', name: 'Old', email: 'old@example.com' })
      expect(await codeOf(() => old.execute())).toBe('ITEM_EXISTS')
      expect((await shop.patterns.getUser({ userId: 'dual' })).item?.name).toBe('New')
    })

    test('Migration Script Example: any number of users, in requests of 25, and nothing unprocessed is lost', async () => {
      const own = await target.table(ShopSchema, { retry: { delayMsBase: 1, delayMsMax: 2 } })
      const { User } = own.entities
      const rows = Array.from({ length: 60 }, (_, id) => ({
        id,
        email: `${id}@example.com`,
        name: `User ${id}`,
        created_at: daysLater(-id),
      }))
      const fault = target.engine?.faults.add({
        kind: 'unprocessed',
        table: own.name,
        operation: 'BatchWriteItem',
        count: 3,
      })
      const requests = await requestsOf(own, () =>
        User.batchWrite(
          rows.map(({ id, email, name, created_at }) => ({
            userId: String(id),
            email,
            name,
            createdAt: created_at,
          })),
        ).execute(),
      )
      fault?.remove()
      expect(requests.length).toBeGreaterThanOrEqual(3)
      expect(new Set(requests)).toEqual(new Set(['BatchWriteItem']))
      expect(await User.scan().count()).toBe(60)
      expect(await User.get({ userId: '7' }).execute()).toMatchObject({ createdAt: daysLater(-7) })
    })

    test('Migration Script Example, migrateOrders: each order with its copy, where the text sends 50 puts in a batch of 25', async () => {
      const own = await target.table(ShopSchema, { retry: { delayMsBase: 1, delayMsMax: 2 } })
      const { Order, OrderSummary } = own.entities
      const orders = Array.from({ length: 30 }, (_, id) => ({
        orderId: String(id),
        userId: String(id % 3),
        total: id,
        status: 'delivered' as const,
        createdAt: daysLater(-id),
      }))
      await Order.batchWrite(orders).execute()
      expect(await Order.scan().count()).toBe(30)
      const copies = await OrderSummary.query({ userId: '1' }).execute()
      expect(copies).toHaveLength(10)
      expect(copies.at(-1)).toMatchObject({ orderId: '1', createdAt: daysLater(-1) })
    })
  })

  describe('10. When Not to Use Single-Table Design', () => {
    test('Ad-Hoc Queries Are Common: what another service answers is declared, and says so when called', async () => {
      const search = shop.patterns.search as unknown as (input: object) => Promise<unknown>
      const error = await failureOf(() => search({}))
      expect(error.message).toContain('Amazon OpenSearch Service answers it')
    })

    test('Multiple Teams Own Different Entities: a table for each team, and a transaction still spans both', async () => {
      const { indexes, models } = ShopSchema
      const users = await target.table(
        defineSchema({ indexes, models: { User: models.User, Address: models.Address } }),
      )
      const products = await target.table(
        defineSchema({ indexes, models: { Product: models.Product } }),
      )
      const address = { userId: '1', label: 'home', street: 'Main St' }
      const product = { productId: '1', name: 'Lamp', price: 1 }
      await users
        .transactWrite()
        .addPut(users.entities.Address.create(address))
        .addPut(products.entities.Product.create(product).dbParams())
        .execute()
      expect(await users.entities.Address.get(address).execute()).toEqual(address)
      expect(await products.entities.Product.get(product).execute()).toMatchObject(product)
    })

    test('Data Size Varies Dramatically: a large user is spread over shards and read as one', async () => {
      const table = await target.table(
        defineSchema({
          indexes: { primary: { hash: 'PK', sort: 'SK' } },
          models: {
            Order: {
              key: { PK: 'USER#${userId}#${shard}', SK: 'ORDER#${orderId}' },
              shard: { count: 4, by: ['orderId'] },
              attributes: {
                userId: { type: String, required: true },
                orderId: { type: String, required: true },
              },
            },
          },
        }),
      )
      const { Order } = table.entities
      const orderIds = Array.from({ length: 40 }, (_, id) => String(id).padStart(3, '0'))
      await Order.batchWrite(orderIds.map((orderId) => ({ userId: '1', orderId }))).execute()
      expect(ids(await Order.query({ userId: '1' }).execute())).toEqual(orderIds)
      const partitions = new Set((await storedItems(target, table, 'PK', 'SK')).map(({ PK }) => PK))
      expect(partitions.size).toBe(4)
    })

    test('Simple CRUD Applications: a table of one model with a partition key alone is a schema, too', async () => {
      const table = await target.table({
        indexes: { primary: { hash: 'PK' } },
        models: {
          Note: {
            key: { PK: '${id}' },
            attributes: { id: { type: String, required: true }, text: { type: String } },
          },
        },
      })
      const { Note } = table.entities
      await Note.create({ id: '1', text: 'a' }).execute()
      await Note.update({ id: '1' }).set({ text: 'b' }).execute()
      expect(await Note.get({ id: '1' }).execute()).toEqual({ id: '1', text: 'b' })
      await Note.delete({ id: '1' }).execute()
      expect(await Note.get({ id: '1' }).execute()).toBeUndefined()
    })
  })

  describe('11. Best Practices and Pitfalls', () => {
    test('Document your access patterns: the document is made of what is carried out', () => {
      const { patterns } = shop
      expect(patterns.getUser.plan()).toMatchObject({
        index: 'primary',
        key: { PK: { eq: 'USER#${userId}' }, SK: { eq: 'PROFILE' } },
      })
      expect(patterns.userOrders.plan()).toMatchObject({
        index: 'primary',
        key: { PK: { eq: 'USER#${userId}' }, SK: { beginsWith: 'ORDER#' } },
      })
      // The text's design table says ORDER#<orderId> where its code writes STATUS#…; here there is
      // one place that says it.
      expect(patterns.ordersByStatus.plan()).toMatchObject({
        index: 'GSI1',
        key: { GSI1PK: { eq: 'STATUS#${status}' } },
      })
    })

    test('Use consistent key prefixes: prefixes are in the schema once, and keys that could overlap are refused', async () => {
      const { User, Address } = ShopSchema.models
      const clash = { ...Address, key: { PK: 'USER#${userId}', SK: '${label}' } } as const
      const error = await failureOf(() =>
        target.table({ indexes: ShopSchema.indexes, models: { User, Address: clash } }),
      )
      expect(error.code).toBe('KEYS_MEET')
      expect(error.message).toContain('PROFILE')
    })

    test('Include entity type attribute: every stored item has it', async () => {
      const stored = await storedItems(target, shop, 'PK', 'SK')
      expect(stored.every(({ entityType }) => typeof entityType === 'string')).toBe(true)
      const users = await shop.entities.User.scan().execute()
      expect(users.length).toBe(stored.filter(({ entityType }) => entityType === 'User').length)
    })

    test('Plan for GSI capacity: a provisioned table gives its indexes capacity of their own', async () => {
      const { indexes, models } = ShopSchema
      const billing = { readCapacityUnits: 5, writeCapacityUnits: 3 }
      const table = await target.table(
        defineSchema({ indexes, models: { User: models.User }, table: { billing } }),
      )
      await table.entities.User.create({
        userId: '1',
        name: 'A',
        email: 'a@example.com',
        active: true,
      }).execute()
      const query = table.entities.User.query().useIndex('GSI2').returnConsumedCapacity('INDEXES')
      expect((await query.executeWithPagination()).consumedCapacity).toMatchObject({
        GlobalSecondaryIndexes: { GSI2: { CapacityUnits: 0.5 } },
      })
    })

    test('Hot partitions: orders are spread by their ids, and a partition that all share can be sharded', async () => {
      const { Order } = shop.entities
      const keys = ['1', '2'].map((orderId) => Order.renderKey({ orderId }).PK)
      expect(keys).toEqual(['ORDER#1', 'ORDER#2'])
      const table = await target.table(
        defineSchema({
          indexes: { primary: { hash: 'PK', sort: 'SK' } },
          models: {
            Order: {
              key: { PK: 'ORDERS#${shard}', SK: 'ORDER#${orderId}' },
              shard: { count: 3 },
              attributes: { orderId: { type: String, required: true } },
            },
          },
        }),
      )
      const orderIds = Array.from({ length: 20 }, (_, id) => String(100 + id))
      await table.entities.Order.batchWrite(orderIds.map((orderId) => ({ orderId }))).execute()
      const all = await table.entities.Order.query().useIndex('primary').execute()
      expect(ids(all)).toEqual(orderIds)
    })

    test('Unbounded item collections: daily buckets bound each collection', () => {
      const { Metric } = shop.entities
      const keys = ['2024-01-15', '2024-01-16'].map((day) =>
        Metric.renderKey({ server: 'server1', at: new Date(day), time: '14:30:00' }),
      )
      expect(keys.map(({ PK }) => PK)).toEqual([
        'METRICS#server1#2024-01-15',
        'METRICS#server1#2024-01-16',
      ])
    })

    test('Over-indexing: two indexes serve all patterns, and each item is in those it has keys for', async () => {
      expect(Object.keys(ShopSchema.indexes)).toHaveLength(3)
      const stored = await storedItems(target, shop, 'PK', 'SK')
      const items = stored.filter(({ entityType }) => entityType === 'OrderItem')
      expect(items.some((item) => 'GSI1PK' in item || 'GSI2PK' in item)).toBe(false)
    })

    test('Forgetting to update all copies: a transaction that leaves the copy out cannot be written', async () => {
      const own = await openShop(target)
      const { Order, OrderSummary } = own.entities
      // A request that changes the order alone is not to be had.
      const update = Order.update({ orderId: '98765' }).set({ total: 1 })
      expect(await codeOf(() => update.dbParams())).toBe('UPDATE_NEEDS_ATTRIBUTES')
      await update.execute()
      const [copy] = await OrderSummary.query({ userId: '12345' }).execute()
      expect(copy?.total).toBe(1)
      await Order.delete({ orderId: '98765' }).execute()
      expect(ids(await OrderSummary.query({ userId: '12345' }).execute())).toEqual(['98766'])
    })
  })
})
