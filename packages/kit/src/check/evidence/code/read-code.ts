import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { SchemaReading } from 'singletable/tools'
import { parseCode } from '../../../source/code-file.ts'
import { type CodeFacts, NO_CODE, type UnreadCode } from '../code-facts.ts'
import { findCodeFiles } from './find-code-files.ts'
import { findFacts } from './find-facts.ts'

/** Files that people write are smaller. */
export const CODE_BYTES_MAX = 1_000_000

/**
 * Reads the TypeScript and JavaScript of a project, and reports what it does with the table. A file
 * that can't be read or parsed is reported, and the others are still read. Nothing of it is run.
 */
export async function readCode(
  directory: string,
  { schema }: Pick<SchemaReading, 'schema'>,
): Promise<CodeFacts> {
  if (schema === undefined) return NO_CODE
  const files = await findCodeFiles(directory)
  const all: Omit<CodeFacts, 'files' | 'unread'>[] = []
  const unread: UnreadCode[] = []
  for (const file of files) {
    const source = await sourceOf(path.join(directory, file))
    const parsed = 'source' in source ? parseCode(file, source.source) : source.reason
    if (typeof parsed === 'string') unread.push({ file, reason: parsed })
    else all.push(findFacts(parsed, schema))
  }
  return {
    files: all.length,
    calls: all.flatMap(({ calls }) => calls),
    prefixed: all.flatMap(({ prefixed }) => prefixed),
    updates: all.flatMap(({ updates }) => updates),
    dropped: all.flatMap(({ dropped }) => dropped),
    propagates: all.some(({ propagates }) => propagates),
    suppressions: all.flatMap(({ suppressions }) => suppressions),
    unread,
  }
}

async function sourceOf(
  file: string,
): Promise<{ readonly source: string } | { readonly reason: string }> {
  try {
    const { size } = await stat(file)
    if (size > CODE_BYTES_MAX) return { reason: `is larger than ${CODE_BYTES_MAX} bytes` }
    return { source: await readFile(file, 'utf8') }
  } catch (error) {
    return { reason: `can't be read: ${error instanceof Error ? error.message : String(error)}` }
  }
}
