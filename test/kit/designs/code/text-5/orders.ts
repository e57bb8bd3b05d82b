import { type DynamoDBDocumentClient, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'

const TABLE_NAME = 'Shop'

export async function getOrdersByStatus(client: DynamoDBDocumentClient, status: string) {
  const response = await client.send(
    new QueryCommand({
      TableName: TABLE_NAME,
      IndexName: 'GSI1',
      KeyConditionExpression: 'GSI1PK = :gsi1pk',
      ExpressionAttributeValues: { ':gsi1pk': `STATUS#${status}` },
    }),
  )
  return response.Items ?? []
}

/** Changes the order and its key in the index, and forgets the copy under its user. */
export async function updateOrderStatus(
  client: DynamoDBDocumentClient,
  orderId: string,
  newStatus: string,
): Promise<void> {
  await client.send(
    new UpdateCommand({
      TableName: TABLE_NAME,
      Key: { PK: `ORDER#${orderId}`, SK: 'META' },
      UpdateExpression: 'SET #status = :newStatus, GSI1PK = :gsi1pk, updatedAt = :updatedAt',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':newStatus': newStatus,
        ':gsi1pk': `STATUS#${newStatus}`,
        ':updatedAt': new Date().toISOString(),
      },
      ConditionExpression: 'attribute_exists(PK)',
    }),
  )
}
