import { hexText } from '../../values/hex.ts'
import {
  authorizationOf,
  canonicalPathOf,
  canonicalRequest,
  keyParts,
  type Signer,
  scopeOf,
  signatureDate,
  textToSign,
} from '../signed-text.ts'

const encoder = new TextEncoder()
type CryptoKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

const HMAC = { name: 'HMAC', hash: 'SHA-256' }

/** As the signer of Node, by WebCrypto. The key is derived again when the day or the credentials
 * change. */
export function createSigner(region: string): Signer {
  let known: { readonly id: string; readonly key: Promise<CryptoKey> } | undefined

  return async (request, credentials) => {
    const date = signatureDate(Math.floor(request.at / 1000) * 1000)
    const day = date.slice(0, 8)
    const scope = scopeOf(day, region)
    const { accessKeyId, secretAccessKey, sessionToken: token } = credentials
    const id = JSON.stringify([day, accessKeyId, secretAccessKey])
    if (known?.id !== id) known = { id, key: deriveKey(secretAccessKey, keyParts(day, region)) }
    const canonicalPath = canonicalPathOf(request.path)
    const bodyHash = await sha256(request.body)
    const { text, names } = canonicalRequest(request, { date, canonicalPath, token, bodyHash })
    const signed = await hmac(await known.key, textToSign(date, scope, await sha256(text)))
    const signature = hexText(signed)
    return { date, authorization: authorizationOf({ accessKeyId, scope, names, signature }) }
  }
}

async function deriveKey(secret: string, parts: readonly string[]): Promise<CryptoKey> {
  let key = await hmacKey(encoder.encode(`AWS4${secret}`))
  for (const part of parts) key = await hmacKey(await hmac(key, part))
  return key
}

function hmacKey(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign'])
}

async function hmac(key: CryptoKey, text: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.sign(HMAC, key, encoder.encode(text)))
}

async function sha256(text: string): Promise<string> {
  return hexText(new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text))))
}
