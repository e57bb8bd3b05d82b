/** The document client of the SDK's second version, as the third reference text has it. */
declare const documentClient: {
  query(request: object): { promise(): Promise<{ Items: readonly unknown[] }> }
}

export async function getUserByEmail(email: string): Promise<unknown> {
  const params = {
    TableName: 'MyTable',
    IndexName: 'GSI1',
    KeyConditionExpression: 'GSI1PK = :pk AND GSI1SK = :sk',
    ExpressionAttributeValues: { ':pk': 'USER', ':sk': email },
  }
  const { Items } = await documentClient.query(params).promise()
  return Items[0]
}
