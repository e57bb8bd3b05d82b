import { createServer, type IncomingMessage } from 'node:http'
import fc from 'fast-check'
import { createEngine, type Engine } from 'singletable/engine'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Guard } from '../../packages/kit/src/server/guard.ts'
import { type KnownHeaders, readHeaders } from '../../packages/kit/src/server/wire-request.ts'
import { mutatedRequests, validRequests } from './request-bytes.ts'
import { runScript, ScriptedSocket } from './scripted-connection.ts'

const RUNS = Number(process.env.PROPERTY_RUNS ?? 500)

/** What a parser has found. */
interface Found {
  readonly url: string
  readonly known: KnownHeaders
  readonly bodyBytes: number
}

let engine: Engine
beforeAll(() => {
  engine = createEngine()
})
afterAll(() => engine.close())

/** The requests that Node's server finds in the bytes, whole ones alone. */
async function foundByNode(bytes: Buffer): Promise<Found[]> {
  const found: { request: IncomingMessage; bodyBytes: number }[] = []
  const server = createServer(
    { insecureHTTPParser: false, requireHostHeader: false, maxHeaderSize: 16 * 1024 },
    (request, response) => {
      const each = { request, bodyBytes: 0 }
      found.push(each)
      // What the parser gives: an error after it may keep it from being read.
      const push = request.push.bind(request)
      request.push = (chunk: Buffer | null) => {
        each.bodyBytes += chunk?.length ?? 0
        return push(chunk)
      }
      request.resume()
      response.end()
    },
  )
  const socket = new ScriptedSocket()
  const closed = new Promise((resolve) => socket.once('close', resolve))
  server.emit('connection', socket)
  socket.push(bytes)
  socket.push(null)
  await closed
  return found
    .filter(({ request }) => request.complete)
    .map(({ request, bodyBytes }) => ({
      url: request.url ?? '',
      known: readHeaders(request.rawHeaders),
      bodyBytes,
    }))
}

/** The requests that ours has found and answered; what it refuses is none. */
async function foundByUs(bytes: Buffer): Promise<Found[]> {
  const heads: { url: string; known: KnownHeaders }[] = []
  const found: Found[] = []
  class OpenDoor extends Guard {
    override judge(url: string, known: KnownHeaders): undefined {
      heads.push({ url, known })
    }
  }
  const guard = new OpenDoor({ hosts: new Set(), anyAddress: false, origins: new Set() })
  await runScript([bytes], {
    engine,
    guard,
    onRequest({ statusCode, requestBytes }) {
      const head = heads.at(-1)
      const isRefusal = statusCode === 413 || statusCode === 417
      if (head && !isRefusal) found.push({ ...head, bodyBytes: requestBytes })
    },
  })
  return found
}

test('valid requests are found as Node finds them', async () => {
  await fc.assert(
    fc.asyncProperty(validRequests, async (bytes) => {
      expect(await foundByUs(bytes)).toEqual(await foundByNode(bytes))
    }),
    { numRuns: RUNS },
  )
})

test('where mistakes are, nothing is found that Node does not find', async () => {
  await fc.assert(
    fc.asyncProperty(mutatedRequests, async (bytes) => {
      const ours = await foundByUs(bytes)
      const theirs = await foundByNode(bytes)
      // Ours may stop earlier: it is the stricter one.
      expect(ours).toEqual(theirs.slice(0, ours.length))
    }),
    { numRuns: RUNS },
  )
})
