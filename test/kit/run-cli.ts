import path from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import type { Transport } from 'singletable'
import type { CommandOutput } from '../../packages/kit/src/cli/command.ts'
import { main } from '../../packages/kit/src/cli/main.ts'
import type { Stops } from '../../packages/kit/src/cli/stops.ts'
import type { Keys } from '../../packages/kit/src/cli/terminal-keys.ts'
import { ROOT } from '../architecture/package-manifest.ts'

/** What a run of the command gave. */
export interface CliRun {
  readonly code: number
  readonly printed: string
  readonly complaints: string
  /** What was written to standard output as data. */
  readonly data: string
}

export interface CliOptions {
  readonly transport?: Transport | undefined
  readonly directory?: string | undefined
  readonly input?: string | undefined
  readonly stops?: Stops | undefined
  readonly keys?: Keys | undefined
  /** Standard error is a terminal, and shows these lines of progress. */
  readonly progress?: ((text: string) => void) | undefined
  readonly columns?: number | undefined
  readonly environment?: Readonly<Record<string, string>> | undefined
  /** Milliseconds since 1970; 0 unless it is given. */
  readonly now?: number | undefined
}

/** Runs the command line in this process, in the directory of the blog unless another is given. */
export async function runCli(
  parameters: readonly string[],
  options: CliOptions = {},
): Promise<CliRun> {
  const printed: string[] = []
  const complaints: string[] = []
  const chunks: Buffer[] = []
  const standardOutput = new PassThrough()
  standardOutput.on('data', (chunk: Buffer) => chunks.push(chunk))
  const output: CommandOutput = {
    print: (text) => void printed.push(text),
    printError: (text) => void complaints.push(text),
    directory: options.directory ?? path.join(ROOT, 'examples/blog'),
    environment: options.environment ?? {},
    standardOutput,
    standardInput: Readable.from([Buffer.from(options.input ?? '')]),
    stops: options.stops ?? { onSignal: () => () => {}, exit: () => {} },
    keys: options.keys,
    progress: options.progress,
    // The clock does not move, so that nothing printed depends on how fast the machine is.
    now: () => options.now ?? 0,
    transport: options.transport,
    ...(options.columns !== undefined && { isTerminal: true, columns: options.columns }),
  }
  const code = await main(parameters, output)
  return {
    code,
    printed: printed.join('\n'),
    complaints: complaints.join('\n'),
    data: Buffer.concat(chunks).toString('utf8'),
  }
}

/** A run as it is in a golden file. */
export function showRun(parameters: readonly string[], run: CliRun): string {
  const section = (title: string, text: string): string =>
    text === '' ? '' : `${title}\n${text}\n`
  return [
    `$ singletable ${parameters.join(' ')}\n`,
    run.printed === '' ? '' : `${run.printed}\n`,
    section('-- standard error', run.complaints),
    `-- exit ${run.code}\n`,
  ].join('')
}
