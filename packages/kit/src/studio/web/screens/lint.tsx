import type { JSX } from 'preact'
import type { Design, FindingView } from '../../api/contract.ts'
import { Empty } from '../parts/basics.tsx'
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
            <Places finding={finding} />
          </li>
        ))}
      </ul>
    </div>
  )
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
