import path from 'node:path'
import { verifyFolder } from '../storage/verify-folder.ts'
import { formatCount } from '../text/counts.ts'
import type { CommandOutput } from './command.ts'
import type { CommandSpecification, Parameters } from './help.ts'
import { createProgress } from './progress.ts'
import { runCommand, runSubcommand } from './run-command.ts'
import { printText } from './terminal.ts'
import { EXIT_DONE, EXIT_FAILED, UsageError } from './usage-error.ts'

const VERIFY: CommandSpecification = {
  name: 'storage verify',
  summary:
    'reads everything in the folder of a durable storage, and finds what is damaged or missing',
  arguments: [{ name: '<folder>', text: 'the folder of serve --data or lmdbStorage()' }],
  groups: [],
  notes: [
    'Nothing is changed or repaired. The storage has to be closed: stop the server first.',
    "The exit code is 0 if there is no damage, 1 if something is damaged, 3 if the folder is in use or can't be read.",
  ],
}

export const STORAGE_COMMAND: CommandSpecification = {
  name: 'storage',
  summary: 'checks the folder of a durable storage',
  groups: [],
  subcommands: [VERIFY],
}

export function runStorage(parameters: readonly string[], output: CommandOutput): Promise<number> {
  return runSubcommand(
    STORAGE_COMMAND,
    parameters,
    output,
    new Map([
      [
        'verify',
        (rest: readonly string[]) =>
          runCommand(VERIFY, rest, output, (given) => verify(given, output)),
      ],
    ]),
  )
}

async function verify(given: Parameters, output: CommandOutput): Promise<number> {
  const [folder, ...more] = given.positionals
  if (folder === undefined || more.length > 0) {
    throw new UsageError('One folder is verified at a time.', 'use storage verify <folder>')
  }
  const progress = createProgress({ output, title: 'verify', unit: 'pages' })
  const report = await verifyFolder(path.resolve(output.directory ?? '.', folder), {
    onProgress: (pages, total) => progress.update(pages, total),
  })
  progress.end()
  const { pages, entries, items, problems, problemsCount } = report
  if (given.flag('json')) output.print(JSON.stringify({ folder, ...report }))
  else {
    const read = `${formatCount(pages)} pages, ${formatCount(entries)} entries, ${formatCount(items)} items`
    for (const problem of problems) printText(output, problem)
    if (problemsCount > problems.length) {
      output.print(`… and ${formatCount(problemsCount - problems.length)} more`)
    }
    output.print(
      problemsCount === 0
        ? `${folder}: no damage found (${read})`
        : `${folder}: damaged, ${formatCount(problemsCount)} problems (${read}). Keep the folder as it is, and restore a copy.`,
    )
  }
  return problemsCount === 0 ? EXIT_DONE : EXIT_FAILED
}
