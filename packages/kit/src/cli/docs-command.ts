import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Design, readDesign } from '../check/design.ts'
import type { Recording } from '../check/recording.ts'
import type { LivingDocument } from '../docs/document.ts'
import { documentJson } from '../docs/document-json.ts'
import { isOurs, parseOrigin } from '../docs/document-origin.ts'
import type { DocumentSources } from '../docs/document-sources.ts'
import { injectSections } from '../docs/inject-sections.ts'
import { makeDocument } from '../docs/make-document.ts'
import { documentFile } from '../docs/read-committed-document.ts'
import { readSources } from '../docs/read-sources.ts'
import { renderHtml } from '../docs/render-html.ts'
import { renderMarkdown } from '../docs/render-markdown.ts'
import { textDifference } from '../docs/text-difference.ts'
import { writeFiles } from '../docs/write-files.ts'
import { RecordingError, readRecording } from '../recorder/recording-file.ts'
import type { CommandOutput } from './command.ts'
import { DOCS_COMMAND } from './docs-options.ts'
import type { Parameters } from './help.ts'
import { type LoadedSchema, loadGivenSchema } from './load-schema.ts'
import { readSample } from './read-sample.ts'
import { runCommand } from './run-command.ts'
import {
  EnvironmentError,
  EXIT_DONE,
  EXIT_FAILED,
  FailureError,
  UsageError,
} from './usage-error.ts'

/** What was asked for, by file as it was typed. */
interface Targets {
  readonly markdown: string | undefined
  readonly html: string | undefined
  readonly json: string | undefined
  readonly injected: readonly string[]
}

/** A file as it is and as it should be. */
interface Outcome {
  readonly file: string
  readonly there: string | undefined
  readonly wanted: string
}

/** Writes the living document, or compares it with what is there. */
export function runDocs(parameters: readonly string[], output: CommandOutput): Promise<number> {
  return runCommand(DOCS_COMMAND, parameters, output, async (given) => {
    const directory = output.directory ?? process.cwd()
    const targets = readTargets(given, directory)
    const loaded = await loadGivenSchema(given, directory)
    const { sources, exitCode } = await gather(given, output, { directory, targets, loaded })
    const document = makeDocument(sources)
    const isCheck = given.flag('check')
    if (!isCheck && (targets.markdown === '-' || targets.json === '-')) {
      output.print(
        targets.json === '-' ? printJson(sources).trimEnd() : renderMarkdown(document).trimEnd(),
      )
      return exitCode
    }
    const outcomes = outcomesOf(targets, sources, document, directory)
    if (isCheck) return compare(outcomes, given, output)
    write(outcomes, targets, given, output, directory)
    return exitCode
  })
}

/** The Markdown is meant unless something else is asked for alone. */
function readTargets(given: Parameters, directory: string): Targets {
  const [html, out] = [given.text('html'), given.text('out')]
  const isCheck = given.flag('check')
  const injects = given.texts('inject')
  const { positionals } = given
  if (isCheck && given.flag('sample')) {
    throw new UsageError(
      'A sample is another one each time, so that nothing can be compared.',
      'leave out --sample or --check',
    )
  }
  if (positionals.length > 0 && injects.length === 0 && !isCheck) {
    throw new UsageError(
      `Nothing says what to do with "${positionals[0]}".`,
      'say --out, --html or --inject before it, or --check',
    )
  }
  if (isCheck && injects.length === 0 && positionals.length > 1) {
    throw new UsageError('There are several files to compare.', 'name one document')
  }
  const checked = isCheck && injects.length === 0 ? positionals[0] : undefined
  if (checked !== undefined && out !== undefined) {
    throw new UsageError('Two files are named.', 'leave out --out')
  }
  const injected = injects.length > 0 ? [...injects, ...positionals] : []
  const file = checked ?? out
  const isAlone = html === undefined && injected.length === 0
  const isJson = given.flag('json') && isAlone && !isCheck
  if (isJson) return { markdown: undefined, html, json: file ?? '-', injected }
  return {
    markdown: file ?? (isAlone ? documentFile(directory) : undefined),
    html,
    json: undefined,
    injected,
  }
}

async function gather(
  given: Parameters,
  output: CommandOutput,
  {
    directory,
    targets,
    loaded,
  }: { readonly directory: string; readonly targets: Targets; readonly loaded: LoadedSchema },
): Promise<{ readonly sources: DocumentSources; readonly exitCode: number }> {
  const before = targets.markdown === undefined ? undefined : readText(targets.markdown, directory)
  const origin = before === undefined ? undefined : parseOrigin(before)
  const recordingFile = given.text('recording')
  const recording =
    recordingFile === undefined
      ? undefined
      : requireRecording(path.resolve(directory, recordingFile))
  if (given.flag('check') && origin?.recording && recording === undefined) {
    throw new UsageError(
      `${targets.markdown} tells what tests ran.`,
      'say --recording <file> with what singletable recorder wrote',
    )
  }
  if (given.flag('check') && origin?.sample !== undefined) {
    throw new UsageError(
      `${targets.markdown} was written with a sample of ${origin.sample}, which can't be taken again.`,
      'write it without --sample',
    )
  }
  const now = output.now?.() ?? Date.now()
  const read = await readSample(given, output, {
    tableName: () => given.text('table') ?? loaded.tableName ?? nameMissing(),
    today: new Date(now).toISOString().slice(0, 10),
  })
  const design: Design = readDesign(loaded.definition, { recording, sample: read?.sample })
  const name = given.text('name') ?? origin?.name ?? nameOf(given, loaded)
  const sources = await readSources(design, name)
  if (sources === undefined) {
    // A schema that was loaded is one that compiles.
    throw new Error('The schema compiles and yet can not be used.')
  }
  return { sources, exitCode: read?.exitCode ?? EXIT_DONE }
}

function nameMissing(): never {
  throw new UsageError('A sample needs a table, and none is named.', 'say --table <name>')
}

/** The table's name; without one, the export's, as `blogSchema` is of "Blog". */
function nameOf(given: Parameters, { tableName, exportName, file }: LoadedSchema): string {
  const named = given.text('table') ?? tableName
  if (named !== undefined) return named
  const bare = exportName.replace(/_?(schema|table|definition)$/i, '')
  const name = bare === '' || bare === 'default' ? path.basename(path.dirname(file)) : bare
  return name.charAt(0).toUpperCase() + name.slice(1)
}

function requireRecording(file: string): Recording {
  try {
    return readRecording(file)
  } catch (cause) {
    if (!(cause instanceof RecordingError)) throw cause
    throw new EnvironmentError(
      `The recording can't be used: ${cause.message}.`,
      file,
      'make it anew by singletable recorder -- <command…>',
      { cause },
    )
  }
}

function outcomesOf(
  { markdown, html, json, injected }: Targets,
  sources: DocumentSources,
  document: LivingDocument,
  directory: string,
): readonly Outcome[] {
  const outcome = (file: string, wanted: string): Outcome => ({
    file,
    there: readText(file, directory),
    wanted,
  })
  return [
    ...(markdown === undefined ? [] : [outcome(markdown, renderMarkdown(document))]),
    ...(json === undefined ? [] : [outcome(json, printJson(sources))]),
    ...(html === undefined ? [] : [outcome(html, renderHtml(document))]),
    ...injectedOutcomes([...new Set(injected)], document, directory),
  ]
}

function printJson(sources: DocumentSources): string {
  return `${JSON.stringify(documentJson(sources), undefined, 2)}\n`
}

/** All problems of all files at once, so that nobody mends them one by one. */
function injectedOutcomes(
  files: readonly string[],
  document: LivingDocument,
  directory: string,
): readonly Outcome[] {
  const problems: string[] = []
  const outcomes = files.flatMap((file): Outcome[] => {
    const there = readText(file, directory)
    if (there === undefined) {
      problems.push(`${file}: There is no such file.`)
      return []
    }
    const injection = injectSections(there, document)
    for (const { line, message, fix } of injection.problems ?? []) {
      problems.push(`${file}:${line}: ${message}\n    ${fix}`)
    }
    return injection.text === undefined ? [] : [{ file, there, wanted: injection.text }]
  })
  if (problems.length > 0) {
    throw new FailureError(
      `Nothing was written, because of ${problems.length === 1 ? 'a marker' : 'markers'}:\n${problems.map((each) => `  ${each}`).join('\n')}`,
      files.join(', '),
      'mend what it says above; docs/living-document.md shows markers',
    )
  }
  return outcomes
}

function write(
  outcomes: readonly Outcome[],
  { injected }: Targets,
  given: Parameters,
  output: CommandOutput,
  directory: string,
): void {
  for (const { file, there } of outcomes) {
    if (there === undefined || injected.includes(file) || isOurs(there)) continue
    throw new FailureError(
      `${file} was not written by this command.`,
      path.resolve(directory, file),
      'name another file, delete this one, or put sections into it by --inject',
    )
  }
  const changed = outcomes.filter(({ there, wanted }) => there !== wanted)
  writeFiles(
    changed.map(({ file, wanted }) => ({ file: path.resolve(directory, file), text: wanted })),
  )
  if (given.flag('json')) {
    const files = outcomes.map(({ file, there, wanted }) => ({ file, changed: there !== wanted }))
    output.print(JSON.stringify({ files }))
    return
  }
  for (const outcome of outcomes) {
    output.print(
      changed.includes(outcome) ? `wrote ${outcome.file}` : `${outcome.file} is as it was`,
    )
  }
}

function compare(outcomes: readonly Outcome[], given: Parameters, output: CommandOutput): number {
  const results = outcomes.map(({ file, there, wanted }) => ({
    file,
    isMissing: there === undefined,
    // What a tool has checked out may have other ends of lines.
    difference: textDifference(
      there?.replaceAll('\r\n', '\n') ?? '',
      wanted.replaceAll('\r\n', '\n'),
    ),
  }))
  const isSame = results.every(({ difference }) => difference.length === 0)
  if (given.flag('json')) {
    const files = results.map(({ file, difference }) => ({
      file,
      same: difference.length === 0,
      difference,
    }))
    output.print(JSON.stringify({ same: isSame, files }))
    return isSame ? EXIT_DONE : EXIT_FAILED
  }
  for (const { file, isMissing, difference } of results) {
    if (difference.length === 0) output.print(`${file} is what docs writes.`)
    else if (isMissing) output.complain(`singletable docs: ${file} is missing.`)
    else {
      const lines = difference.map((line) => `  ${line}`).join('\n')
      output.complain(`singletable docs: ${file} is out of date.\n${lines}`)
    }
  }
  if (!isSame)
    output.complain('  fix:    run the same command without --check, and commit what it writes')
  return isSame ? EXIT_DONE : EXIT_FAILED
}

function readText(file: string, directory: string): string | undefined {
  const location = path.resolve(directory, file)
  return existsSync(location) ? readFileSync(location, 'utf8') : undefined
}
