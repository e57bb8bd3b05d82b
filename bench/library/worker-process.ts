import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { LibraryName, Operation, Setting } from './operations.ts'
import type { RoundRequest, WorkerMessage } from './worker.ts'

/** A library in a process of its own. */
export interface WorkerProcess {
  readonly name: LibraryName
  round(operation: Operation, milliseconds: number): Promise<number>
  stop(): Promise<void>
}

/** Starts a library's process; rejects with the reason when it can't be loaded or doesn't do what
 * it should. */
export async function startWorker(name: LibraryName, setting: Setting): Promise<WorkerProcess> {
  const file = fileURLToPath(new URL(`./processes/${name}.mjs`, import.meta.url))
  const child = fork(file, [setting], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const exited = once(child, 'exit').then(() => {
    throw new Error(reasonIn(errors))
  })
  // Whoever waits for a message hears of it; an exit that was asked for is none of an error.
  exited.catch(() => {})

  async function next(): Promise<WorkerMessage> {
    // The event passes what was sent, and a handle.
    const [message] = await Promise.race([once(child, 'message'), exited])
    return message
  }
  await next()
  return {
    name,
    async round(operation, milliseconds) {
      child.send({ operation, milliseconds } satisfies RoundRequest)
      const message = await next()
      if (!('microseconds' in message)) throw new Error(`${name} has not answered`)
      return message.microseconds
    },
    async stop() {
      child.disconnect()
      await exited.catch(() => {})
    },
  }
}

/** The line that names the error, out of what Node prints around it. */
function reasonIn(errors: string): string {
  const lines = errors.split('\n').map((line) => line.trim())
  const reason = lines.find((line) => /^\w*Error\b.*:/.test(line)) ?? lines[0]
  return reason?.replace(/^Error: /, '') || 'it ended without a word'
}
