import {
  CreateTableCommand,
  type DynamoDBClient,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'

export const TABLE = 'Blog'
/** Posts by status, the newest last. */
export const BY_STATUS = 'byStatus'

/** Creates the one table that holds everything; returns the ARN of its stream. */
export async function createBlogTable(client: DynamoDBClient): Promise<string> {
  const { TableDescription } = await client.send(
    new CreateTableCommand({
      TableName: TABLE,
      AttributeDefinitions: ['pk', 'sk', 'status', 'createdAt'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: BY_STATUS,
          KeySchema: [
            { AttributeName: 'status', KeyType: 'HASH' },
            { AttributeName: 'createdAt', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['title'] },
        },
      ],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      BillingMode: 'PAY_PER_REQUEST',
    }),
  )
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName: TABLE,
      TimeToLiveSpecification: { Enabled: true, AttributeName: 'expiresAt' },
    }),
  )
  return TableDescription?.LatestStreamArn ?? ''
}
