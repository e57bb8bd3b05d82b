import { documentFile } from '../docs/read-committed-document.ts'
import type { Parameters } from './help.ts'
import { UsageError } from './usage-error.ts'

/** What `docs` shall write or compare, by file as it was typed. */
export interface DocsTargets {
  readonly markdown: string | undefined
  readonly html: string | undefined
  readonly json: string | undefined
  readonly injected: readonly string[]
}

/** The Markdown is meant unless something else is asked for alone. */
export function readTargets(given: Parameters, directory: string): DocsTargets {
  const [html, out] = [given.text('html'), given.text('out')]
  const isCheck = given.flag('check')
  if (out !== undefined && /\.html?$/i.test(out)) {
    throw new UsageError(
      `--out writes Markdown, and "${out}" is the name of an HTML file.`,
      `pass --html ${out}`,
    )
  }
  const injects = given.values('inject')
  const { positionals } = given
  if (isCheck && given.flag('sample')) {
    throw new UsageError(
      'Every sample is different, so there is nothing to compare with.',
      'leave out --sample or --check',
    )
  }
  if (positionals.length > 0 && injects.length === 0 && !isCheck) {
    throw new UsageError(
      `Nothing says what to do with "${positionals[0]}".`,
      'pass --out, --html or --inject before it, or --check',
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
