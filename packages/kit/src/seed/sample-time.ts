/** The "now" of sample data: a fixed time, so that the data is the same every day. */
export const SAMPLE_NOW_MS: number = Date.UTC(2026, 5, 1)
export const DAY_MS = 86_400_000

/** The period that the times of an attribute are in. */
export interface TimeWindow {
  readonly fromMs: number
  readonly spanMs: number
}

/** The three months before. */
export const RECENT: TimeWindow = { fromMs: SAMPLE_NOW_MS - 90 * DAY_MS, spanMs: 90 * DAY_MS }
const COMING: TimeWindow = { fromMs: SAMPLE_NOW_MS + DAY_MS, spanMs: 60 * DAY_MS }
const BIRTHS: TimeWindow = { fromMs: Date.UTC(1955, 0, 1), spanMs: 50 * 365 * DAY_MS }
/** Sample items expire so late that nobody sees them disappear. */
export const FAR: TimeWindow = { fromMs: Date.UTC(2100, 0, 1), spanMs: 12 * DAY_MS }

const UNIT_MS = {
  minute: 60_000,
  hour: 3_600_000,
  day: DAY_MS,
  month: 30 * DAY_MS,
  year: 365 * DAY_MS,
} as const

/** The window that the words of an attribute's name suggest. */
export function windowOf(words: readonly string[]): TimeWindow {
  const has = (pattern: RegExp): boolean => words.some((word) => pattern.test(word))
  if (has(/^(birth|birthday|birthdate|born)$/)) return BIRTHS
  if (has(/^(expires|expiry|expiration|until|due|deadline|ends|end|scheduled|next|to)$/)) {
    return COMING
  }
  return RECENT
}

/** The last `count` buckets of time, none of them before the start. */
export function bucketWindow(unit: string, buckets: number, start?: string): TimeWindow {
  const unitMs = UNIT_MS[unit as keyof typeof UNIT_MS] ?? DAY_MS
  const spanMs = unitMs * buckets
  const fromMs = SAMPLE_NOW_MS - spanMs
  return { fromMs: start === undefined ? fromMs : Math.max(fromMs, Date.parse(start)), spanMs }
}

/** The part of a window that is not before the start. */
export function startedWindow(window: TimeWindow, start: string | undefined): TimeWindow {
  const startMs = start === undefined ? Number.NaN : Date.parse(start)
  if (Number.isNaN(startMs) || startMs <= window.fromMs) return window
  const endMs = window.fromMs + window.spanMs
  return { fromMs: startMs, spanMs: Math.max(DAY_MS, endMs - startMs) }
}
