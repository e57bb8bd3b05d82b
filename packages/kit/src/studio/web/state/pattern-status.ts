import { computed, signal } from '@preact/signals'
import type { Design, FindingView, PatternRuns, PatternView } from '../../api/contract.ts'
import { call } from './api.ts'
import { countText, durationText } from './format.ts'
import { design } from './studio-state.ts'

/** Whether the table answers a pattern completely; the worst first. */
const SERVICES = ['not served', 'incomplete', 'served', 'planned', 'elsewhere'] as const
export type Service = (typeof SERVICES)[number]

/** Everything that is known of a pattern, in one place. */
export interface PatternStatus {
  readonly pattern: PatternView
  readonly service: Service
  /** What the rules say of it, without mere information. */
  readonly findings: readonly FindingView[]
  /** In words, one for each source; empty if it was not run as far as is known. */
  readonly runs: readonly RunSource[]
  /** The slowest of the sources that measure time. */
  readonly p95Ms: number | undefined
}

export interface RunSource {
  readonly source: string
  readonly count: string
  readonly p95Ms: number | undefined
}

/** Where patterns were run; undefined until it is known. */
export const patternRuns = signal<PatternRuns | undefined>(undefined)

/** Asks again; the status of a pattern is still shown if that fails. */
export async function readPatternRuns(): Promise<void> {
  try {
    patternRuns.value = await call('/api/runs')
  } catch {
    patternRuns.value = undefined
  }
}

/** By the name of the pattern, in the order of the schema. */
export const patternStatuses = computed((): ReadonlyMap<string, PatternStatus> => {
  const { value } = design
  if (value === undefined) return new Map()
  const statuses = value.patterns.map((pattern) => statusOf(pattern, value, patternRuns.value))
  return new Map(statuses.map((each) => [each.pattern.name, each]))
})

function statusOf(
  pattern: PatternView,
  { findings }: Design,
  runs: PatternRuns | undefined,
): PatternStatus {
  const own = findings.filter((each) => each.pattern === pattern.name && each.severity !== 'info')
  const service =
    pattern.expected !== 'run'
      ? pattern.expected
      : own.some(({ code }) => code === 'P01')
        ? 'not served'
        : pattern.incomplete !== null
          ? 'incomplete'
          : 'served'
  const sources = sourcesOf(pattern.name, runs)
  const times = sources.flatMap(({ p95Ms }) => p95Ms ?? [])
  return {
    ...{ pattern, service, findings: own, runs: sources },
    p95Ms: times.length > 0 ? Math.max(...times) : undefined,
  }
}

function sourcesOf(name: string, runs: PatternRuns | undefined): readonly RunSource[] {
  const run = runs?.patterns.find(({ pattern }) => pattern === name)
  if (run === undefined) return []
  const { recorded, studio, programs } = run
  return [
    ...(recorded === null
      ? []
      : [{ source: 'tests', count: countText(recorded, 'request'), p95Ms: undefined }]),
    ...(programs === null
      ? []
      : [
          {
            source: 'programs',
            count: countText(programs.calls, 'query', 'queries'),
            p95Ms: programs.p95Ms,
          },
        ]),
    ...(studio === null
      ? []
      : [{ source: 'this studio', count: countText(studio.calls, 'call'), p95Ms: studio.p95Ms }]),
  ]
}

/** Milliseconds with as many digits as they are worth. */
export function p95Text(ms: number): string {
  return ms < 10 ? `${Number(ms.toPrecision(2))} ms` : durationText(Math.round(ms))
}

/** How many of the patterns that should run did. */
export const patternCoverage = computed(() => {
  const expected = [...patternStatuses.value.values()].filter(
    ({ pattern }) => pattern.expected === 'run',
  )
  const run = expected.filter(({ runs }) => runs.length > 0)
  const sources = [...new Set(run.flatMap(({ runs }) => runs.map(({ source }) => source)))]
  return { expected: expected.length, run: run.length, sources }
})

export const FILTERS = {
  'not-run': 'not run',
  findings: 'with findings',
  run: 'run',
} as const

export function isShown(
  { runs, findings, service, pattern }: PatternStatus,
  filter: string,
): boolean {
  switch (filter) {
    case 'run':
      return runs.length > 0
    case 'not-run':
      return runs.length === 0 && pattern.expected === 'run'
    case 'findings':
      return findings.length > 0 || service === 'not served' || service === 'incomplete'
    default:
      return true
  }
}

export const SORTS = { status: 'worst first', p95: 'slowest first', name: 'by name' } as const

/** What comes first; equal ones stay in the order of the schema. */
export function compareStatus(sort: string): (a: PatternStatus, b: PatternStatus) => number {
  switch (sort) {
    case 'name':
      return (a, b) => a.pattern.name.localeCompare(b.pattern.name, 'en')
    case 'p95':
      return (a, b) => (b.p95Ms ?? -1) - (a.p95Ms ?? -1)
    case 'status':
      return (a, b) => rankOf(a) - rankOf(b)
    default:
      return () => 0
  }
}

/** The worst have the lowest rank: not served, then with findings, then never run. */
function rankOf({ service, findings, runs, pattern }: PatternStatus): number {
  if (pattern.expected !== 'run') return 9
  if (service !== 'served') return SERVICES.indexOf(service)
  if (findings.some(({ severity }) => severity === 'error')) return 2
  if (findings.length > 0) return 3
  return runs.length === 0 ? 4 : 5
}
