import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import type { Transport } from 'singletable'
import type { Target } from '../behaviour/on-each-target.ts'

/** All items of a table as DynamoDB stores them, without the tags of types, sorted by their keys:
 * what any other client of the table would see. */
export async function storedItems(
  { client }: Target,
  table: { readonly name: string },
  ...keys: readonly [hash: string, sort: string]
): Promise<readonly { readonly [name: string]: unknown }[]> {
  const request = { TableName: table.name, ConsistentRead: true }
  const { Items = [] } =
    client instanceof DynamoDBClient
      ? await client.send(new ScanCommand(request))
      : await (client as Transport).send('Scan', request)
  const items = Items.map((item): { readonly [name: string]: unknown } =>
    Object.fromEntries(
      Object.entries(item).map(([name, value]) => [name, Object.values(value ?? {})[0]]),
    ),
  )
  const textOf = (item: (typeof items)[number]) => keys.map((key) => item[key]).join(' ')
  return items.sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1))
}
