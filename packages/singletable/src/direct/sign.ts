import { createHmac, hash } from 'node:crypto'
import type { Credentials } from './credentials/credentials.ts'
import {
  authorizationOf,
  canonicalPathOf,
  canonicalRequest,
  keyParts,
  type Signature,
  type SignedRequest,
  scopeOf,
  signatureDate,
  textToSign,
} from './signed-text.ts'

/**
 * Makes a function that signs requests with AWS's Signature Version 4. The key is derived again
 * when the day or the credentials change. Signed are host, content type and the `x-amz-` headers,
 * which is what AWS asks for.
 */
export function createSigner(
  region: string,
): (request: SignedRequest, credentials: Credentials) => Signature {
  let second = Number.NaN
  let date = ''
  let day = ''
  let scope = ''
  let accessKeyId: string | undefined
  let secretAccessKey: string | undefined
  let key = Buffer.alloc(0)
  let keyDay = ''
  let path: string | undefined
  let canonicalPath = ''

  return (request, credentials) => {
    if (Math.floor(request.at / 1000) !== second) {
      second = Math.floor(request.at / 1000)
      date = signatureDate(second * 1000)
      day = date.slice(0, 8)
      scope = scopeOf(day, region)
    }
    if (
      keyDay !== day ||
      accessKeyId !== credentials.accessKeyId ||
      secretAccessKey !== credentials.secretAccessKey
    ) {
      key = deriveKey(credentials.secretAccessKey, day, region)
      keyDay = day
      accessKeyId = credentials.accessKeyId
      secretAccessKey = credentials.secretAccessKey
    }
    if (path !== request.path) {
      path = request.path
      canonicalPath = canonicalPathOf(path)
    }
    const token = credentials.sessionToken
    const bodyHash = hash('sha256', request.body)
    const { text, names } = canonicalRequest(request, { date, canonicalPath, token, bodyHash })
    const signature = createHmac('sha256', key)
      .update(textToSign(date, scope, hash('sha256', text)))
      .digest('hex')
    const { accessKeyId: id } = credentials
    return { date, authorization: authorizationOf({ accessKeyId: id, scope, names, signature }) }
  }
}

function deriveKey(secretAccessKey: string, day: string, region: string): Buffer<ArrayBuffer> {
  let key: string | Buffer<ArrayBuffer> = `AWS4${secretAccessKey}`
  for (const part of keyParts(day, region)) {
    key = Buffer.from(createHmac('sha256', key).update(part).digest())
  }
  // Four rounds have made bytes of it.
  return key as Buffer<ArrayBuffer>
}
