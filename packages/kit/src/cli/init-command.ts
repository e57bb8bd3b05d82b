import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import { InitError } from '../init/init-error.ts'
import { scriptCommand } from '../init/package-manager.ts'
import { type PlannedFile, type ProjectPlan, planProject } from '../init/plan-project.ts'
import { type Project, readProject } from '../init/project.ts'
import { writeProject } from '../init/write-project.ts'
import { findSchema } from '../schema-file/load-schema.ts'
import type { Colors } from '../text/terminal-text.ts'
import type { CommandOutput } from './command.ts'
import type { CommandSpecification, Parameters } from './help.ts'
import { runCommand } from './run-command.ts'
import { colorsFor, printText } from './terminal.ts'
import { EnvironmentError, EXIT_DONE, FailureError, UsageError } from './usage-error.ts'

export const INIT_COMMAND: CommandSpecification = {
  name: 'init',
  summary: 'creates a project, or adds singletable to an existing one',
  arguments: [
    { name: '[directory]', text: 'its folder, created if necessary; default: the current folder' },
  ],
  groups: [
    {
      title: 'What it makes',
      options: [
        { name: 'table', value: 'name', text: "the table's name; default Notes" },
        { name: 'force', text: 'overwrite existing files and scripts' },
        { name: 'install', text: 'install the packages too' },
        { name: 'yes', short: 'y', text: 'ask nothing' },
        { name: 'dry-run', text: 'show what would be created, without creating it' },
      ],
    },
  ],
  notes: [
    'A schema of two models, a first program, a test, and scripts in package.json. Existing files are kept, and listed. It asks only on a terminal.',
  ],
}

const TABLE_DEFAULT = 'Notes'
const TABLE_NAME = /^[a-zA-Z0-9_.-]{3,255}$/

export function runInit(parameters: readonly string[], output: CommandOutput): Promise<number> {
  return runCommand(INIT_COMMAND, parameters, output, async (given) => {
    const answers = await askFor(given, output)
    const directory = path.resolve(output.directory ?? '.', answers.directory)
    if (!TABLE_NAME.test(answers.tableName)) {
      throw new UsageError(
        `"${answers.tableName}" can't be the name of a table.`,
        'give 3 to 255 letters, digits, "_", "-" or "."',
      )
    }
    try {
      const project = readProject(directory)
      const schema = findSchema(directory)
      const plan = planProject(project, {
        tableName: answers.tableName,
        force: given.flag('force'),
        schema: schema === undefined ? undefined : path.relative(directory, schema),
      })
      const isDry = given.flag('dry-run')
      if (!isDry) writeProject(directory, plan.files)
      const isInstalled = !isDry && given.flag('install')
      if (isInstalled) install(project, plan, output, given.flag('json'))
      printResult({ project, plan, isInstalled, isDry }, given, output)
      return EXIT_DONE
    } catch (error) {
      if (!(error instanceof InitError)) throw error
      throw new EnvironmentError(error.message, error.where, error.fix, { cause: error })
    }
  })
}

interface Answers {
  readonly directory: string
  readonly tableName: string
}

/** Asks for what was not typed, if there is somebody to ask. */
async function askFor(given: Parameters, output: CommandOutput): Promise<Answers> {
  const [directory, ...more] = given.positionals
  if (more.length > 0) throw new UsageError('There are several directories.', 'name one')
  const tableName = given.text('table')
  const { standardInput, standardOutput } = output
  const isAsked =
    output.isTerminal === true &&
    (standardInput as { readonly isTTY?: boolean } | undefined)?.isTTY === true &&
    !given.flag('yes') &&
    !given.flag('json')
  const defaults = { directory: directory ?? '.', tableName: tableName ?? TABLE_DEFAULT }
  if (!isAsked || standardInput === undefined || standardOutput === undefined) return defaults
  const terminal = createInterface({ input: standardInput, output: standardOutput })
  // Lines that come at once are answers too, so they are taken one by one.
  const lines = terminal[Symbol.asyncIterator]()
  const ask = async (question: string, otherwise: string): Promise<string> => {
    standardOutput.write(`${question} (${otherwise}): `)
    const { value } = await lines.next()
    return (typeof value === 'string' && value.trim()) || otherwise
  }
  try {
    return {
      directory: directory ?? (await ask('Folder of the project', defaults.directory)),
      tableName: tableName ?? (await ask('Name of the table', defaults.tableName)),
    }
  } finally {
    terminal.close()
  }
}

function install(
  { directory }: Project,
  { install: commands }: ProjectPlan,
  output: CommandOutput,
  isQuiet: boolean,
): void {
  for (const [command = '', ...words] of commands) {
    const { status, error } = spawnSync(command, words, {
      cwd: directory,
      stdio: isQuiet ? 'ignore' : 'inherit',
      env: { ...(output.environment ?? process.env) },
      shell: process.platform === 'win32',
    })
    if (status === 0) continue
    throw new FailureError(
      `${command} could not install the packages${error ? `: ${error.message}` : ''}.`,
      `${directory}, where the project is made`,
      `run it there yourself: ${commands.map((each) => each.join(' ')).join(' && ')}`,
    )
  }
}

interface Made {
  readonly project: Project
  readonly plan: ProjectPlan
  readonly isInstalled: boolean
  readonly isDry: boolean
}

function printResult(made: Made, given: Parameters, output: CommandOutput): void {
  const { project, plan, isInstalled } = made
  const { files, kept } = plan
  const [created, changed] = [
    files.filter(({ isNew }) => isNew),
    files.filter((each) => !each.isNew),
  ]
  const place = path.relative(output.directory ?? '.', project.directory)
  const next = nextCommands(made, place)
  if (given.flag('json')) {
    output.print(
      JSON.stringify({
        directory: project.directory,
        type: project.type,
        made: created.map(({ file }) => file),
        changed: changed.map(({ file, what }) => ({ file, what })),
        kept,
        installed: isInstalled,
        next,
      }),
    )
    return
  }
  const colors = colorsFor(output, given)
  printText(output, text({ ...made, created, changed, place, next }, colors))
}

function text(
  made: Made & {
    readonly created: readonly PlannedFile[]
    readonly changed: readonly PlannedFile[]
    readonly place: string
    readonly next: readonly string[]
  },
  colors: Colors,
): string {
  const { created, changed, plan, place, next, isDry } = made
  const row = (title: string, paint: (word: string) => string, file: string, note = ''): string =>
    `  ${paint(title.padEnd(7))}  ${file}${note === '' ? '' : colors.dim(`  ${note}`)}`
  const rows = [
    ...created.map(({ file }) => row('made', colors.green, file)),
    ...changed.map(({ file, what }) => row('changed', colors.cyan, file, what)),
    ...plan.kept.map(({ file, why }) => row('kept', colors.yellow, file, why)),
  ]
  return [
    `${isDry ? 'This would be made in' : 'The project is in'} ${colors.bold(place || 'this folder')}`,
    ...rows,
    '',
    'Next:',
    ...next.map((command) => `  ${colors.bold(command)}`),
  ].join('\n')
}

/** The two commands that come next: one that installs, and one that shows something. */
function nextCommands({ project, plan, isInstalled }: Made, place: string): readonly string[] {
  const enter = place === '' ? [] : [`cd ${/^[\w./-]+$/.test(place) ? place : `"${place}"`}`]
  const missing = isInstalled ? [] : plan.install.map((words) => words.join(' '))
  const installed = [...enter, ...missing].join(' && ')
  const test = scriptCommand(project.packageManager, 'test')
  return installed === '' ? [plan.dev, test] : [installed, plan.dev]
}
