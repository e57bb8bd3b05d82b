import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { Canned } from './canned.ts'
import type { Setting } from './operations.ts'
import { sdkClient } from './sdk-client.ts'

interface Command {
  readonly input: unknown
}

/** For libraries that leave marshalling to the DocumentClient. */
export function documentClient(setting: Setting, canned: Canned): DynamoDBDocumentClient {
  if (setting === 'sdk') return DynamoDBDocumentClient.from(sdkClient(canned))
  const client = {
    send(command: Command) {
      canned.received(command.input)
      return Promise.resolve(canned.plain(operationOf(command)))
    },
  }
  // The libraries call nothing but `send`.
  return client as unknown as DynamoDBDocumentClient
}

/** For libraries that marshal by themselves and send the commands of the bare client. */
export function serviceClient(setting: Setting, canned: Canned): DynamoDBClient {
  if (setting === 'sdk') return sdkClient(canned)
  const client = {
    send(command: Command) {
      canned.received(command.input)
      return Promise.resolve(canned.wire(operationOf(command)))
    },
  }
  // As above.
  return client as unknown as DynamoDBClient
}

/** DocumentClient and bare client have different commands for one operation: `PutCommand`,
 * `PutItemCommand`. */
const OPERATION_OF_COMMAND: ReadonlyMap<string, string> = new Map(
  [
    ['Get', 'GetItem'],
    ['Put', 'PutItem'],
    ['Update', 'UpdateItem'],
    ['Query', 'Query'],
    ['BatchWrite', 'BatchWriteItem'],
    ['TransactWrite', 'TransactWriteItems'],
  ].flatMap(([short = '', operation = '']) => [
    [`${short}Command`, operation],
    [`${operation}Command`, operation],
  ]),
)

function operationOf(command: Command): string {
  const { name } = command.constructor
  return OPERATION_OF_COMMAND.get(name) ?? name
}
