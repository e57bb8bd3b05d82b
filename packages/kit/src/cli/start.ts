import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'
import { cacheFolder } from '../schema-file/cache-folder.ts'
import { requireKept } from './kept-code.ts'

/**
 * Runs the command line as this process. Newer versions of Node keep what they compile of modules
 * (`enableCompileCache`). For older ones the same code is in one CommonJS file, of which the
 * compiled code can be kept: finding and compiling the modules takes longer than most commands.
 */
export async function start(parameters: readonly string[]): Promise<void> {
  const { runProcess } =
    'enableCompileCache' in nodeModule
      ? await import('./run-process.ts')
      : requireProcess(parameters)
  await runProcess(parameters)
}

function requireProcess(parameters: readonly string[]): typeof import('./run-process.ts') {
  const file = fileURLToPath(new URL('../cli/run-process.cjs', import.meta.url))
  // It exports the same names, because it is made of the same module.
  return requireKept(file, {
    folder: cacheFolder(),
    use: useOf(parameters),
  }) as typeof import('./run-process.ts')
}

/** What is equal for runs that execute mostly the same code: the command and names of options. */
function useOf(parameters: readonly string[]): string {
  const options = parameters.flatMap((word) => (word.startsWith('-') ? word.split('=', 1) : []))
  const command = parameters.find((word) => !word.startsWith('-')) ?? ''
  return [command, ...new Set(options.sort())].join(' ')
}
