import { Readable } from 'node:stream'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Canned } from './canned.ts'

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

function streamOf(bytes: Uint8Array): Readable {
  return new Readable({
    read() {
      this.push(bytes)
      this.push(null)
    },
  })
}
