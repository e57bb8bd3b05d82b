import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { buildCommand, startServer } from './server-process.ts'

/** Whole calls over a loopback socket to our server: CPU time of the client's process per call. */

export const CALLS = ['get', 'put', 'update', 'query 100'] as const
export type CallName = (typeof CALLS)[number]
export const CALLERS = ['document-client', 'ours-sdk', 'ours-direct'] as const
export type CallerName = (typeof CALLERS)[number]

const TITLES: Readonly<Record<CallerName, string>> = {
  'document-client': 'DocumentClient',
  'ours-sdk': 'ours, SDK client',
  'ours-direct': 'ours, direct',
}
const CEILINGS: Readonly<Record<CallName, number>> = {
  get: 0.3,
  put: 0.3,
  update: 0.3,
  'query 100': 0.4,
}

export async function measureCalls(options: {
  readonly root: string
  readonly rounds: number
  readonly calls: number
}): Promise<string> {
  const program = (name: string): string =>
    fileURLToPath(new URL(`./processes/${name}.mjs`, import.meta.url))
  const server = await startServer(process.execPath, [
    buildCommand(options.root),
    ...['serve', '--port', '{port}'],
  ])
  const callers = await Promise.all(
    CALLERS.map(async (name) => {
      const child = fork(program('caller'), [String(server.port), name], {
        execArgv: ['--expose-gc'],
      })
      const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${name} ended`)))
      // Whoever waits for a message hears of it.
      ended.catch(() => {})
      const next = async (): Promise<number> => {
        const [message] = await Promise.race([once(child, 'message'), ended])
        return message
      }
      await next()
      return { name, child, next }
    }),
  )
  const samples = new Map<string, number[]>()
  try {
    for (let round = -2; round < options.rounds; round++) {
      console.error(round < 0 ? 'warming up …' : `round ${round + 1} of ${options.rounds} …`)
      for (const operation of CALLS) {
        for (const { name, child, next } of callers) {
          child.send({ operation, count: options.calls })
          const microseconds = await next()
          const key = `${name} ${operation}`
          if (round >= 0) samples.set(key, [...(samples.get(key) ?? []), microseconds])
        }
      }
    }
  } finally {
    for (const { child } of callers) child.kill()
    await server.stop()
  }
  const figure = (name: CallerName, operation: CallName): number => {
    const sorted = (samples.get(`${name} ${operation}`) ?? []).sort((a, b) => a - b)
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  }
  const lines = [
    [''.padEnd(12), ...CALLERS.map((name) => TITLES[name].padStart(24)), 'ceiling'.padStart(12)],
    ...CALLS.map((operation) => [
      operation.padEnd(12),
      ...CALLERS.map((name) => {
        const microseconds = figure(name, operation)
        const ratio = microseconds / figure('document-client', operation)
        return `${microseconds.toFixed(0)} µs  ${ratio.toFixed(2)}`.padStart(24)
      }),
      String(CEILINGS[operation]).padStart(12),
    ]),
  ]
  return lines.map((cells) => cells.join('')).join('\n')
}
