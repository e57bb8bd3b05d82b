import { utf8Length } from '../../values/utf8.ts'
import type { ConnectOptions } from '../connect-options.ts'
import { connectThrough, type DirectTransport, type Platform } from '../connect-through.ts'
import { credentialsError } from '../credentials/credentials.ts'
import { fetchExchange } from './fetch-exchange.ts'
import { readAnswer } from './read-answer.ts'
import { createSigner } from './sign.ts'

/**
 * Connects to DynamoDB over `fetch`, with signatures by WebCrypto: for runtimes without sockets.
 * There are no variables of a process there, so region and credentials have to be given.
 *
 * @example
 * const transport = connect({ region: 'eu-west-1', endpoint, credentials })
 * const table = new Table({ name: 'Blog', schema, client: transport })
 */
export function connect(options: ConnectOptions = {}): DirectTransport {
  const platform: Platform<Uint8Array> = {
    variables: {},
    createSigner,
    open: (line) => ({ exchange: fetchExchange(line), close: () => {} }),
    readAnswer,
    defaultProvider: () => () => Promise.reject(credentialsError(NO_CREDENTIALS)),
    byteLength: utf8Length,
  }
  return connectThrough(platform, options)
}

const NO_CREDENTIALS =
  'No credentials are given. This runtime has no environment variables to find them in: pass connect({ credentials }), with a provider if they change.'
