import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { median } from '../median.ts'
import { CASES, createTable, type Request, TABLES } from './requests.ts'

/**
 * The longest time for which one large request keeps all others waiting: CPU milliseconds between
 * two turns of the server's event loop, in memory and on LMDB. `--only=<part of a name>|<another>`
 * measures some, `--storage=memory` one storage.
 */
const ROUNDS = 2
/** Of an answer only this much is kept; those that are read are shorter. */
const TEXT_MAX = 65_536

const OF_STREAMS = /Stream|Record|ShardIterator/

const options = new Map(
  process.argv.slice(2).map((option) => option.replace(/^--/, '').split('=') as [string, string]),
)
const only = options.get('only') ?? ''
const storages = (options.get('storage') ?? 'memory,lmdb').split(',')

for (const storage of storages) {
  const server = fork(
    join(fileURLToPath(new URL('.', import.meta.url)), 'processes/server.mjs'),
    [storage],
    { execArgv: ['--expose-gc'] },
  )
  const [{ port }] = (await once(server, 'message')) as [{ port: number }]
  for (const table of TABLES) await send(port, createTable(table))
  console.log(`\n${storage}: longest turn, CPU ms, median (highest) of ${ROUNDS}`)
  let round = 0
  for (const { name, before, large, status = 200, accepts, waitMs = 0 } of CASES) {
    if (!only.split('|').some((part) => name.includes(part))) continue
    for (const request of before?.() ?? []) await send(port, request)
    const longest: number[] = []
    for (let count = -1; count < ROUNDS; count++) {
      const { operation, request } = await large(round++, (asked, body) =>
        send(port, { operation: asked, request: body }),
      )
      const body = Buffer.from(JSON.stringify(request))
      await ask(server, 'watch')
      const answered = await post(port, operation, body, accepts)
      if (waitMs > 0) await setTimeout(waitMs)
      const [{ longestMs }] = await ask<{ longestMs: number }>(server, 'stop')
      if (status !== 0 && answered.status !== status)
        console.log(`  ${name}: ${answered.status} ${answered.text.slice(0, 300)}`)
      if (count >= 0) longest.push(longestMs)
    }
    const highest = Math.max(...longest)
    const line = `${median(longest).toFixed(0).padStart(5)} (${highest.toFixed(0).padStart(4)})  ${name}`
    console.log(line)
  }
  server.disconnect()
  await once(server, 'exit')
}

async function ask<T>(server: ChildProcess, message: string): Promise<[T]> {
  const answer = once(server, 'message')
  server.send(message)
  return (await answer) as [T]
}

async function send(port: number, { operation, request }: Request): Promise<object> {
  const answer = await post(port, operation, Buffer.from(JSON.stringify(request)))
  if (answer.status !== 200) throw new Error(`${operation}: ${answer.text}`)
  return JSON.parse(answer.text)
}

function post(
  port: number,
  operation: string,
  body: Buffer,
  accepts?: string,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      port,
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-amz-json-1.0',
        'X-Amz-Target': `DynamoDB${OF_STREAMS.test(operation) ? 'Streams' : ''}_20120810.${operation}`,
        Authorization:
          'AWS4-HMAC-SHA256 Credential=bench/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0',
        'X-Amz-Date': '20260101T000000Z',
        'Content-Length': body.length,
        ...(accepts === undefined ? {} : { 'Accept-Encoding': accepts }),
      },
    })
    request.on('error', reject)
    request.on('response', (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => {
        if (text.length < TEXT_MAX) text += chunk.toString('latin1')
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    request.end(body)
  })
}
