import { isAscii, isUtf8 } from 'node:buffer'
import { isDeeperThan } from './json-depth.ts'
import { JSON_DEPTH_MAX } from './limits.ts'
import { decodeInSlices, parseInSlices } from './sliced-json.ts'

/** Stands for a body that is not JSON, which itself can be any value but this one. */
export const NOT_JSON: unique symbol = Symbol('not JSON')

/** The JSON value of a body, or `NOT_JSON`: also for text that is not UTF-8 and for JSON that is
 * too deep. */
export function parseBody(body: Buffer): unknown {
  if (isDeeperThan(body, JSON_DEPTH_MAX)) return NOT_JSON
  const text = textOf(body)
  if (text === undefined) return NOT_JSON
  try {
    return JSON.parse(text)
  } catch {
    return NOT_JSON
  }
}

/** As `parseBody`, for a body that would keep others waiting. */
export async function parseLargeBody(body: Buffer): Promise<unknown> {
  try {
    const text = isAscii(body) ? body.toString('latin1') : await decodeInSlices(body)
    return await parseInSlices(text)
  } catch {
    return NOT_JSON
  }
}

function textOf(body: Buffer): string | undefined {
  // The narrow string is the faster one to make and to parse.
  if (isAscii(body)) return body.toString('latin1')
  return isUtf8(body) ? body.toString('utf8') : undefined
}
