import { formatCount } from '../text/counts.ts'
import type { CommandOutput } from './command.ts'

/** Shows the progress of long work. */
export interface Progress {
  /** Sets how much is done, the total if it is known, and what else is shown. */
  update(done: number, total?: number | undefined, more?: readonly string[]): void
  /** Clears the line and returns the duration. */
  end(): { readonly elapsedMs: number }
}

export interface ProgressOptions {
  readonly output: CommandOutput
  /** What is counted: `items`. */
  readonly unit: string
  /** What is being done: `export`. */
  readonly title: string
  /** What an earlier run did that this one resumes. */
  readonly before?: number
}

const DRAW_MS = 100
/** Without a terminal a line now and then shows that there is still life. */
const LINE_MS = 5_000

/**
 * A line on the terminal that is drawn again and again, with rate and time left; elsewhere plain
 * lines every few seconds.
 */
export function createProgress({ output, unit, title, before = 0 }: ProgressOptions): Progress {
  const now = (): number => (output.now ?? Date.now)()
  const startedMs = now()
  const intervalMs = output.progress ? DRAW_MS : LINE_MS
  let shownMs = output.progress ? Number.NEGATIVE_INFINITY : startedMs
  return {
    update(done, total, more = []) {
      const at = now()
      if (at - shownMs < intervalMs) return
      shownMs = at
      const elapsedMs = at - startedMs
      const line = [progressLine({ title, unit, done, total, before, elapsedMs }), ...more].join(
        ', ',
      )
      if (output.progress) output.progress(line)
      else output.printError(line)
    },
    end() {
      output.progress?.('')
      return { elapsedMs: now() - startedMs }
    },
  }
}

/** `export: 12,000 of about 40,000 items (30%), 4,000/s, 0:07 left` */
export function progressLine(state: {
  readonly title: string
  readonly unit: string
  readonly done: number
  readonly total: number | undefined
  readonly before: number
  readonly elapsedMs: number
}): string {
  const { title, unit, done, total, before, elapsedMs } = state
  const rate = elapsedMs > 0 ? ((done - before) * 1000) / elapsedMs : 0
  // A total is often an estimate, and must not make more than all of it done.
  const isKnown = total !== undefined && total >= done && total > 0
  const parts = [
    isKnown
      ? `${formatCount(done)} of about ${formatCount(total)} ${unit} (${Math.floor((done / total) * 100)}%)`
      : `${formatCount(done)} ${unit}`,
    `${formatCount(Math.round(rate))}/s`,
    ...(isKnown && rate > 0 ? [`${formatDuration(((total - done) / rate) * 1000)} left`] : []),
  ]
  return `${title}: ${parts.join(', ')}`
}

/** `0:07`, `12:30`, `2:05:00` */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown
    .map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, '0')))
    .join(':')
}
