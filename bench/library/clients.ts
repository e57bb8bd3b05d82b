import { Readable } from 'node:stream'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { Canned } from './canned.ts'
import type { Setting } from './operations.ts'

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

/** A real client: serialising, signing, middleware, parsing; only the socket is missing. */
export function sdkClient(canned: Canned): DynamoDBClient {
  return new DynamoDBClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
    requestHandler: {
      async handle(request: { headers: Record<string, string>; body?: unknown }) {
        canned.received(request.body)
        const target = request.headers['x-amz-target'] ?? ''
        const body = canned.bytes(target.slice(target.indexOf('.') + 1))
        return {
          response: {
            statusCode: 200,
            headers: {
              'content-type': 'application/x-amz-json-1.0',
              'content-length': String(body.length),
              'x-amzn-requestid': 'BENCH00000000000000000000000000000000000000000000000',
            },
            body: streamOf(body),
          },
        }
      },
      updateHttpClientConfig() {},
      httpHandlerConfigs: () => ({}),
      destroy() {},
    },
  })
}

/** DocumentClient and bare client have different commands for one operation: `PutCommand`, `PutItemCommand`. */
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

function streamOf(bytes: Uint8Array): Readable {
  return new Readable({
    read() {
      this.push(bytes)
      this.push(null)
    },
  })
}
