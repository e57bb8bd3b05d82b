import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Design, Overview as Figures } from '../../api/contract.ts'
import { CodeBlock, CopyButton, EntityTag, FailureView } from '../parts/basics.tsx'
import { call } from '../state/api.ts'
import { bytesText, countText, dollarsText } from '../state/format.ts'
import { templateText } from '../state/keys.ts'
import { useLoad } from '../state/load.ts'
import { patternCoverage, patternRuns, readPatternRuns } from '../state/pattern-status.ts'
import { hashOf } from '../state/route.ts'
import { dataVersion, hueOf, lastSpent } from '../state/studio-state.ts'

/** The table at a glance: what is in it, how it is indexed, what it answers, what is wrong. */
export function Overview({ design }: { readonly design: Design }): JSX.Element {
  const counts = useSignal(false)
  const load = useLoad(async () => {
    const overview = await call('/api/overview', { counts: counts.value })
    lastSpent.value = overview.spent
    return overview
  }, [design.version, dataVersion.value, counts.value])
  useEffect(() => void readPatternRuns(), [design.version])
  const { result, failure } = load.value
  const coverage =
    patternRuns.value && !design.isPartial && design.patterns.length > 0
      ? patternCoverage.value
      : undefined
  const errors = design.findings.filter(({ severity }) => severity === 'error').length
  const warnings = design.findings.filter(({ severity }) => severity === 'warning').length
  const monthly = design.patterns.reduce(
    (sum, { dollarsPerMonth }) => sum + (dollarsPerMonth ?? 0),
    0,
  )
  return (
    <div class="screen">
      <h1>{design.table}</h1>
      <p class="lead">
        {design.place} ·{' '}
        {design.isGuessed ? (
          <>
            no schema; this one is guessed from keys and items.{' '}
            <CopyButton
              text={`npx singletable pull --table ${design.table} --out schema.ts`}
              label="Copy the command that writes it"
            />
          </>
        ) : (
          <code title={design.schemaFile}>
            {design.schemaFile.split(/[\\/]/).slice(-2).join('/')}
          </code>
        )}
      </p>
      {failure && <FailureView failure={failure} />}
      <div class="cards">
        <Card
          title="Items"
          value={
            result
              ? (result.counted?.items ?? result.itemCount).toLocaleString('en-US')
              : failure && '–'
          }
          note={result ? itemsNote(result) : undefined}
        />
        <Card
          title="Entities"
          value={String(design.entities.length)}
          note={countText(
            design.entities.filter(({ copyOf }) => copyOf !== null).length,
            'copy',
            'copies',
          )}
        />
        <Card
          title="Access patterns"
          value={design.isPartial ? undefined : String(design.patterns.length)}
          note={
            design.isPartial
              ? undefined
              : monthly > 0
                ? `${dollarsText(monthly)} a month`
                : 'no rates declared'
          }
          href={hashOf('patterns')}
        />
        {(design.isPartial || design.patterns.length > 0) && (
          <Card
            title="Pattern coverage"
            value={coverage && `${coverage.run} of ${coverage.expected}`}
            note={
              coverage &&
              (coverage.run > 0 ? `run by ${coverage.sources.join(', ')}` : 'no run is known')
            }
            href={hashOf('patterns', { show: 'not-run' })}
          />
        )}
        <Card
          title="Lint"
          value={design.isPartial ? undefined : String(errors + warnings)}
          note={
            design.isPartial
              ? undefined
              : `${countText(errors, 'error')}, ${countText(warnings, 'warning')}`
          }
          href={hashOf('lint')}
          tone={design.isPartial ? undefined : errors > 0 ? 'bad' : warnings > 0 ? 'warn' : 'good'}
        />
      </div>
      {result && result.counted === null && (
        <p class="note">
          Items on AWS are counted only when you ask for it: a scan of about{' '}
          {bytesText(result.sizeBytes)} is paid for.{' '}
          <button type="button" class="button" onClick={() => (counts.value = true)}>
            Count items
          </button>
        </p>
      )}
      <h2>Entities</h2>
      <div class="panel">
        <table class="plain">
          <thead>
            <tr>
              <th>Entity</th>
              <th class="right">Items</th>
              <th class="right">Size</th>
              <th>Primary key</th>
              <th>Indexes</th>
            </tr>
          </thead>
          <tbody>
            {design.entities.map((entity) => {
              const count = result?.counted?.entities.find((each) => each.entity === entity.name)
              const [primary, ...others] = entity.indexes
              return (
                <tr key={entity.name}>
                  <td>
                    <a class="plain-link" href={hashOf('data', { entity: entity.name })}>
                      <EntityTag name={entity.name} />
                    </a>
                    {entity.copyOf && <span class="quiet"> copy of {entity.copyOf}</span>}
                  </td>
                  <td class="right">{count ? count.items.toLocaleString('en-US') : '–'}</td>
                  <td class="right">{count ? bytesText(count.bytes) : '–'}</td>
                  <td>
                    <code>
                      {[...(primary?.hash ?? []), ...(primary?.sort ?? [])]
                        .map(({ segments }) => templateText(segments))
                        .join('  /  ')}
                    </code>
                  </td>
                  <td>
                    {others.map(({ index }) => index).join(', ') || <span class="quiet">–</span>}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {!result && !failure && !design.isAws && <div class="shares is-waiting" />}
      {result?.counted && <Shares figures={result.counted} />}
      <h2>Indexes</h2>
      <div class="panel">
        <table class="plain">
          <thead>
            <tr>
              <th>Index</th>
              <th>Kind</th>
              <th>Key</th>
              <th>Projects</th>
              <th class="right">Items</th>
              <th class="right">Patterns</th>
            </tr>
          </thead>
          <tbody>
            {design.indexes.map((index) => {
              const count = result?.counted?.indexes.find((each) => each.index === index.name)
              const used = design.patterns.filter((pattern) => pattern.index === index.name).length
              return (
                <tr key={index.name}>
                  <td>
                    <a class="plain-link" href={hashOf('data', { index: index.name })}>
                      {index.name}
                    </a>
                  </td>
                  <td>{index.type}</td>
                  <td>
                    <code>{[...index.hash, ...index.sort].join(', ')}</code>
                  </td>
                  <td>
                    {typeof index.project === 'string' ? index.project : index.project.join(', ')}
                  </td>
                  <td class="right">{count ? count.items.toLocaleString('en-US') : '–'}</td>
                  <td class="right">{used}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {result && (
        <p class="note">
          Time to live:{' '}
          {result.timeToLive === null ? (
            'off'
          ) : (
            <>
              <code>{result.timeToLive.attribute}</code>, {result.timeToLive.status.toLowerCase()}
              {result.counted &&
                `; ${countText(result.counted.expiring, 'item has', 'items have')} a time, ${result.counted.expired.toLocaleString('en-US')} of them past and not deleted yet`}
            </>
          )}
        </p>
      )}
      {result && (
        <details class="description">
          <summary>All that DynamoDB says of the table</summary>
          <CodeBlock label="DescribeTable" text={result.description} />
        </details>
      )}
    </div>
  )
}

/** How much of the table each entity has. */
function Shares({ figures }: { readonly figures: NonNullable<Figures['counted']> }): JSX.Element {
  const shown = figures.entities.filter(({ items }) => items > 0)
  const total = shown.reduce((sum, { bytes }) => sum + bytes, 0)
  return (
    <div
      class="shares"
      role="img"
      aria-label={`Bytes by entity: ${shown.map(({ entity, bytes }) => `${entity ?? 'no entity'} ${bytesText(bytes)}`).join(', ')}`}
    >
      {shown.map(({ entity, bytes, items }) => (
        <span
          key={entity}
          class={`share${entity === null ? ' is-kept' : ''}`}
          style={{ '--hue': hueOf(entity), flexGrow: Math.max(bytes / total, 0.004) }}
          title={`${entity ?? 'no entity'}: ${countText(items, 'item')}, ${bytesText(bytes)}`}
        />
      ))}
    </div>
  )
}

function Card({
  title,
  value,
  note,
  href,
  tone,
}: {
  readonly title: string
  readonly value: string | undefined
  readonly note?: string | undefined
  readonly href?: string
  readonly tone?: 'good' | 'warn' | 'bad' | undefined
}): JSX.Element {
  const body = (
    <>
      <span class="card-title">{title}</span>
      <span class={`card-value${tone ? ` is-${tone}` : ''}`}>{value ?? '…'}</span>
      <span class="card-note">{note ?? ' '}</span>
    </>
  )
  return href ? (
    <a class="card" href={href}>
      {body}
    </a>
  ) : (
    <div class="card">{body}</div>
  )
}

function itemsNote({ counted, sizeBytes }: Figures): string {
  if (counted === null) return `${bytesText(sizeBytes)}, up to six hours old`
  const bytes = counted.entities.reduce((sum, each) => sum + each.bytes, 0)
  return counted.isWhole ? bytesText(bytes) : `${bytesText(bytes)}, the first of the table`
}
