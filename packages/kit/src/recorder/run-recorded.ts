import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { FOLDER_VARIABLE } from './counted-shapes.ts'

export interface RecordedRun {
  readonly command: readonly string[]
  readonly directory: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Where processes append what they count. */
  readonly folder: string
  /** The address of the module that is loaded into each of them. */
  readonly hook: URL
  /** What it prints goes to standard error, because something else is printed. */
  readonly isQuiet: boolean
  /** Passes signals on; gives what ends that. */
  onSignal(callback: (signal: NodeJS.Signals) => void): () => void
}

/** Runs a command with the hook in all of its Node processes and threads, and gives its exit
 * code. */
export function runRecorded(run: RecordedRun): Promise<number> {
  const [program = '', ...parameters] = run.command
  const { NODE_OPTIONS } = run.environment
  const options = [...(NODE_OPTIONS ? [NODE_OPTIONS] : []), `--import=${run.hook.href}`].join(' ')
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, {
      cwd: run.directory,
      stdio: ['inherit', run.isQuiet ? 2 : 'inherit', 'inherit'],
      // Commands of packages are scripts of the shell there.
      shell: process.platform === 'win32',
      env: { ...run.environment, NODE_OPTIONS: options, [FOLDER_VARIABLE]: run.folder },
    })
    const end = run.onSignal((signal) => void child.kill(signal))
    child.on('error', (error) => {
      end()
      reject(error)
    })
    child.on('close', (code, signal) => {
      end()
      resolve(code ?? 128 + (signal ? (constants.signals[signal] ?? 0) : 0))
    })
  })
}
