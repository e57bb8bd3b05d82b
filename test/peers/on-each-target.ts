import { randomBytes } from 'node:crypto'
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import type { DynamoDBStreamsClientConfig } from '@aws-sdk/client-dynamodb-streams'
import { describe, test } from 'vitest'
import { refereePort } from '../referee/referee-port.ts'

/** What a program of a peer gets. */
export interface PeerContext {
  /** For a client of the AWS SDK, of DynamoDB or of its streams. */
  readonly config: DynamoDBClientConfig & DynamoDBStreamsClientConfig
  /** A table name that nobody else uses. */
  readonly tableName: string
}

export type PeerTest = (name: string, body: (context: PeerContext) => Promise<void>) => void

const port = await refereePort()

/** Runs programs written for DynamoDB on the engine, and on DynamoDB Local to check that they are
 * right. */
export function onEachTarget(title: string, define: (test: PeerTest) => void): void {
  describe(`${title} on the engine`, () => {
    define((name, body) => {
      test(name, async () => {
        const { createEngine } = await import('singletable/engine')
        const engine = createEngine()
        try {
          await body({ config: engine.clientConfig(), tableName: newTableName() })
        } finally {
          await engine.close()
        }
      })
    })
  })

  describe.skipIf(port === undefined)(`${title} on DynamoDB Local`, () => {
    define((name, body) => {
      test(name, async () => {
        const config = {
          endpoint: `http://127.0.0.1:${port}`,
          region: 'us-east-1',
          credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
        }
        await body({ config, tableName: newTableName() })
      })
    })
  })
}

function newTableName(): string {
  return `peers-${randomBytes(6).toString('hex')}`
}
