import type { Credentials } from './credentials/credentials.ts'

/** What is signed of a request, besides what is the same for all of them. */
export interface SignedRequest {
  /** With the port, unless that is the protocol's own. */
  readonly host: string
  /** As it is in the request line. */
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

/** A promise only where the runtime has no other way to sign. */
export type Signer = (
  request: SignedRequest,
  credentials: Credentials,
) => Signature | Promise<Signature>

export const CONTENT_TYPE = 'application/x-amz-json-1.0'
/** Streams are signed under this name as well. */
export const SERVICE = 'dynamodb'
const ALGORITHM = 'AWS4-HMAC-SHA256'

/** The time for the header `x-amz-date`; its first eight digits are the day. */
export function signatureDate(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

/** What the key of a day is derived through, from the secret on. */
export function keyParts(day: string, region: string): readonly string[] {
  return [day, region, SERVICE, 'aws4_request']
}

export function scopeOf(day: string, region: string): string {
  return keyParts(day, region).join('/')
}

/** The request as AWS signs it, and the names of the headers in it. */
export function canonicalRequest(
  { host, target }: SignedRequest,
  {
    date,
    canonicalPath,
    token,
    bodyHash,
  }: {
    readonly date: string
    readonly canonicalPath: string
    readonly token: string | undefined
    readonly bodyHash: string
  },
): { readonly text: string; readonly names: string } {
  const tokenLine = token ? `x-amz-security-token:${canonicalValue(token)}\n` : ''
  const names = `content-type;host;x-amz-date;${token ? 'x-amz-security-token;' : ''}x-amz-target`
  const text = `POST\n${canonicalPath}\n\ncontent-type:${CONTENT_TYPE}\nhost:${host}\nx-amz-date:${date}\n${tokenLine}x-amz-target:${target}\n\n${names}\n${bodyHash}`
  return { text, names }
}

export function textToSign(date: string, scope: string, requestHash: string): string {
  return `${ALGORITHM}\n${date}\n${scope}\n${requestHash}`
}

export function authorizationOf(parts: {
  readonly accessKeyId: string
  readonly scope: string
  readonly names: string
  readonly signature: string
}): string {
  const { accessKeyId, scope, names, signature } = parts
  return `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`
}

/** Runs of slashes count as one, and what is escaped already is escaped again. */
export function canonicalPathOf(path: string): string {
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
