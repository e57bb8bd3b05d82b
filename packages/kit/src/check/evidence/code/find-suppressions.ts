import type { CodeComment, CodeFile } from '../../../source/code-file.ts'
import type { CodeSuppression } from '../code-facts.ts'

const DIRECTIVE = /^[\s*]*singletable-check\s+([A-Z]\d\d)\b\s*:?(.*)$/s

/** A line that something was found on, and the line that the statement around it begins on. */
export interface FoundLine {
  readonly line: number
  readonly statement: number
}

/** What comments say about lines; one before a statement is about everything that was found in
 * it. */
export function findSuppressions(
  file: CodeFile,
  found: readonly FoundLine[],
): readonly CodeSuppression[] {
  const lines = file.source.split('\n')
  return file.comments.flatMap((comment) => {
    const [, code, reason = ''] = DIRECTIVE.exec(comment.text) ?? []
    if (code === undefined) return []
    const target = targetLine(lines, comment)
    const covered = found.filter(({ statement }) => statement === target).map(({ line }) => line)
    return [...new Set([target, ...covered])].map((line) => ({
      file: file.path,
      line,
      code,
      reason: reason.replace(/^[\s*]+/, '').trimEnd(),
    }))
  })
}

/** Its own line, if there is code before it, else the next one with code. */
function targetLine(lines: readonly string[], { line, lastLine }: CodeComment): number {
  if (!/^\s*(\/\/|\/\*|\{\s*\/\*)/.test(lines[line - 1] ?? '')) return line
  let target = lastLine + 1
  while (target <= lines.length && /^\s*(\/\/.*)?$/.test(lines[target - 1] ?? '')) target++
  return target
}
