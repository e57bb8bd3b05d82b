import type { JSX } from 'preact'
import { countText } from '../state/format.ts'
import {
  compareStatus,
  FILTERS,
  isShown,
  type PatternStatus,
  p95Text,
  patternCoverage,
  patternRuns,
  patternStatuses,
  SORTS,
} from '../state/pattern-status.ts'
import { change, hashOf, route } from '../state/route.ts'

interface ShownPatterns {
  readonly filter: string
  readonly sort: string
  readonly shown: readonly PatternStatus[]
}

/** The patterns that the address asks for, in its order. */
export function shownPatterns(): ShownPatterns {
  const { parameters } = route.value
  const filter = parameters.get('show') ?? ''
  const sort = parameters.get('sort') ?? ''
  const all = [...patternStatuses.value.values()]
  const shown = all.filter((each) => isShown(each, filter)).sort(compareStatus(sort))
  return { filter, sort, shown }
}

/** All patterns with their status; which ones and in which order is part of the address. */
export function PatternList({ chosen }: { readonly chosen: string }): JSX.Element {
  const { filter, sort, shown } = shownPatterns()
  const { expected, run } = patternCoverage.value
  return (
    <div class="side-list">
      <div class="side-tools">
        <select
          aria-label="Which patterns"
          value={filter}
          onChange={(event) => change({ show: event.currentTarget.value })}
        >
          <option value="">all patterns</option>
          {Object.entries(FILTERS).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
        <select
          aria-label="Order"
          value={sort}
          onChange={(event) => change({ sort: event.currentTarget.value })}
        >
          <option value="">as declared</option>
          {Object.entries(SORTS).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </div>
      <nav aria-label="Access patterns">
        {shown.map((status) => {
          const { name, op } = status.pattern
          return (
            <a
              key={name}
              href={hashOf('patterns', { ...keptParameters(filter, sort), pattern: name })}
              aria-current={name === chosen ? 'page' : undefined}
            >
              <span>{name}</span>
              <span class="quiet pattern-status">
                <span class="pattern-operation">{op} · </span>
                <StatusWord status={status} /> · <RunWord status={status} />
              </span>
            </a>
          )
        })}
      </nav>
      {shown.length === 0 && <p class="note">No pattern is {FILTERS[filter as 'run']}.</p>}
      <p class="note">
        {patternRuns.value ? run : '…'} of {countText(expected, 'pattern')} run
      </p>
    </div>
  )
}

function keptParameters(show: string, sort: string): Readonly<Record<string, string>> {
  return { ...(show !== '' && { show }), ...(sort !== '' && { sort }) }
}

/** Whether the table answers it completely, and what the rules say of it. */
export function StatusWord({ status }: { readonly status: PatternStatus }): JSX.Element {
  const { service, findings } = status
  if (service === 'not served') return <span class="is-bad">not served</span>
  if (service === 'incomplete') return <span class="is-warn">incomplete</span>
  if (findings.length === 0) {
    return <span>{service === 'elsewhere' ? 'answered elsewhere' : service}</span>
  }
  const isError = findings.some(({ severity }) => severity === 'error')
  return <span class={isError ? 'is-bad' : 'is-warn'}>{countText(findings.length, 'finding')}</span>
}

function RunWord({ status: { runs, p95Ms } }: { readonly status: PatternStatus }): JSX.Element {
  if (p95Ms !== undefined) return <span>p95 {p95Text(p95Ms)}</span>
  if (runs.length > 0) return <span>run by {runs.map(({ source }) => source).join(', ')}</span>
  if (patternRuns.value === undefined) return <span>…</span>
  return <span>not run</span>
}

/** What is known of a pattern, with the source of each figure. */
export function PatternStatusView({ name }: { readonly name: string }): JSX.Element | null {
  const status = patternStatuses.value.get(name)
  const known = patternRuns.value
  if (status === undefined) return null
  const { findings, runs } = status
  return (
    <>
      <dl class="facts is-compact">
        <div>
          <dt>status</dt>
          <dd>
            <StatusWord status={status} />
          </dd>
        </div>
        {runs.map(({ source, count, p95Ms }) => (
          <div key={source}>
            <dt>{source}</dt>
            <dd>
              {count}
              {p95Ms !== undefined && `, 95 % within ${p95Text(p95Ms)}`}
            </dd>
          </div>
        ))}
        {known && runs.length === 0 && (
          <div>
            <dt>run</dt>
            <dd>not run</dd>
          </div>
        )}
      </dl>
      {findings.map(({ code, name: rule, message, fix, severity }, at) => (
        <div key={at} class={`finding is-${severity}`}>
          <header>
            <strong>{code}</strong> <span>{rule}</span>
          </header>
          <p>{message}</p>
          <p class="finding-fix">Fix: {fix}</p>
        </div>
      ))}
      {findings.length > 0 && <a href={hashOf('lint')}>All findings</a>}
      {known && <p class="note">{sourcesText(known)}</p>}
    </>
  )
}

/** Where the figures are from, and what they leave out. */
function sourcesText({ recording, isShared }: NonNullable<typeof patternRuns.value>): string {
  const tests =
    recording === null
      ? 'There is no recording of tests: write one with singletable recorder.'
      : recording.problem === null
        ? `Tests: requests in ${recording.file} of ${recording.at.slice(0, 16).replace('T', ' ')} UTC. It has no times.`
        : `${recording.file} can't be used: ${recording.problem}.`
  const studio = 'This studio: calls since it was started, with the time until the answer was here.'
  const programs =
    'Programs: queries and scans that came through singletable dev and have the plan of the pattern, with the time that the engine took.'
  return [tests, ...(isShared ? [programs] : []), studio].join(' ')
}
