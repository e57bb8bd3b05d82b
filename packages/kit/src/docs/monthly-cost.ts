import { counted, type Line } from './document.ts'
import type { DocumentSources } from './document-sources.ts'
import { printDollars } from './figures.ts'

/** What a month costs, and what is not included. */
export function monthlyCost({ bill }: DocumentSources): Line {
  const { totals, patterns, storage } = bill
  const unrated = patterns.filter(({ rps }) => rps === undefined).length
  const isStored = storage.some(({ bytes }) => bytes !== undefined)
  if (unrated === patterns.length && !isStored) {
    return [
      'not known: the schema declares neither how often patterns are called nor how many items there are',
    ]
  }
  const missing = [
    ...(unrated > 0 ? [counted(unrated, 'pattern without a rate', 'patterns without a rate')] : []),
    ...(storage.some(({ bytes }) => bytes === undefined)
      ? [isStored ? 'some storage' : 'storage']
      : []),
  ]
  return [
    { kind: 'figure', text: `$${printDollars(totals.all)} a month`, basis: totals.basis },
    ...(missing.length > 0 ? [`, without ${missing.join(' and ')}`] : []),
  ]
}
