import { createHash, createHmac } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSigner } from '../../packages/singletable/src/direct/sign.ts'

/** The SDK's signer takes its hash as a class with an optional key. */
class Sha256 {
  readonly #hash: { update(data: Uint8Array): unknown; digest(): Buffer }
  constructor(secret?: string | Uint8Array) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret)
  }
  update(data: Uint8Array): void {
    this.#hash.update(data)
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }
  reset(): void {}
}

const text = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme-ascii' })
const credentials = fc.record({
  accessKeyId: fc.stringMatching(/^[A-Z0-9]{16,20}$/),
  secretAccessKey: text,
  sessionToken: fc.option(fc.base64String({ minLength: 4, maxLength: 400 }), { nil: undefined }),
})
const request = fc.record({
  host: fc.constantFrom(
    'dynamodb.eu-west-1.amazonaws.com',
    'localhost:8000',
    '127.0.0.1:4566',
    '[::1]:8000',
  ),
  path: fc
    .array(fc.stringMatching(/^[A-Za-z0-9 ._~!'()*%+:@-]{1,10}$/), { maxLength: 3 })
    .map((segments) => new URL(`http://a/${segments.join('/')}`).pathname)
    .map((path) => (path.endsWith('/') ? path : `${path}/`)),
  target: fc.constantFrom('DynamoDB_20120810.GetItem', 'DynamoDBStreams_20120810.GetRecords'),
  body: fc.oneof(fc.json(), fc.string({ unit: 'binary', maxLength: 200 })),
  at: fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) }),
})

test('the signature is the one that the SDK makes of the same headers', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('eu-west-1', 'us-gov-west-1', 'local'),
      fc.array(fc.tuple(request, credentials), { minLength: 1, maxLength: 4 }),
      async (region, calls) => {
        // One signer for several calls: what it keeps from one must not show in the next.
        const sign = createSigner(region)
        for (const [call, signedBy] of calls) {
          const theirs = new SignatureV4({
            region,
            service: 'dynamodb',
            sha256: Sha256,
            applyChecksum: false,
            credentials: signedBy.sessionToken === undefined ? without(signedBy) : signedBy,
          } as never)
          const signed = await theirs.sign(
            {
              method: 'POST',
              protocol: 'https:',
              hostname: 'unused',
              path: call.path,
              headers: {
                host: call.host,
                'content-type': 'application/x-amz-json-1.0',
                'x-amz-target': call.target,
              },
              body: call.body,
            },
            { signingDate: new Date(call.at) },
          )
          const ours = sign(call, signedBy)
          expect(ours.date).toBe(signed.headers['x-amz-date'])
          expect(ours.authorization).toBe(signed.headers.authorization)
        }
      },
    ),
    { numRuns: Number(process.env.PROPERTY_RUNS ?? 200) },
  )
})

function without({ sessionToken: _, ...rest }: Record<string, unknown>): unknown {
  return rest
}
