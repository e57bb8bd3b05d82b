import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { LivingDocument } from '../docs/document.ts'
import { documentJson } from '../docs/document-json.ts'
import { isOurs } from '../docs/document-origin.ts'
import type { DocumentSources } from '../docs/document-sources.ts'
import { injectSections } from '../docs/inject-sections.ts'
import { renderHtml } from '../docs/render-html.ts'
import { renderMarkdown } from '../docs/render-markdown.ts'
import { textDifference } from '../docs/text-difference.ts'
import { writeFiles } from '../docs/write-files.ts'
import type { CommandOutput } from './command.ts'
import type { DocsTargets } from './docs-targets.ts'
import type { Parameters } from './help.ts'
import { printText } from './terminal.ts'
import { EXIT_DONE, EXIT_FAILED, FailureError } from './usage-error.ts'

/** A file as it is and as it should be. */
export interface Outcome {
  readonly file: string
  readonly there: string | undefined
  readonly wanted: string
}

export function outcomesOf(
  { markdown, html, json, injected }: DocsTargets,
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

export function printJson(sources: DocumentSources): string {
  return `${JSON.stringify(documentJson(sources), undefined, 2)}\n`
}

/** All problems of all files at once, so that they can be fixed together. */
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
      `Nothing was written:\n${problems.map((each) => `  ${each}`).join('\n')}`,
      files.join(', '),
      'fix the problems above; docs/living-document.md explains markers',
    )
  }
  return outcomes
}

export function writeOutcomes(
  outcomes: readonly Outcome[],
  { injected }: DocsTargets,
  given: Parameters,
  output: CommandOutput,
  directory: string,
): void {
  for (const { file, there } of outcomes) {
    if (there === undefined || injected.includes(file) || isOurs(there)) continue
    throw new FailureError(
      `${file} was not written by this command.`,
      path.resolve(directory, file),
      'name another file, delete this one, or put sections into it with --inject',
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
    printText(
      output,
      changed.includes(outcome) ? `wrote ${outcome.file}` : `${outcome.file} is as it was`,
    )
  }
}

export function compareOutcomes(
  outcomes: readonly Outcome[],
  given: Parameters,
  output: CommandOutput,
): number {
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
    if (difference.length === 0) printText(output, `${file} is what docs writes.`)
    else if (isMissing) output.printError(`singletable docs: ${file} is missing.`)
    else {
      const lines = difference.map((line) => `  ${line}`).join('\n')
      output.printError(`singletable docs: ${file} is out of date.\n${lines}`)
    }
  }
  if (!isSame)
    output.printError('  fix:    run the same command without --check, and commit what it writes')
  return isSame ? EXIT_DONE : EXIT_FAILED
}

export function readText(file: string, directory: string): string | undefined {
  const location = path.resolve(directory, file)
  return existsSync(location) ? readFileSync(location, 'utf8') : undefined
}
