import { expect, test } from 'vitest'
import type { Credentials, CredentialsProvider } from './credentials.ts'
import { credentialsFrom } from './credentials-source.ts'

const MINUTE_MS = 60_000

/** A provider whose answers a test gives one by one, and a clock that a test sets. */
function controlled() {
  const waiting: { resolve(given: Credentials): void; reject(error: Error): void }[] = []
  const asked: unknown[] = []
  const provider: CredentialsProvider = (options) => {
    asked.push(options)
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
  }
  const clock = { now: 0 }
  const source = credentialsFrom(provider, () => clock.now)
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  return {
    asked,
    clock,
    source,
    async give(name: string, expiresAt?: number) {
      waiting.shift()?.resolve({
        accessKeyId: name,
        secretAccessKey: 's',
        ...(expiresAt !== undefined && { expiration: new Date(expiresAt) }),
      })
      await settled()
    },
    async fail() {
      waiting.shift()?.reject(new Error('down'))
      await settled()
    },
  }
}

test('many requests at a time ask the provider once', async () => {
  const { source, asked, give } = controlled()
  const both = Promise.all([source.get(), source.get()])
  await give('one')
  expect((await both).map(({ accessKeyId }) => accessKeyId)).toEqual(['one', 'one'])
  expect(source.get()).toMatchObject({ accessKeyId: 'one' })
  expect(asked).toHaveLength(1)
})

test('credentials without an end are kept', async () => {
  const { source, asked, clock, give } = controlled()
  void source.get()
  await give('one')
  clock.now = 1e15
  expect(source.get()).toMatchObject({ accessKeyId: 'one' })
  expect(asked).toHaveLength(1)
})

test('from five minutes before the end others are fetched, and nobody waits for them', async () => {
  const { source, asked, clock, give } = controlled()
  void source.get()
  await give('one', 60 * MINUTE_MS)
  clock.now = 55 * MINUTE_MS - 1
  expect(source.get()).toMatchObject({ accessKeyId: 'one' })
  expect(asked).toHaveLength(1)
  clock.now = 55 * MINUTE_MS
  expect(source.get()).toMatchObject({ accessKeyId: 'one' })
  expect(source.get()).toMatchObject({ accessKeyId: 'one' })
  expect(asked).toHaveLength(2)
  await give('two', 120 * MINUTE_MS)
  expect(source.get()).toMatchObject({ accessKeyId: 'two' })
})

test('a failure in the background is none while the credentials are valid, and is tried again later', async () => {
  const { source, asked, clock, give, fail } = controlled()
  void source.get()
  await give('one', 60 * MINUTE_MS)
  clock.now = 56 * MINUTE_MS
  expect(source.get()).toMatchObject({ accessKeyId: 'one' })
  await fail()
  expect(source.get()).toMatchObject({ accessKeyId: 'one' })
  expect(asked).toHaveLength(2)
  clock.now += 10_000
  expect(source.get()).toMatchObject({ accessKeyId: 'one' })
  expect(asked).toHaveLength(3)
})

test('credentials that have ended are never used: the request waits for others, or fails', async () => {
  const { source, clock, give, fail } = controlled()
  void source.get()
  await give('one', 60 * MINUTE_MS)
  clock.now = 60 * MINUTE_MS
  const failed = source.get()
  const rejected = expect(failed).rejects.toMatchObject({
    name: 'CredentialsProviderError',
    message: 'The credentials provider failed: down',
    cause: { message: 'down' },
  })
  await fail()
  await rejected
  const later = source.get()
  await give('two', 120 * MINUTE_MS)
  expect(await later).toMatchObject({ accessKeyId: 'two' })
})

test('refused credentials are replaced once for all who were refused', async () => {
  const { source, asked, give } = controlled()
  void source.get()
  await give('one')
  const refused = (await source.get()) as Credentials
  const both = Promise.all([source.replace(refused), source.replace(refused)])
  await give('two')
  expect(await both).toMatchObject([{ accessKeyId: 'two' }, { accessKeyId: 'two' }])
  // Whoever comes late finds them replaced.
  expect(await source.replace(refused)).toMatchObject({ accessKeyId: 'two' })
  expect(asked).toEqual([undefined, { forceRefresh: true }])
})

test('a provider that has nothing else replaces nothing', async () => {
  const { source, give } = controlled()
  void source.get()
  await give('one')
  const replaced = source.replace((await source.get()) as Credentials)
  await give('one')
  expect(await replaced).toBeUndefined()
})

test.each([
  [undefined, /gave no accessKeyId and secretAccessKey/],
  [{ accessKeyId: 'a' }, /gave no accessKeyId and secretAccessKey/],
  [{ accessKeyId: '', secretAccessKey: 'b' }, /gave no accessKeyId/],
  [{ accessKeyId: 'a\r\nx: y', secretAccessKey: 'b' }, /accessKeyId with characters/],
  [{ accessKeyId: 'a', secretAccessKey: 'b', sessionToken: 'a\nb' }, /sessionToken with char/],
  [{ accessKeyId: 'a', secretAccessKey: 'b', expiration: new Date('x') }, /not a date/],
])('a provider that gives %j is refused', async (given, message) => {
  const source = credentialsFrom(
    async () => given as never,
    () => 0,
  )
  await expect(source.get()).rejects.toMatchObject({
    name: 'CredentialsProviderError',
    message: expect.stringMatching(message),
  })
})
