import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { median } from '../median.ts'

const START_MS_MAX = 60_000
/** Of the kernel's accounts of CPU time: Linux has a hundred a second. */
const TICK_MICROSECONDS = 10_000

/** A server in a process of its own. */
export interface ServerProcess {
  readonly port: number
  /** From the start of the process to its first answer. */
  readonly startMs: number
  /** CPU time of all its threads so far. */
  cpuMicroseconds(): number
  memoryMegabytes(): number
  stop(): Promise<void>
}

/** Our command as it is published: how its files are joined decides how long it takes to start. */
export function buildCommand(root: string): string {
  execFileSync(process.execPath, [path.join(root, 'packages/build.mjs')], { stdio: 'inherit' })
  return path.join(root, 'packages/kit/bin/singletable.js')
}

/** How often a program is started for the figure of how long it takes. */
const STARTS = 5

/** Starts a program, several times, and leaves the last one running. */
export async function startServer(
  command: string,
  parameters: readonly string[],
): Promise<ServerProcess> {
  const times: number[] = []
  for (;;) {
    const server = await startOnce(command, parameters)
    times.push(server.startMs)
    if (times.length === STARTS) return { ...server, startMs: median(times) }
    await server.stop()
  }
}

/** Starts a program and waits until it answers. `{port}` among the parameters becomes a free
 * port. */
async function startOnce(command: string, parameters: readonly string[]): Promise<ServerProcess> {
  const port = await freePort()
  const begin = performance.now()
  const child = spawn(
    command,
    parameters.map((each) => each.replace('{port}', String(port))),
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let complaints = ''
  child.stderr.on('data', (text) => {
    complaints = (complaints + text).slice(-2000)
  })
  process.on('exit', () => child.kill('SIGKILL'))
  await untilItAnswers(port, child, () => complaints)
  const startMs = performance.now() - begin
  const { pid } = child
  return {
    port,
    startMs,
    cpuMicroseconds() {
      // The command's name is in parentheses and may contain blanks.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
      return (Number(fields[11]) + Number(fields[12])) * TICK_MICROSECONDS
    },
    memoryMegabytes() {
      const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      return Number(kilobytes) / 1024
    },
    async stop() {
      const ended = new Promise((resolve) => child.on('close', resolve))
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function untilItAnswers(
  port: number,
  child: ChildProcess,
  complaints: () => string,
): Promise<void> {
  const end = performance.now() + START_MS_MAX
  while (performance.now() < end) {
    if (child.exitCode !== null) throw new Error(`it ended while starting: ${complaints()}`)
    // Any answer will do.
    if (await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)) return
    await wait(2)
  }
  throw new Error(`no answer in ${START_MS_MAX} ms: ${complaints()}`)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
