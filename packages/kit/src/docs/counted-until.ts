import { readingOf } from 'singletable/tools'
import type { DocumentSources } from './document-sources.ts'

/** How many characters of a time identify its bucket; longer buckets start with a day. */
const WIDTHS: { readonly [unit: string]: number } = {
  hour: '2026-01-01T00'.length,
  minute: '2026-01-01T00:00'.length,
}
const DAY_WIDTH = '2026-01-01'.length

/**
 * The time until which open time ranges are counted, if figures depend on it: the day, or the hour
 * or minute if buckets are that short. Undefined if no pattern has such a range, so that the
 * document is the same every day.
 */
export function countedUntil({ design, schema }: DocumentSources): string | undefined {
  const { now } = design
  if (now === undefined) return undefined
  const widths = [...schema.patterns.values()].flatMap((pattern) => {
    const fan = pattern.definition.op === 'query' ? readingOf(pattern, now).fan : undefined
    return fan?.isOpen ? (WIDTHS[fan.unit ?? ''] ?? DAY_WIDTH) : []
  })
  return widths.length === 0 ? undefined : new Date(now).toISOString().slice(0, Math.max(...widths))
}
