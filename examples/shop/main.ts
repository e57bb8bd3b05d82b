import { Table, TransactionCanceledError, UniqueViolationError } from 'singletable'
import { createEngine, simulatedEnvironment } from 'singletable/engine'
import { countRequests } from '../count-requests.ts'
import { shopSchema } from './schema.ts'
import { createShop } from './shop.ts'

const DAY_MS = 86_400_000

// On AWS this program would say `client: new DynamoDBClient({})` and leave the environment out;
// nothing else would change.
const environment = simulatedEnvironment({ now: Date.UTC(2024, 0, 15, 9) })
const engine = createEngine({ environment })
const table = new Table({ name: 'Shop', schema: shopSchema, client: engine, environment })
await table.create()
const { patterns: shop, printRequests } = countRequests(createShop(table))
const ids = (orders: readonly { readonly orderId: string }[]): string =>
  orders.map(({ orderId }) => orderId).join(', ') || 'none'

console.log('# Users: an address is unique')
await shop.register('alice', 'Alice', 'alice@example.com')
await shop.register('bob', 'Bob', 'bob@example.com')
try {
  await shop.register('eve', 'Eve', 'ALICE@example.com')
} catch (error) {
  if (!(error instanceof UniqueViolationError)) throw error
  console.log(`refused: ${error.code} ${error.attributes.join()}`)
}

console.log('\n# Orders: one transaction, one query')
await shop.addProduct('lamp', 'home', 20, 5)
await shop.addProduct('rug', 'home', 50, 1)
await shop.addProduct('phone', 'electronics', 300, 9)
const first = await shop.placeOrder('alice', [
  { productId: 'lamp', quantity: 2 },
  { productId: 'rug', quantity: 1 },
])
await environment.advance(DAY_MS)
const second = await shop.placeOrder('alice', [{ productId: 'phone', quantity: 1 }])
await environment.advance(DAY_MS)
await shop.placeOrder('bob', [{ productId: 'lamp', quantity: 1 }])
try {
  await shop.placeOrder('bob', [{ productId: 'rug', quantity: 1 }])
} catch (error) {
  if (!(error instanceof TransactionCanceledError)) throw error
  console.log(`refused: ${error.failures.map(({ operation }) => operation).join(', ')}`)
}
const order = await shop.orderWithItems(first)
console.log(`order ${order?.orderId} of ${order?.userId}: ${order?.total}`)
for (const { productId, quantity } of order?.OrderItem ?? [])
  console.log(`  ${quantity} ${productId}`)
console.log(`orders of alice: ${(await shop.profile('alice'))?.orderCount}`)

console.log('\n# Copies follow')
await shop.changeStatus(first, 'shipped')
for (const { orderId, status, createdAt } of await shop.userOrders('alice')) {
  console.log(`${createdAt.toISOString().slice(0, 10)} ${orderId} ${status}`)
}

console.log('\n# One index, two questions; what is done leaves it')
console.log(`pending: ${ids(await shop.ordersByStatus('pending'))}`)
console.log(`shipped: ${ids(await shop.ordersByStatus('shipped'))}`)
await shop.changeStatus(first, 'delivered')
console.log(`shipped after delivery: ${ids(await shop.ordersByStatus('shipped'))}`)
const products = await shop.productsInCategory('home')
console.log(`home: ${products.map(({ productId, stock }) => `${productId} (${stock})`).join(', ')}`)
console.log(`the newest order of alice: ${(await shop.orderWithItems(second))?.total}`)

printRequests()
await engine.close()
