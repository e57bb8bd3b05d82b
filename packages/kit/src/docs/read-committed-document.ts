import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Design, readDesign } from '../check/design/design.ts'
import type { CommittedDocument } from '../check/evidence/committed-document.ts'
import { parseOrigin, timeOf } from './document-origin.ts'
import { makeDocument } from './make-document.ts'
import { readSources } from './read-sources.ts'
import { renderMarkdown } from './render-markdown.ts'

/** Where the document of a project is, relative to it: the first that exists. */
export const DOCUMENT_FILES = ['docs/access-patterns.md', 'access-patterns.md'] as const

/** The file of the document, whether it exists or not. */
export function documentFile(directory: string): string {
  return DOCUMENT_FILES.find((file) => existsSync(path.join(directory, file))) ?? DOCUMENT_FILES[0]
}

/**
 * The committed document and what it should be, for the check. Undefined if there is none that this
 * command wrote, if the schema has errors, or if it can't be generated again because it contains a
 * sample, or a recording that is not given.
 */
export async function readCommittedDocument(
  design: Design,
  directory: string,
): Promise<CommittedDocument | undefined> {
  const file = documentFile(directory)
  const location = path.join(directory, file)
  if (design.issues.length > 0 || !existsSync(location)) return undefined
  const committed = readFileSync(location, 'utf8').replaceAll('\r\n', '\n')
  const origin = parseOrigin(committed)
  if (origin === undefined || origin.sample !== undefined) return undefined
  if (origin.recording && design.recording === undefined) return undefined
  if (origin.before !== undefined) return undefined
  const recording = origin.recording ? design.recording : undefined
  const asThen = readDesign(design.definition, { recording, now: timeOf(origin) })
  const sources = await readSources(asThen, origin.name)
  if (sources === undefined) return undefined
  return { file, committed, generated: renderMarkdown(makeDocument(sources)) }
}
