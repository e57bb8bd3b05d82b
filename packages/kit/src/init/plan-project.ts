import path from 'node:path'
import { InitError } from './init-error.ts'
import { type MergedManifest, mergeManifest } from './merge-manifest.ts'
import { addCommand, commandLine, scriptCommand } from './package-manager.ts'
import type { Project } from './project.ts'
import {
  CONFIG_FILE,
  configText,
  DATA_FOLDER,
  PROGRAM_FILE,
  type ProjectFileOptions,
  programText,
  projectScripts,
  SCHEMA_FILE,
  schemaText,
  TEST_FILE,
  testText,
  tsconfigText,
} from './project-files.ts'

/** What is to be written, and what is left as it is. */
export interface ProjectPlan {
  readonly files: readonly PlannedFile[]
  readonly kept: readonly KeptFile[]
  /** The commands that install what the project needs and package.json does not ask for. */
  readonly install: readonly (readonly string[])[]
  /** What runs `dev`: the script, or the command itself where the project has another script of
   * that name. */
  readonly dev: string
}

export interface PlannedFile {
  /** Relative to the project. */
  readonly file: string
  readonly text: string
  /** It was not there. */
  readonly isNew: boolean
  /** Of a file that was there: what is added to it. */
  readonly what?: string | undefined
}

export interface KeptFile {
  readonly file: string
  readonly why: string
}

export interface PlanProjectOptions {
  readonly tableName: string
  /** Files and scripts that are there are overwritten. */
  readonly force: boolean
  /** A schema that the project has in another place. */
  readonly schema: string | undefined
}

/** Decides what a project gets; writes nothing. */
export function planProject(project: Project, options: PlanProjectOptions): ProjectPlan {
  const { tableName, force } = options
  const fileOptions: ProjectFileOptions = {
    tableName,
    importEnding: project.importEnding,
    test: project.dependencies.has('vitest') ? 'vitest' : 'node:test',
  }
  const files: PlannedFile[] = []
  const kept: KeptFile[] = []
  const add = (file: string, text: string): void => {
    if (project.read(file) === text) return
    if (project.has(file) && !force) kept.push({ file, why: 'it already exists' })
    else files.push({ file, text, isNew: !project.has(file), what: 'overwritten' })
  }
  // A program and a test of our models would be of no use with other ones.
  const own = project.has(SCHEMA_FILE) ? SCHEMA_FILE : options.schema
  const hasOther =
    own !== undefined && !force && (own !== SCHEMA_FILE || project.read(own) !== schemaText())
  if (hasOther) kept.push({ file: own, why: 'it is the schema of the project' })
  else {
    add(SCHEMA_FILE, schemaText())
    add(PROGRAM_FILE, programText(fileOptions))
    add(TEST_FILE, testText(fileOptions))
  }
  add(CONFIG_FILE, configText(tableName, hasOther ? own : SCHEMA_FILE))
  if (!project.hasTsconfig) add('tsconfig.json', tsconfigText())
  const scripts = new Map(projectScripts(fileOptions))
  // Scripts are for files of ours alone.
  if (hasOther || kept.some(({ file }) => file === PROGRAM_FILE)) scripts.delete('start')
  if (hasOther || kept.some(({ file }) => file === TEST_FILE)) scripts.delete('test')
  const ownScripts = planManifest(project, scripts, force, files)
  kept.push(
    ...ownScripts.map((name) => ({
      file: 'package.json',
      why: `it has a script "${name}" of its own`,
    })),
  )
  planIgnored(project, files)
  const { packageManager } = project
  const dev = ownScripts.includes('dev')
    ? commandLine(packageManager, scripts.get('dev') ?? '')
    : scriptCommand(packageManager, 'dev')
  return { files, kept, install: installCommands(project), dev }
}

/** Gives the names of the scripts that are kept as they are. */
function planManifest(
  project: Project,
  scripts: ReadonlyMap<string, string>,
  force: boolean,
  files: PlannedFile[],
): readonly string[] {
  const file = 'package.json'
  const name = path
    .basename(path.resolve(project.directory))
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
  const manifest = { name: name || 'project', private: true, type: project.type, scripts: {} }
  const before = project.manifestText ?? `${JSON.stringify(manifest, null, 2)}\n`
  const merged = merge(before, scripts, force, path.join(project.directory, file))
  if (merged.text !== project.manifestText) {
    const isNew = project.manifestText === undefined
    files.push({ file, text: merged.text, isNew, what: `scripts ${merged.added.join(', ')}` })
  }
  return merged.kept
}

function merge(
  text: string,
  scripts: ReadonlyMap<string, string>,
  force: boolean,
  file: string,
): MergedManifest {
  try {
    return mergeManifest(text, scripts, { force })
  } catch (cause) {
    // It is JSON; but the parser that knows places goes only so deep.
    const fix = `add the scripts yourself: ${JSON.stringify(Object.fromEntries(scripts))}`
    throw new InitError("The scripts can't be added to package.json.", file, fix, { cause })
  }
}

/** The data of `dev` belongs to nobody else. */
function planIgnored(project: Project, files: PlannedFile[]): void {
  const file = '.gitignore'
  const text = project.read(file)
  if (text === undefined) {
    files.push({ file, text: `node_modules/\n${DATA_FOLDER}\n`, isNew: true })
    return
  }
  const lines = text.split(/\r?\n/)
  if (lines.some((line) => /^\/?\.singletable\/?$/.test(line.trim()))) return
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const gap = text === '' || text.endsWith('\n') ? '' : newline
  const after = `${text}${gap}${DATA_FOLDER}${newline}`
  files.push({ file, text: after, isNew: false, what: DATA_FOLDER })
}

function installCommands(project: Project): readonly (readonly string[])[] {
  const { dependencies, packageManager } = project
  const missing = (names: readonly string[]): readonly string[] =>
    names.filter((name) => !dependencies.has(name))
  const used = missing(['singletable'])
  const developed = missing(['@singletable/kit', 'typescript', '@types/node'])
  return [
    ...(used.length > 0 ? [addCommand(packageManager, used, false)] : []),
    ...(developed.length > 0 ? [addCommand(packageManager, developed, true)] : []),
  ]
}
