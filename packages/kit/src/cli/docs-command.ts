import path from 'node:path'
import { type Design, readDesign } from '../check/design/design.ts'
import { parseOrigin, timeOf } from '../docs/document-origin.ts'
import type { DocumentSources } from '../docs/document-sources.ts'
import { makeDocument } from '../docs/make-document.ts'
import { readSources } from '../docs/read-sources.ts'
import { renderMarkdown } from '../docs/render-markdown.ts'
import type { LoadedSchema } from '../schema-file/load-schema.ts'
import type { CommandOutput } from './command.ts'
import { DOCS_COMMAND } from './docs-options.ts'
import { compareOutcomes, outcomesOf, printJson, readText, writeOutcomes } from './docs-outcomes.ts'
import { type DocsTargets, readTargets } from './docs-targets.ts'
import type { Parameters } from './help.ts'
import { readBefore } from './read-before.ts'
import { readSample } from './read-sample.ts'
import { requireRecording } from './require-recording.ts'
import { runCommand } from './run-command.ts'
import { loadGivenSchema } from './schema-options.ts'
import { EXIT_DONE, UsageError } from './usage-error.ts'

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
    if (isCheck) return compareOutcomes(outcomes, given, output)
    writeOutcomes(outcomes, targets, given, output, directory)
    return exitCode
  })
}

async function gather(
  given: Parameters,
  output: CommandOutput,
  {
    directory,
    targets,
    loaded,
  }: { readonly directory: string; readonly targets: DocsTargets; readonly loaded: LoadedSchema },
): Promise<{ readonly sources: DocumentSources; readonly exitCode: number }> {
  const committed =
    targets.markdown === undefined ? undefined : readText(targets.markdown, directory)
  const origin = committed === undefined ? undefined : parseOrigin(committed)
  const recordingFile = given.text('recording')
  const recording =
    recordingFile === undefined
      ? undefined
      : requireRecording(path.resolve(directory, recordingFile))
  if (given.flag('check') && origin?.recording && recording === undefined) {
    throw new UsageError(
      `${targets.markdown} shows which patterns tests ran.`,
      'pass --recording <file>, a file that singletable recorder wrote',
    )
  }
  const before = await readBefore(given, output)
  if (given.flag('check') && origin?.before !== undefined && before === undefined) {
    throw new UsageError(
      `${targets.markdown} says what changed since another schema.`,
      'pass --before <file> with that schema, or write the document without it',
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
  const design: Design = readDesign(loaded.definition, {
    recording,
    sample: read?.sample,
    now: given.flag('check') && origin ? timeOf(origin) : now,
  })
  const name = given.text('name') ?? origin?.name ?? nameOf(given, loaded)
  const sources = await readSources(design, name, before)
  if (sources === undefined) {
    // A schema that was loaded is one that compiles.
    throw new Error("The schema compiles, but can't be used.")
  }
  return { sources, exitCode: read?.exitCode ?? EXIT_DONE }
}

function nameMissing(): never {
  throw new UsageError('A sample needs a table, and none is named.', 'pass --table <name>')
}

/** The table's name; without one, the export's, as `blogSchema` is of "Blog". */
function nameOf(given: Parameters, { tableName, exportName, file }: LoadedSchema): string {
  const named = given.text('table') ?? tableName
  if (named !== undefined) return named
  const bare = exportName.replace(/_?(schema|table|definition)$/i, '')
  const name = bare === '' || bare === 'default' ? path.basename(path.dirname(file)) : bare
  return name.charAt(0).toUpperCase() + name.slice(1)
}
