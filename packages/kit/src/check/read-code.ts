import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { parseCode } from '../source/code-file.ts'
import { findCodeFiles } from './code/find-code-files.ts'
import { findFacts } from './code/find-facts.ts'
import type { CodeFacts, UnreadCode } from './code-facts.ts'
import type { Design } from './design.ts'

/** Files that people write are smaller. */
export const CODE_BYTES_MAX = 1_000_000

/**
 * Reads the TypeScript and JavaScript of a project, and tells what it does with the table. A file that can't be read or parsed is told of, and
 * doesn't keep the others from being looked at. Nothing of it is run.
 */
export async function readCode(directory: string, design: Design): Promise<CodeFacts> {
  const files = await findCodeFiles(directory)
  const all: Omit<CodeFacts, 'files' | 'unread'>[] = []
  const unread: UnreadCode[] = []
  for (const file of files) {
    const source = await sourceOf(path.join(directory, file))
    const parsed = 'source' in source ? parseCode(file, source.source) : source.reason
    if (typeof parsed === 'string') unread.push({ file, reason: parsed })
    else all.push(findFacts(parsed, design))
  }
  return {
    files: all.length,
    calls: all.flatMap(({ calls }) => calls),
    prefixed: all.flatMap(({ prefixed }) => prefixed),
    updates: all.flatMap(({ updates }) => updates),
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
