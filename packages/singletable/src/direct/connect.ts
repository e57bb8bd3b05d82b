import { agentExchange } from './agent-exchange.ts'
import type { ConnectOptions } from './connect-options.ts'
import { connectThrough, type DirectTransport, type Platform } from './connect-through.ts'
import { defaultProvider } from './credentials/default-provider.ts'
import { readAnswer } from './read-answer.ts'
import { createSigner } from './sign.ts'
import { createSocketPool } from './socket-pool.ts'

/**
 * Connects to DynamoDB: JSON and signatures of our own over sockets that stay open. Nothing is sent
 * before the first request.
 *
 * @example
 * const transport = connect({ region: 'eu-west-1', endpoint, credentials })
 * const table = new Table({ name: 'Blog', schema, client: transport })
 */
export function connect(options: ConnectOptions = {}): DirectTransport {
  const platform: Platform<Buffer> = {
    variables: process.env,
    createSigner,
    open: (line, settings) =>
      settings.agent
        ? { exchange: agentExchange(line, settings.agent), close: () => {} }
        : createSocketPool(line, settings),
    readAnswer,
    defaultProvider: ({ environment }) => defaultProvider(process.env, environment),
    byteLength: (text) => Buffer.byteLength(text),
  }
  return connectThrough(platform, options)
}
