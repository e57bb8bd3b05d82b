import type { SchemaDefinition } from 'singletable/tools'
import { readDesign } from '../../../packages/kit/src/check/design/design.ts'
import type { LivingDocument } from '../../../packages/kit/src/docs/document.ts'
import type { DocumentSources } from '../../../packages/kit/src/docs/document-sources.ts'
import { makeDocument } from '../../../packages/kit/src/docs/make-document.ts'
import { readSources } from '../../../packages/kit/src/docs/read-sources.ts'

export async function sourcesOf(
  definition: SchemaDefinition,
  name = 'Table',
): Promise<DocumentSources> {
  const sources = await readSources(readDesign(definition), name)
  if (sources === undefined) throw new Error('The schema can not be used.')
  return sources
}

export async function documentOf(
  definition: SchemaDefinition,
  name?: string,
): Promise<LivingDocument> {
  return makeDocument(await sourcesOf(definition, name))
}
