import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'

interface LegacyOrder {
  readonly id: number
  readonly userId: number
  readonly status: string
  readonly day: string
}

const TABLE_NAME = 'Shop'

/** As the fifth reference text has it: 25 at a time, which nobody looks at again. */
export async function migrateUsers(
  client: DynamoDBDocumentClient,
  users: readonly { readonly id: number }[],
): Promise<void> {
  const BATCH_SIZE = 25
  for (let i = 0; i < users.length; i += BATCH_SIZE) {
    const batch = users.slice(i, i + BATCH_SIZE)
    const putRequests = batch.map((user) => ({
      PutRequest: { Item: { PK: `USER#${user.id}`, SK: 'PROFILE' } },
    }))
    await client.send(new BatchWriteCommand({ RequestItems: { [TABLE_NAME]: putRequests } }))
  }
}

/** Two items of each order make 50 of them. */
export async function migrateOrders(
  client: DynamoDBDocumentClient,
  orders: readonly LegacyOrder[],
): Promise<void> {
  const BATCH_SIZE = 25
  for (let i = 0; i < orders.length; i += BATCH_SIZE) {
    const batch = orders.slice(i, i + BATCH_SIZE)
    const putRequests = batch.flatMap((order) => {
      const key = `ORDER#${order.day}#${order.id}`
      return [
        { PutRequest: { Item: { PK: `USER#${order.userId}`, SK: key, status: order.status } } },
        { PutRequest: { Item: { PK: `ORDER#${order.id}`, SK: 'META', status: order.status } } },
      ]
    })
    await client.send(new BatchWriteCommand({ RequestItems: { [TABLE_NAME]: putRequests } }))
  }
}
