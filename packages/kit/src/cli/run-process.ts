import { Console } from 'node:console'
import { allowNativeImport } from '../schema-file/import-natively.ts'
import { main } from './main.ts'
import { processOutput } from './process-output.ts'

/**
 * What a shell gives for a program that wrote to a reader who had left: 128 and the number of
 * SIGPIPE.
 */
const EXIT_READER_LEFT = 141

/**
 * Runs the command line as this process, and ends the process with its exit code. It ends even
 * where something that was loaded, such as a schema that opens a connection, would keep it alive;
 * everything that was printed is written before.
 */
export async function runProcess(parameters: readonly string[]): Promise<void> {
  const { stdout, stderr } = process
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // `singletable … | head -1` has all it wants: nothing is left to be done, and nothing is wrong.
    if (error.code === 'EPIPE') process.exit(EXIT_READER_LEFT)
    throw error
  })
  // What a schema or a library that it imports prints must not be taken for the answer, which may
  // be JSON.
  globalThis.console = new Console(stderr, stderr)
  // If nobody reads standard error, the work continues.
  stderr.on('error', () => {})
  allowNativeImport()
  const code = await main(parameters, processOutput())
  process.exitCode = code
  await Promise.all([stdout, stderr].map(written))
  process.exit(code)
}

/** Resolves when all that was given to the stream before is written, or never will be. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve())
  })
}
