import type { JSX } from 'preact'
import type { Design, ImportPreview } from '../../api/contract.ts'
import { countText, visible } from '../state/format.ts'
import type { ImportProgress } from '../state/import-run.ts'
import { EntityTag } from './basics.tsx'
import { cellText, cellTitle } from './value-view.tsx'

const STATES = {
  new: 'new',
  replaces: 'replaces',
  same: 'there already',
  conflict: 'other values',
} as const satisfies Record<ImportPreview['state'], string>

/** What became of a file so far, or would. */
export function ImportOutcomeView({
  of: { sum, isDryRun, state, collisions, collisionCount },
  design,
}: {
  readonly of: ImportProgress
  readonly design: Design
}): JSX.Element {
  const figures: readonly (readonly [text: string, count: number, look?: string])[] = [
    [isDryRun ? 'would be created' : 'created', sum.created, 'is-good'],
    [isDryRun ? 'would be replaced' : 'replaced', sum.replaced, 'is-warn'],
    ['are there already', sum.same],
    ['are there with other values, and stay', sum.conflicts, 'is-warn'],
    ['left out: derived items, and items of no entity', sum.skipped],
    ['refused by the schema', sum.refused, 'is-bad'],
    ['give a key that another one gives too', collisionCount, 'is-bad'],
  ]
  const did = isDryRun ? 'Dry run' : `Imported into ${design.table}`
  const title = { running: 'Reading', stopped: 'Stopped; what was written stays', done: did }[state]
  return (
    <>
      <div class="panel outcome">
        <p role="status">
          {title}: {countText(sum.read, 'item')}
        </p>
        <ul class="figures">
          {figures.map(
            ([text, count, look = '']) =>
              count > 0 && (
                <li key={text}>
                  <strong class={look}>{count.toLocaleString('en-US')}</strong> {text}
                </li>
              ),
          )}
        </ul>
        <TextList title="Collisions" lines={collisions} />
        {collisionCount > 0 && (
          <p class="note">Nothing can be imported before one row of each pair is corrected.</p>
        )}
        <TextList title="Conflicts" lines={sum.conflictKeys} />
        <TextList title="Problems" lines={sum.problems} />
      </div>
      {sum.preview.length > 0 && <Preview items={sum.preview} design={design} />}
    </>
  )
}

/** The first items as they would be stored, their keys first. */
function Preview({
  items,
  design,
}: {
  readonly items: readonly ImportPreview[]
  readonly design: Design
}): JSX.Element {
  const [primary] = design.indexes
  const keys = [...(primary?.hash ?? []), ...(primary?.sort ?? [])]
  const others = [...new Set(items.flatMap(({ item }) => Object.keys(item)))].filter(
    (name) => !keys.includes(name) && name !== design.typeField,
  )
  return (
    <>
      <h3>The first {countText(items.length, 'item')}</h3>
      <div class="panel is-scroll" tabIndex={0} role="region" aria-label="Items to be imported">
        <table class="plain preview">
          <thead>
            <tr>
              <th class="right">Line</th>
              <th>State</th>
              <th>Entity</th>
              {[...keys, ...others].map((name) => (
                <th key={name}>{visible(name)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.map(({ at, state, entity, item }) => (
              <tr key={at}>
                <td class="right quiet">{at.replace(/^.*[: ]/, '')}</td>
                <td class={`preview-state is-${state}`}>{STATES[state]}</td>
                <td>
                  <EntityTag name={entity} />
                </td>
                {[...keys, ...others].map((name) => {
                  const { text, look } = cellText(item[name])
                  return (
                    <td key={name} class={keys.includes(name) ? 'key' : undefined}>
                      <span class={`cut ${look}`} title={visible(cellTitle(item[name]))}>
                        {text}
                      </span>
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function TextList({
  title,
  lines,
}: {
  readonly title: string
  readonly lines: readonly string[]
}): JSX.Element | null {
  if (lines.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {lines.map((text) => (
          <li key={text}>{visible(text)}</li>
        ))}
      </ul>
    </>
  )
}
