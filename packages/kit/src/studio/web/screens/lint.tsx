import { Fragment, type JSX } from 'preact'
import type { Design, FindingView, HunkView } from '../../api/contract.ts'
import { CopyButton, Empty } from '../parts/basics.tsx'
import { countText } from '../state/format.ts'
import { change, hashOf, route } from '../state/route.ts'

const SEVERITIES = ['error', 'warning', 'info'] as const

/** What the rules say about the schema, the worst first. */
export function Lint({ design }: { readonly design: Design }): JSX.Element {
  const only = route.value.parameters.get('severity')
  const shown = design.findings.filter(({ severity }) => only === undefined || severity === only)
  return (
    <div class="screen">
      <h1>Lint</h1>
      <div class="choices" role="group" aria-label="Severity">
        <button
          type="button"
          class="choice"
          aria-pressed={only === undefined}
          onClick={() => change({ severity: undefined })}
        >
          all {design.findings.length}
        </button>
        {SEVERITIES.map((severity) => (
          <button
            key={severity}
            type="button"
            class="choice"
            aria-pressed={only === severity}
            onClick={() => change({ severity })}
          >
            {countText(
              design.findings.filter((each) => each.severity === severity).length,
              severity,
              severity === 'info' ? 'info' : undefined,
            )}
          </button>
        ))}
      </div>
      {shown.length === 0 && (
        <Empty title="No findings.">
          Every rule that needs only the schema is content. singletable check --run looks at more.
        </Empty>
      )}
      <ul class="findings">
        {shown.map((finding, at) => (
          <li key={at} class={`finding is-${finding.severity}`}>
            <header>
              <strong>{finding.code}</strong> <span>{finding.name}</span>
              <span class="quiet">
                {finding.severity}
                {finding.line !== null &&
                  ` · ${design.schemaFile.split('/').at(-1)}:${finding.line}`}
              </span>
            </header>
            <p>{finding.message}</p>
            <p class="finding-fix">Fix: {finding.fix}</p>
            {finding.diff.length > 0 && <DiffView hunks={finding.diff} />}
            <Places finding={finding} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A suggested change of the schema. It is shown and copied; the file is never written. */
function DiffView({ hunks }: { readonly hunks: readonly HunkView[] }): JSX.Element {
  return (
    <div class="code diff">
      <div class="code-head">
        <span>suggested change</span>
        <CopyButton text={patchOf(hunks)} label="Copy as patch" />
      </div>
      <pre tabIndex={0}>
        {hunks.map((hunk) => (
          <Fragment key={hunk.line}>
            <span class="diff-place">{`${hunk.file}:${hunk.line}`}</span>
            {hunk.lines.map(({ mark, text }, at) => (
              <span key={at} class={MARKS[mark]}>{`${mark} ${text}`}</span>
            ))}
          </Fragment>
        ))}
      </pre>
    </div>
  )
}

const MARKS = { ' ': undefined, '-': 'removed', '+': 'added' } as const

/** As `git apply` takes it. */
function patchOf(hunks: readonly HunkView[]): string {
  let moved = 0
  return [...hunks]
    .map(({ file, line, lines }, at) => {
      const count = (marks: string): number =>
        lines.filter(({ mark }) => marks.includes(mark)).length
      const head = hunks[at - 1]?.file === file ? '' : `--- a/${file}\n+++ b/${file}\n`
      if (head !== '') moved = 0
      const place = `@@ -${line},${count(' -')} +${line + moved},${count(' +')} @@\n`
      moved += count('+') - count('-')
      return `${head}${place}${lines.map(({ mark, text }) => `${mark}${text}\n`).join('')}`
    })
    .join('')
}

function Places({
  finding: { entity, attribute, index, pattern },
}: {
  readonly finding: FindingView
}): JSX.Element {
  return (
    <p class="places">
      {pattern !== null && <a href={hashOf('patterns', { pattern })}>pattern {pattern}</a>}
      {entity !== null && <a href={hashOf('data', { entity })}>entity {entity}</a>}
      {attribute !== null && <span>attribute {attribute}</span>}
      {index !== null && <a href={hashOf('data', { index })}>index {index}</a>}
    </p>
  )
}
