import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { awsTransport } from '../../packages/singletable/src/aws/aws-transport.ts'
import { type CannedAnswer, cannedClient, EMPTY, rejection } from './canned-client.ts'

const request = { TableName: 'Blog', Key: { pk: { S: 'a' } } }

test('a signal that is aborted already keeps the request from being sent', async () => {
  const { client, requests } = cannedClient(() => EMPTY)
  const reason = { why: 'before' }
  const signal = AbortSignal.abort(reason)
  expect(await rejection(awsTransport(client).send('GetItem', request, { signal }))).toBe(reason)
  expect(requests).toHaveLength(0)
})

test.each([
  ['ends the request', true],
  ['does not look at the signal', false],
])(
  "an abort during the call rejects with the signal's reason if the handler %s",
  async (_, ends) => {
    const controller = new AbortController()
    const reason = new Error('enough')
    let handlerSignal: AbortSignal | undefined
    const { client, requests } = cannedClient((_sent, signal) => {
      handlerSignal = signal
      queueMicrotask(() => controller.abort(reason))
      return new Promise<CannedAnswer>((_resolve, reject) => {
        if (ends) signal?.addEventListener('abort', () => reject(new Error('aborted')))
      })
    })
    const { signal } = controller
    expect(await rejection(awsTransport(client).send('GetItem', request, { signal }))).toBe(reason)
    expect(handlerSignal).toBe(signal)
    expect(requests).toHaveLength(1)
  },
)

test('an abort while credentials are awaited rejects, and nothing is sent', async () => {
  const controller = new AbortController()
  const { client, requests } = cannedClient(() => EMPTY, {
    credentials: () => new Promise(() => queueMicrotask(() => controller.abort('now'))),
  })
  const { signal } = controller
  expect(await rejection(awsTransport(client).send('GetItem', request, { signal }))).toBe('now')
  expect(requests).toHaveLength(0)
})

test('a signal that outlives many calls keeps no listener', async () => {
  const { signal } = new AbortController()
  const { client } = cannedClient(() => EMPTY)
  const transport = awsTransport(client)
  for (let call = 0; call < 20; call++) await transport.send('GetItem', request, { signal })
  // Listeners are removed when the call has settled, which is a moment after its promise.
  await new Promise((resolve) => setImmediate(resolve))
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})
