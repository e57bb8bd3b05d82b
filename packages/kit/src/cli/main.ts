import type { Command, CommandOutput } from './command.ts'
import { packageVersion } from './package-version.ts'
import { printText } from './terminal.ts'

/** Each is loaded when it is run, so that no command waits for the code of the others. */
const commands: readonly Command[] = [
  {
    name: 'init',
    summary: 'creates a project, or adds singletable to an existing one',
    run: async (parameters, output) =>
      (await import('./init-command.ts')).runInit(parameters, output),
    describe: async () => (await import('./init-command.ts')).INIT_COMMAND,
  },
  {
    name: 'dev',
    summary:
      'runs the schema on this machine: the table, sample items, and the result of each pattern',
    run: async (parameters, output) =>
      (await import('./dev-command.ts')).runDev(parameters, output),
    describe: async () => (await import('./dev-command.ts')).DEV_COMMAND,
  },
  {
    name: 'studio',
    summary: 'shows the table in the browser: items, access patterns, design and findings',
    run: async (parameters, output) =>
      (await import('./studio-command.ts')).runStudio(parameters, output),
    describe: async () => (await import('./studio-command.ts')).STUDIO_COMMAND,
  },
  {
    name: 'serve',
    summary: 'DynamoDB on this machine, over HTTP, for clients in any language',
    run: async (parameters, output) =>
      (await import('./serve-command.ts')).runServe(parameters, output),
    describe: async () => (await import('./serve-options.ts')).SERVE_COMMAND,
  },
  {
    name: 'docs',
    summary: 'the living document: every access pattern with its keys, plan and cost',
    run: async (parameters, output) =>
      (await import('./docs-command.ts')).runDocs(parameters, output),
    describe: async () => (await import('./docs-options.ts')).DOCS_COMMAND,
  },
  {
    name: 'check',
    summary: 'finds mistakes in a design: in the schema, the code and the data, and by running it',
    run: async (parameters, output) =>
      (await import('./check-command.ts')).runCheck(parameters, output),
    describe: async () => (await import('./check-options.ts')).CHECK_COMMAND,
  },
  {
    name: 'infra',
    summary:
      'writes the table for CloudFormation, CDK, Terraform and others, or compares it with a live table',
    run: async (parameters, output) =>
      (await import('./infra-command.ts')).runInfra(parameters, output),
    describe: async () => (await import('./infra-options.ts')).INFRA_SPECIFICATION,
  },
  {
    name: 'table',
    summary: 'lists, creates, shows, changes or deletes tables',
    run: async (parameters, output) =>
      (await import('./table-command.ts')).runTable(parameters, output),
    describe: async () => (await import('./table-command.ts')).TABLE_COMMAND,
  },
  {
    name: 'query',
    summary: 'runs an access pattern that reads, or an ad-hoc query',
    run: async (parameters, output) =>
      (await import('./query-command.ts')).runQuery(parameters, output),
    describe: async () => (await import('./query-command.ts')).QUERY_COMMAND,
  },
  {
    name: 'get',
    summary: 'shows one item by its key',
    run: async (parameters, output) =>
      (await import('./get-command.ts')).runGet(parameters, output),
    describe: async () => (await import('./get-command.ts')).GET_COMMAND,
  },
  {
    name: 'put',
    summary: 'writes one item, through the entity',
    run: async (parameters, output) =>
      (await import('./put-command.ts')).runPut(parameters, output),
    describe: async () => (await import('./put-command.ts')).PUT_COMMAND,
  },
  {
    name: 'update',
    summary: 'changes one item, through the entity',
    run: async (parameters, output) =>
      (await import('./update-command.ts')).runUpdate(parameters, output),
    describe: async () => (await import('./update-command.ts')).UPDATE_COMMAND,
  },
  {
    name: 'delete',
    summary: 'deletes one item, through the entity',
    run: async (parameters, output) =>
      (await import('./delete-command.ts')).runDelete(parameters, output),
    describe: async () => (await import('./delete-command.ts')).DELETE_COMMAND,
  },
  {
    name: 'pull',
    summary: 'writes a first schema from an existing table',
    run: async (parameters, output) =>
      (await import('./pull-command.ts')).runPull(parameters, output),
    describe: async () => (await import('./pull-command.ts')).PULL_COMMAND,
  },
  {
    name: 'export',
    summary: 'writes all items of the table into a file',
    run: async (parameters, output) =>
      (await import('./export-command.ts')).runExport(parameters, output),
    describe: async () => (await import('./export-command.ts')).EXPORT_COMMAND,
  },
  {
    name: 'load',
    summary: 'writes the items of a file into the table',
    run: async (parameters, output) =>
      (await import('./load-command.ts')).runLoad(parameters, output),
    describe: async () => (await import('./load-command.ts')).LOAD_COMMAND,
  },
  {
    name: 'import',
    summary: 'moves data from SQL, files or other tables into the table',
    run: async (parameters, output) =>
      (await import('./import-command.ts')).runImportCommand(parameters, output),
    describe: async () => (await import('./import-options.ts')).IMPORT_COMMAND,
  },
  {
    name: 'seed',
    summary: 'fills the table with your own items or sample data',
    run: async (parameters, output) =>
      (await import('./seed-command.ts')).runSeed(parameters, output),
    describe: async () => (await import('./seed-command.ts')).SEED_COMMAND,
  },
  {
    name: 'cutover',
    summary: 'moves an application to the table, phase by phase',
    run: async (parameters, output) =>
      (await import('./cutover-command.ts')).runCutover(parameters, output),
    describe: async () => (await import('./cutover-command.ts')).CUTOVER_COMMAND,
  },
  {
    name: 'migrate',
    summary: 'changes what is stored when the schema changes',
    run: async (parameters, output) =>
      (await import('./migrate-command.ts')).runMigrate(parameters, output),
    describe: async () => (await import('./migrate-options.ts')).MIGRATE_COMMAND,
  },
  {
    name: 'cost',
    summary: 'computes the monthly cost from the rates and sizes that the schema declares',
    run: async (parameters, output) =>
      (await import('./cost-command.ts')).runCost(parameters, output),
    describe: async () => (await import('./cost-command.ts')).COST_COMMAND,
  },
  {
    name: 'recorder',
    summary: 'runs tests, and compares the requests they sent with the declared patterns',
    run: async (parameters, output) =>
      (await import('./recorder-command.ts')).runRecorder(parameters, output),
    describe: async () => (await import('./recorder-command.ts')).RECORDER_COMMAND,
  },
  {
    name: 'storage',
    summary: 'checks the folder of a durable storage',
    run: async (parameters, output) =>
      (await import('./storage-command.ts')).runStorage(parameters, output),
    describe: async () => (await import('./storage-command.ts')).STORAGE_COMMAND,
  },
  {
    name: 'completion',
    summary: 'prints a completion script for a shell',
    run: async (parameters, output, available) =>
      (await import('./completion-command.ts')).runCompletion(parameters, output, available),
    describe: async () => (await import('./completion-command.ts')).COMPLETION_COMMAND,
  },
]

const GLOBAL_OPTIONS = ['--help', '--version']

/** Runs the command line, without the interpreter and script, and returns the exit code. */
export async function main(
  parameters: readonly string[],
  output: CommandOutput,
  available: readonly Command[] = commands,
): Promise<number> {
  const [first, ...others] = parameters
  // `help check` is `check --help`.
  const isAbout = first === 'help' && others[0] !== undefined && !others[0].startsWith('-')
  const [name, ...rest] = isAbout ? [...others, '--help'] : parameters
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    printText(output, helpText(available))
    return 0
  }
  if (name === '--version' || name === '-v') {
    output.print(packageVersion())
    return 0
  }
  const command = available.find((candidate) => candidate.name === name)
  if (command !== undefined) return command.run(rest, output, available)
  const { refuseWord } = await import('./refuse-word.ts')
  return refuseWord(output, parameters, {
    what: name.startsWith('-') ? 'option' : 'command',
    word: name,
    known: name.startsWith('-') ? GLOBAL_OPTIONS : available.map((each) => each.name),
    fix: 'see singletable --help',
  })
}

function helpText(available: readonly Command[]): string {
  const width = Math.max(0, ...available.map((command) => command.name.length))
  const list = available.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`)
  return [
    'singletable: the toolkit for DynamoDB single-table design',
    '',
    'Usage: singletable <command> [options]',
    ...(list.length > 0 ? ['', 'Commands:', ...list] : []),
    '',
    'Options:',
    '  -h, --help     show this help',
    '  -v, --version  show the version',
    '',
    'singletable <command> --help shows the help of a command.',
  ].join('\n')
}
