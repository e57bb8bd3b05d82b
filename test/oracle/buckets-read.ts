import type { TemplatePart } from 'singletable/tools'
import { type Query, type Question, useOf } from './question.ts'

type Placeholder = Exclude<TemplatePart, string>
type Unit = NonNullable<Placeholder['unit']>

const STEPS_MS = { day: 24 * 3600 * 1000, hour: 3600 * 1000, minute: 60 * 1000 }

/** The buckets of time in a partition key that are counted up, the finest first. */
export function openBuckets(query: Query): readonly Placeholder[] {
  const { definition, models } = query
  const [model] = models
  if (model === undefined) return []
  const { hash } = useOf(query, model)
  return hash
    .flatMap(({ template }) => template?.parts ?? [])
    .filter((part): part is Placeholder => typeof part !== 'string' && part.unit !== undefined)
    .filter(({ name }) => !definition.by.includes(name))
    .sort((a, b) => (b.width ?? 0) - (a.width ?? 0))
}

/** How many buckets a question is about: from the one of its first time to that of its last,
 * counted by the calendar. Undefined if the bounds are not times. */
export function bucketsRead(query: Query, question: Question, nowMs: number): number | undefined {
  const [finest] = openBuckets(query)
  if (finest?.unit === undefined) return 1
  const { range } = question
  if (range && 'exact' in range) return 1
  const { from, gt, to, lt, beginsWith } = range?.bounds ?? {}
  if (beginsWith !== undefined) return undefined
  const first = from ?? gt ?? finest.startMs
  const last = to ?? lt ?? nowMs
  const numbers = [first, last].map((value) => bucketNumber(finest.unit as Unit, value))
  const [low = Number.NaN, high = Number.NaN] = numbers
  return Number.isNaN(high - low) ? undefined : Math.max(0, high - low + 1)
}

/** Counts buckets from 1970 on. */
function bucketNumber(unit: Unit, value: unknown): number {
  const date =
    value instanceof Date
      ? value
      : new Date(typeof value === 'string' || typeof value === 'number' ? value : Number.NaN)
  if (unit === 'year') return date.getUTCFullYear()
  if (unit === 'month') return 12 * date.getUTCFullYear() + date.getUTCMonth()
  return Math.floor(date.getTime() / STEPS_MS[unit as keyof typeof STEPS_MS])
}
