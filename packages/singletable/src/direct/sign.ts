import { createHmac, hash } from 'node:crypto'
import type { Credentials } from './credentials/credentials.ts'

/** What is signed of a request, besides what is the same for all of them. */
export interface SignedRequest {
  /** With the port, unless that is the protocol's own. */
  readonly host: string
  /** As it stands in the request line. */
  readonly path: string
  readonly target: string
  readonly body: string
  /** Milliseconds since 1970. */
  readonly at: number
}

export interface Signature {
  /** For the header `x-amz-date`. */
  readonly date: string
  readonly authorization: string
}

export type Signer = (request: SignedRequest, credentials: Credentials) => Signature

export const CONTENT_TYPE = 'application/x-amz-json-1.0'
/** Streams are signed under this name as well. */
const SERVICE = 'dynamodb'
const ALGORITHM = 'AWS4-HMAC-SHA256'

/**
 * Makes a function that signs requests with AWS's Signature Version 4. The key is derived anew when the day or the credentials change.
 * Signed are host, content type and the `x-amz-` headers, which is what AWS asks for.
 */
export function createSigner(region: string): Signer {
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
      date = `${new Date(second * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
      day = date.slice(0, 8)
      scope = `${day}/${region}/${SERVICE}/aws4_request`
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
    const tokenLine = token ? `x-amz-security-token:${canonicalValue(token)}\n` : ''
    const names = `content-type;host;x-amz-date;${token ? 'x-amz-security-token;' : ''}x-amz-target`
    const canonical = `POST\n${canonicalPath}\n\ncontent-type:${CONTENT_TYPE}\nhost:${request.host}\nx-amz-date:${date}\n${tokenLine}x-amz-target:${request.target}\n\n${names}\n${hash('sha256', request.body)}`
    const signature = createHmac('sha256', key)
      .update(`${ALGORITHM}\n${date}\n${scope}\n${hash('sha256', canonical)}`)
      .digest('hex')
    return {
      date,
      authorization: `${ALGORITHM} Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
    }
  }
}

function deriveKey(secretAccessKey: string, day: string, region: string): Buffer<ArrayBuffer> {
  let key: string | Buffer<ArrayBuffer> = `AWS4${secretAccessKey}`
  for (const part of [day, region, SERVICE, 'aws4_request']) {
    key = Buffer.from(createHmac('sha256', key).update(part).digest())
  }
  // Four rounds have made bytes of it.
  return key as Buffer<ArrayBuffer>
}

/** Runs of slashes count as one, and what is escaped already is escaped again. */
function canonicalPathOf(path: string): string {
  return path
    .replaceAll(/\/+/g, '/')
    .split('/')
    .map((segment) =>
      encodeURIComponent(segment).replaceAll(
        /[!'()*]/g,
        (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join('/')
}

function canonicalValue(value: string): string {
  return value.trim().replaceAll(/\s+/g, ' ')
}
