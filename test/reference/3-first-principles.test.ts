import { DynamoDBClient, PutItemCommand, type PutItemCommandInput } from '@aws-sdk/client-dynamodb'
import { defineSchema, type SchemaDefinition, type Table, type Transport } from 'singletable'
import { beforeAll, describe, expect, test } from 'vitest'
import { codeOf, failureOf } from '../behaviour/failure-of.ts'
import { onEachTarget, type Target } from '../behaviour/on-each-target.ts'
import { requestsOf } from '../behaviour/requests-of.ts'
import { PrimerSchema } from './3-schema.ts'
import { storedItems } from './stored-items.ts'

/** The third reference text: one test for each of its headings and code blocks. Where the text
 * errs, what its heading promises. */

type Primer = Table<typeof PrimerSchema>

const CREATED = '2025-05-19T09:00:00Z'

/** As the text's function of that name: the post and a record for each tag, by one transaction. */
async function createPost(
  table: Primer,
  post: { readonly userId: string; readonly postId: string; readonly tags: readonly string[] },
  createdAt = CREATED,
): Promise<void> {
  const { POST, TAGPOST } = table.entities
  const { userId, postId, tags } = post
  const title = `Post ${postId}`
  const put = POST.create({ userId, postId, title, content: 'text', tags: [...tags], createdAt })
  await tags
    .reduce(
      (transaction, tag) =>
        transaction.addPut(TAGPOST.create({ tag, postId, userId, title, createdAt })),
      table.transactWrite().addPut(put),
    )
    .execute()
}

/** The items that the text shows. */
async function primer(target: Target): Promise<Primer> {
  const table = await target.table(PrimerSchema)
  const { USER, ORDER, ORDERITEM, PRODUCT } = table.entities
  await USER.create({ userId: '123', name: 'Alice Smith', email: 'alice@example.com' }).execute()
  await PRODUCT.create({
    productId: '789',
    name: 'Wireless Headphones',
    description: 'Noise-cancelling wireless headphones',
    price: 49.99,
  }).execute()
  const order = { userId: '123', orderId: '456', orderDate: '2025-05-19', total: 99.99 }
  await ORDER.create({ ...order, status: 'SHIPPED' }).execute()
  await ORDERITEM.create({ orderId: '456', productId: '789', quantity: 2, price: 49.99 }).execute()
  return table
}

onEachTarget((target) => {
  let table: Primer
  beforeAll(async () => {
    table = await primer(target)
  })
  const keysOf = async (part: RegExp): Promise<string[]> =>
    (await storedItems(target, table, 'PK', 'SK'))
      .map(({ PK, SK }) => `${PK} ${SK}`)
      .filter((key) => part.test(key))

  describe("Understanding DynamoDB's Core Architecture", () => {
    test('Primary Keys in DynamoDB: a simple or a composite key, of attributes as they are', async () => {
      const messages = await target.table({
        indexes: { primary: { hash: 'UserId', sort: 'MessageId' } },
        models: {
          Message: {
            key: { UserId: '${user}', MessageId: '${message}' },
            attributes: {
              user: { type: String, required: true },
              message: { type: String, required: true },
              content: { type: String, map: 'Content' },
            },
          },
        },
      })
      const { Message } = messages.entities
      await Message.put({ user: 'user123', message: 'msg457', content: 'later' }).execute()
      await Message.put({
        user: 'user123',
        message: 'msg456',
        content: 'Hello, DynamoDB!',
      }).execute()
      expect(await storedItems(target, messages, 'UserId', 'MessageId')).toMatchObject([
        { UserId: 'user123', MessageId: 'msg456', Content: 'Hello, DynamoDB!' },
        { UserId: 'user123', MessageId: 'msg457' },
      ])
      const sorted = await Message.query({ user: 'user123' }).execute()
      expect(sorted.map(({ message }) => message)).toEqual(['msg456', 'msg457'])

      const simple = await target.table({
        indexes: { primary: { hash: 'UserId' } },
        models: {
          User: {
            key: { UserId: '${user}' },
            attributes: { user: { type: String, required: true } },
          },
        },
      })
      await simple.entities.User.create({ user: '1' }).execute()
      expect(await simple.entities.User.get({ user: '1' }).execute()).toEqual({ user: '1' })
    })
  })

  test('The Problem with Multiple Tables: the four tables are four models, whose items one transaction writes', async () => {
    const { USER, ORDER, ORDERITEM, PRODUCT } = table.entities
    const operations = await requestsOf(table, () =>
      table
        .transactWrite()
        .addPut(USER.create({ userId: 'm', name: 'M', email: 'm@example.com' }))
        .addPut(
          ORDER.create({
            userId: 'm',
            orderId: 'm',
            orderDate: '2025-01-01',
            total: 1,
            status: 'X',
          }),
        )
        .addPut(PRODUCT.create({ productId: 'm', name: 'M', price: 1 }))
        .addPut(ORDERITEM.create({ orderId: 'm', productId: 'm', quantity: 1, price: 1 }))
        .execute(),
    )
    expect(operations).toEqual(['TransactWriteItems'])
    const groups = await table.collect(['ORDERDETAILS', 'ORDERITEM'], { orderId: 'm' }).execute()
    expect([groups.ORDERDETAILS.length, groups.ORDERITEM.length]).toEqual([1, 1])
  })

  test('The Problem with Multiple Tables, up to 25 items: a transaction takes 100, and more are refused before they are sent', async () => {
    const { PRODUCT } = table.entities
    const transaction = (count: number) =>
      Array.from({ length: count }, (_, n) =>
        PRODUCT.create({ productId: `${count}-${n}`, name: 'P', price: n }),
      ).reduce((all, put) => all.addPut(put), table.transactWrite())
    await transaction(100).execute()
    const refused = await requestsOf(table, async () => {
      expect(await codeOf(() => transaction(101).execute())).toBe('TRANSACTION_INVALID')
    })
    expect(refused).toEqual([])
  })

  describe('The Single-Table Design Paradigm', () => {
    test('Key Concepts of Single-Table Design: the items are stored as the text shows them', async () => {
      const stored = await storedItems(target, table, 'PK', 'SK')
      const item = (key: string) => stored.find(({ PK, SK }) => `${PK} ${SK}` === key)
      expect(item('USER#123 PROFILE')).toMatchObject({
        Name: 'Alice Smith',
        Email: 'alice@example.com',
        Type: 'USER',
      })
      expect(item('USER#123 ORDER#456')).toMatchObject({
        OrderDate: '2025-05-19',
        Total: '99.99',
        Status: 'SHIPPED',
        Type: 'ORDER',
      })
      expect(item('ORDER#456 PRODUCT#789')).toMatchObject({
        Quantity: '2',
        Price: '49.99',
        Type: 'ORDERITEM',
      })
      expect(item('PRODUCT#789 DETAILS')).toMatchObject({
        Name: 'Wireless Headphones',
        Description: 'Noise-cancelling wireless headphones',
        Price: '49.99',
        Type: 'PRODUCT',
      })
    })

    test('The Single-Table Design Paradigm, items of the text: what its code wrote is read as typed items', async () => {
      const TableName = table.name
      const request: PutItemCommandInput = {
        TableName,
        Item: {
          PK: { S: 'USER#raw' },
          SK: { S: 'ORDER#raw' },
          userId: { S: 'raw' },
          orderId: { S: 'raw' },
          OrderDate: { S: '2025-05-20' },
          Total: { N: '5' },
          Status: { S: 'NEW' },
          Type: { S: 'ORDER' },
        },
      }
      const { client } = target
      await (client instanceof DynamoDBClient
        ? client.send(new PutItemCommand(request))
        : (client as Transport).send('PutItem', request as never))
      expect((await table.patterns.userOrders({ userId: 'raw' })).items).toEqual([
        { userId: 'raw', orderId: 'raw', orderDate: '2025-05-20', total: 5, status: 'NEW' },
      ])
    })
  })

  describe('Access Patterns and Query Design', () => {
    test('Pattern 1: Get User by ID: with the parameters of the text', async () => {
      expect(table.patterns.getUser.params({ userId: '123' })).toMatchObject({
        TableName: table.name,
        Key: { PK: 'USER#123', SK: 'PROFILE' },
      })
      expect((await table.patterns.getUser({ userId: '123' })).item?.name).toBe('Alice Smith')
    })

    test('Pattern 2: Get All Orders for a User: with the parameters of the text', async () => {
      const { params } = table.patterns.userOrders
      expect(Object.values(params({ userId: '123' }).ExpressionAttributeValues as object)).toEqual([
        'USER#123',
        'ORDER#',
      ])
      const { items } = await table.patterns.userOrders({ userId: '123' })
      expect(items.map(({ orderId }) => orderId)).toEqual(['456'])
    })

    test('Pattern 3: Get Order Details Including All Items: the order, too, which the keys of the text leave out', async () => {
      const { groups } = await table.patterns.orderDetails({ orderId: '456' })
      expect(groups.ORDERDETAILS).toMatchObject([{ total: 99.99, status: 'SHIPPED' }])
      expect(groups.ORDERITEM).toMatchObject([{ productId: '789', quantity: 2 }])
      const tree = await table
        .collect(['ORDERDETAILS', 'ORDERITEM'], { userId: '123', orderId: '456' })
        .tree('ORDERDETAILS')
      expect(tree?.ORDERITEM).toHaveLength(1)
    })

    test('Pattern 4: Get Product Information: by its key', async () => {
      expect(table.patterns.getProduct.params({ productId: '789' })).toMatchObject({
        Key: { PK: 'PRODUCT#789', SK: 'DETAILS' },
      })
      const { item } = await table.patterns.getProduct({ productId: '789' })
      expect(item).toMatchObject({ name: 'Wireless Headphones', price: 49.99 })
    })
  })

  describe('Secondary Indexes for Additional Access Patterns', () => {
    test('Secondary Indexes for Additional Access Patterns: the order has the keys of the index', async () => {
      const stored = await storedItems(target, table, 'PK', 'SK')
      expect(stored.find(({ SK }) => SK === 'ORDER#456')).toMatchObject({
        PK: 'USER#123',
        GSI1PK: 'ORDER#STATUS#SHIPPED',
        GSI1SK: '2025-05-19',
      })
    })

    test('Secondary Indexes, query: all shipped orders, sorted by date', async () => {
      const { ORDER } = table.entities
      for (const orderDate of ['2025-06-01', '2025-05-01']) {
        const order = { userId: 'q', orderId: orderDate, orderDate, total: 1 }
        await ORDER.create({ ...order, status: 'SHIPPED' }).execute()
      }
      const { items } = await table.patterns.ordersByStatus({ status: 'SHIPPED' })
      expect(items.map(({ orderDate }) => orderDate)).toEqual([
        '2025-05-01',
        '2025-05-19',
        '2025-06-01',
      ])
      const some = { status: 'SHIPPED', orderDate: { from: '2025-05-10', to: '2025-05-31' } }
      expect((await table.patterns.ordersByStatus(some)).items).toHaveLength(1)
      // The index follows a change of the status.
      const key = { userId: 'q', orderId: '2025-06-01' }
      await ORDER.update(key).set({ status: 'DELIVERED' }).execute()
      expect((await table.patterns.ordersByStatus({ status: 'DELIVERED' })).items).toHaveLength(1)
    })
  })

  describe('Implementation Strategies and Best Practices', () => {
    test('Handling Many-to-Many Relationships: both items of a membership by one write', async () => {
      const { USERGROUP } = table.entities
      const first = { userId: '123', groupId: '1', joinDate: '2025-01-01', role: 'ADMIN' }
      expect(await requestsOf(table, () => USERGROUP.create(first).execute())).toEqual([
        'TransactWriteItems',
      ])
      await USERGROUP.create({ userId: '123', groupId: '2', joinDate: '2025-02-15' }).execute()
      const stored = (await storedItems(target, table, 'PK', 'SK')).filter(({ Type }) =>
        /^(USERGROUP|GROUPUSER)$/.test(String(Type)),
      )
      expect(stored.map(({ PK, SK, Type }) => `${PK} ${SK} ${Type}`)).toEqual([
        'GROUP#1 USER#123 GROUPUSER',
        'GROUP#2 USER#123 GROUPUSER',
        'USER#123 GROUP#1 USERGROUP',
        'USER#123 GROUP#2 USERGROUP',
      ])
      const groups = await table.patterns.groupsOfUser({ userId: '123' })
      expect(groups.items.map(({ groupId }) => groupId)).toEqual(['1', '2'])
      const users = await table.patterns.usersOfGroup({ groupId: '1' })
      expect(users.items).toMatchObject([{ userId: '123', role: 'ADMIN', joinDate: '2025-01-01' }])
    })

    test('Working with Hierarchical Data: a category, and all below it', async () => {
      const { CATEGORY } = table.entities
      const names = ['ELECTRONICS', 'ELECTRONICS#AUDIO', 'ELECTRONICS#AUDIO#HEADPHONES', 'ELECTRO']
      for (const name of names) {
        await CATEGORY.create({ path: name.split('#'), name }).execute()
      }
      expect(await keysOf(/^CATEGORY/)).toEqual(
        names.map((name) => `CATEGORY#${name} DETAILS`).sort(),
      )
      const one = await CATEGORY.get({ path: ['ELECTRONICS', 'AUDIO'] }).execute()
      expect(one?.name).toBe('ELECTRONICS#AUDIO')
      const below = CATEGORY.query()
        .useIndex('GSI1')
        .where((attr, op) => op.beginsWith(attr.path, ['ELECTRONICS']))
      expect((await below.execute()).map(({ name }) => name)).toEqual(names.slice(0, 3))
    })

    test('Time-Series Data: metrics by day', async () => {
      const { USERMETRICS } = table.entities
      await USERMETRICS.put({
        userId: '123',
        day: '2025-05-19',
        loginCount: 5,
        pageViews: 27,
      }).execute()
      expect(await keysOf(/METRICS/)).toEqual(['USER#123 METRICS#2025-05-19'])
    })

    test('Time-Series Data, query: a range of dates with the parameters of the text', async () => {
      const { USERMETRICS } = table.entities
      for (const day of ['2025-04-30', '2025-05-01', '2025-05-31', '2025-06-01']) {
        await USERMETRICS.put({ userId: 'range', day }).execute()
      }
      const may = { userId: 'range', day: { from: '2025-05-01', to: '2025-05-31' } }
      const params = table.patterns.metricsOfUser.params(may)
      expect(Object.values(params.ExpressionAttributeValues as object)).toEqual([
        'USER#range',
        'METRICS#2025-05-01',
        'METRICS#2025-05-31',
      ])
      const { items } = await table.patterns.metricsOfUser(may)
      expect(items.map(({ day }) => day)).toEqual(['2025-05-01', '2025-05-31'])
    })
  })

  describe('a blogging platform', () => {
    let blog: Primer
    beforeAll(async () => {
      blog = await target.table(PrimerSchema)
      const { USER, COMMENT } = blog.entities
      const createdAt = '2025-01-15'
      await USER.create({
        userId: 'alice',
        name: 'Alice Smith',
        email: 'alice@example.com',
        createdAt,
      }).execute()
      const tags = ['dynamodb', 'aws', 'database']
      await createPost(blog, { userId: 'alice', postId: '2025-05-19-001', tags })
      await createPost(blog, { userId: 'bob', postId: 'b1', tags: ['aws'] }, '2025-05-20T09:00:00Z')
      for (const [author, time] of [
        ['bob', '2025-05-19T10:15:00Z'],
        ['alice', '2025-05-19T11:00:00Z'],
      ] as const) {
        await COMMENT.create({
          postId: '2025-05-19-001',
          author,
          createdAt: time,
          content: 'Great post! I learned a lot.',
        }).execute()
      }
    })

    test('Practical Implementation Example: the keys of the blog, and its five questions', async () => {
      const stored = await storedItems(target, blog, 'PK', 'SK')
      const rows = stored
        .filter(({ PK }) => !String(PK).startsWith('UNIQUE#'))
        .map(({ PK, SK, GSI1PK, GSI1SK }) => [PK, SK, GSI1PK, GSI1SK].join(' ').trim())
      expect(rows).toEqual([
        'POST#2025-05-19-001 COMMENT#alice#2025-05-19T11:00:00Z COMMENTS#2025-05-19-001 2025-05-19T11:00:00Z',
        'POST#2025-05-19-001 COMMENT#bob#2025-05-19T10:15:00Z COMMENTS#2025-05-19-001 2025-05-19T10:15:00Z',
        'TAG#aws POST#2025-05-19-001',
        'TAG#aws POST#b1',
        'TAG#database POST#2025-05-19-001',
        'TAG#dynamodb POST#2025-05-19-001',
        'USER#alice POST#2025-05-19-001 POST#PUBLISHED 2025-05-19T09:00:00Z',
        'USER#alice PROFILE USER alice@example.com',
        'USER#bob POST#b1 POST#PUBLISHED 2025-05-20T09:00:00Z',
      ])
      const { patterns } = blog
      expect((await patterns.getUser({ userId: 'alice' })).item?.name).toBe('Alice Smith')
      expect((await patterns.postsByUser({ userId: 'alice' })).items).toHaveLength(1)
      const comments = await patterns.commentsOnPost({ postId: '2025-05-19-001' })
      expect(comments.items.map(({ author }) => author)).toEqual(['bob', 'alice'])
      const published = await patterns.publishedPosts({ status: 'PUBLISHED' })
      expect(published.items.map(({ postId }) => postId)).toEqual(['b1', '2025-05-19-001'])
      const tagged = await patterns.postsByTag({ tag: 'aws' })
      expect(tagged.items.map(({ content, userId }) => `${userId} ${content}`)).toEqual([
        'alice text',
        'bob text',
      ])
    })

    test('Code for Implementing Single-Table Design: its functions, with all that their names promise', async () => {
      const { USER, POST } = blog.entities
      // createUser
      await USER.create({ userId: 'carol', name: 'Carol', email: 'carol@example.com' }).execute()
      // createPost: all by one transaction.
      const requests = await requestsOf(blog, () =>
        createPost(blog, { userId: 'carol', postId: 'c1', tags: ['x', 'y'] }),
      )
      expect(requests).toEqual(['TransactWriteItems'])
      // getUserByUsername, getUserByEmail, getPostsByUser
      expect((await blog.patterns.getUser({ userId: 'carol' })).item?.name).toBe('Carol')
      const found = await blog.patterns.userByEmail({ email: 'carol@example.com' })
      expect(found.items.map(({ userId }) => userId)).toEqual(['carol'])
      expect((await blog.patterns.postsByUser({ userId: 'carol' })).items).toHaveLength(1)
      // "Should be only one": a second one is refused, in whatever case it is written.
      const second = USER.create({ userId: 'dora', name: 'Dora', email: 'CAROL@example.com' })
      const error = await failureOf(() => second.execute())
      expect([error.code, error.message]).toEqual(['UNIQUE_TAKEN', expect.stringMatching(/email/)])
      // A post that is there already is not overwritten, and its tags not written.
      const again = { userId: 'carol', postId: 'c1', tags: ['z'] }
      expect(await codeOf(() => createPost(blog, again))).toBe('TRANSACTION_CANCELED')
      expect((await blog.patterns.postsByTag({ tag: 'z' })).items).toEqual([])
      expect((await POST.get({ userId: 'carol', postId: 'c1' }).execute())?.tags).toEqual([
        'x',
        'y',
      ])
    })
  })

  describe('Challenges and Considerations', () => {
    test('Pros of Single-Table Design: related data by one request', async () => {
      const operations = await requestsOf(table, async () => {
        const names = ['USER', 'ORDER'] as const
        const groups = await table.collect(names, { userId: '123' }).execute()
        expect([groups.USER.length, groups.ORDER.length]).toEqual([1, 1])
      })
      expect(operations).toEqual(['Query'])
    })

    test('Cons and Challenges: what is larger than 400 KB is refused, and duplicates are kept in step', async () => {
      const { POST, ORDER } = table.entities
      const large = { userId: '1', postId: '1', title: 'T', content: 'x'.repeat(400 * 1024) }
      expect(await codeOf(() => POST.put(large).execute())).toBe('REQUEST_REFUSED')
      const order = { userId: 'd', orderId: 'd', orderDate: '2025-01-01', total: 1 }
      await ORDER.create({ ...order, status: 'NEW' }).execute()
      await ORDER.update({ userId: 'd', orderId: 'd' }).set({ total: 2 }).execute()
      const { groups } = await table.patterns.orderDetails({ orderId: 'd' })
      expect(groups.ORDERDETAILS).toMatchObject([{ total: 2 }])
    })

    test('When to Use Single-Table vs. Multi-Table: several tables work together, also in one transaction', async () => {
      const { indexes, models } = PrimerSchema
      const products = await target.table(
        defineSchema({ indexes, models: { PRODUCT: models.PRODUCT } }),
      )
      const product = { productId: 'multi', name: 'M', price: 1 }
      await products
        .transactWrite()
        .addPut(products.entities.PRODUCT.create(product))
        .addPut(table.entities.PRODUCT.create(product).dbParams())
        .execute()
      expect((await table.patterns.getProduct({ productId: 'multi' })).item?.name).toBe('M')
    })
  })

  test('Best Practices for Single-Table Design: patterns are declared first, and one that no key serves is refused', async () => {
    const { indexes, models } = PrimerSchema
    const unserved = () =>
      target.table({
        indexes,
        models: { ORDERITEM: models.ORDERITEM },
        // What the compiler refuses, too, so the test hides it from it.
        patterns: {
          itemsOfProduct: { op: 'query', entity: 'ORDERITEM', by: ['productId'] },
        } as NonNullable<SchemaDefinition['patterns']>,
      })
    const error = await failureOf(unserved)
    expect(error.code).toBe('PATTERN_INVALID')
    expect(error.message).toContain('itemsOfProduct')
    // Each item has its type, and each index only the items that have its keys.
    const stored = await storedItems(target, table, 'PK', 'SK')
    expect(stored.every(({ Type }) => typeof Type === 'string')).toBe(true)
    expect(stored.filter((item) => 'GSI1PK' in item).length).toBeLessThan(stored.length)
  })
})
