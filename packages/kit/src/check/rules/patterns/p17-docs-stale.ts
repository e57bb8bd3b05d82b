import type { Rule } from '../rule.ts'

export const docsStale: Rule = {
  code: 'P17',
  name: 'docs-stale',
  severity: 'error',
  source: 'document',
  title: 'The generated document differs from the one in the project.',
  explanation: `The document of the design is made from the schema, so it always matches the code, provided it is generated again after each change.

  wrong   a schema that was changed, and a document of last week
  right   singletable docs        and in CI    singletable docs --check

What you write yourself outside the markers is kept.`,
  *check({ document }) {
    if (document === undefined || document.committed === document.generated) return
    const line = firstDifference(document.committed, document.generated)
    yield {
      message: `${document.file} is out of date; run singletable docs. It differs from line ${line} on.`,
      fix: 'run singletable docs and commit what it writes',
      place: { file: document.file, line },
    }
  },
}

/** From 1. */
function firstDifference(a: string, b: string): number {
  const [left, right] = [a.split('\n'), b.split('\n')]
  const at = left.findIndex((line, position) => line !== right[position])
  return 1 + (at < 0 ? left.length : at)
}
