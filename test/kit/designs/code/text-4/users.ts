import { type DynamoDBDocumentClient, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'

/** What the fourth reference text does in code, with its keys written out. */
export function createUsers(client: DynamoDBDocumentClient, TableName: string) {
  return {
    async postsOf(userId: string) {
      const { Items } = await client.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
          ExpressionAttributeValues: { ':pk': `USER#${userId}`, ':sk': 'POST#' },
        }),
      )
      return Items
    },
    async update(userId: string, updates: { name: string; email: string }) {
      await client.send(
        new UpdateCommand({
          TableName,
          Key: { pk: `USER#${userId}`, sk: 'PROFILE' },
          UpdateExpression: 'SET #name = :name, #email = :email',
          ExpressionAttributeNames: { '#name': 'name', '#email': 'email' },
          ExpressionAttributeValues: { ':name': updates.name, ':email': updates.email },
        }),
      )
    },
  }
}
