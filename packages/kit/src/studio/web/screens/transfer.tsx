import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import type { Design, Failure, ImportOutcome } from '../../api/contract.ts'
import { FailureView } from '../parts/basics.tsx'
import { call, failureIn } from '../state/api.ts'
import { bytesText, countText, visible } from '../state/format.ts'
import { change, route, withTable } from '../state/route.ts'
import { splitRecords } from '../state/split-records.ts'
import { dataVersion, lastSpent } from '../state/studio-state.ts'
import { readPartition } from './data.tsx'

const FORMATS = [
  ['dynamodb', 'DynamoDB JSON', 'one item in a line, as singletable load reads it'],
  ['json', 'JSON lines', 'items as entities return them; what has no entity is left out'],
  ['csv', 'CSV', 'a column for each attribute; no cell is executed by a spreadsheet'],
] as const

/** Items from the table into a file, and from a file into the table. */
export function Transfer({ design }: { readonly design: Design }): JSX.Element {
  return (
    <div class="screen">
      <h1>Import, export</h1>
      <Export design={design} />
      <h2>Import</h2>
      {design.isReadOnly ? (
        <p class="note">
          The studio is read-only{design.isAws && ': start it with --write to import'}.
        </p>
      ) : (
        <Import design={design} />
      )}
    </div>
  )
}

function Export({ design }: { readonly design: Design }): JSX.Element {
  const { parameters } = route.value
  const format = FORMATS.find(([name]) => name === parameters.get('format')) ?? FORMATS[0]
  const entity = parameters.get('entity') ?? ''
  const index =
    design.indexes.find(({ name }) => name === parameters.get('index')) ?? design.indexes[0]
  const names = index?.hash ?? []
  const values = readPartition(parameters.get('pk')) ?? []
  const isPartition = values.length > 0
  const query = new URLSearchParams({
    format: format[0],
    ...(entity !== '' && { entity }),
    ...(isPartition && { pk: JSON.stringify(values), index: index?.name ?? '' }),
  })
  const type = (at: number, text: string): void => {
    const next = names.map((_, each) => (each === at ? text : (values[each] ?? '')))
    const isGiven = next.some((each) => each !== '')
    change({ pk: isGiven ? JSON.stringify(next) : undefined }, false)
  }
  return (
    <>
      <h2>Export</h2>
      <div class="choices" role="group" aria-label="Format">
        {FORMATS.map(([name, title]) => (
          <button
            key={name}
            type="button"
            class="choice"
            aria-pressed={name === format[0]}
            onClick={() => change({ format: name })}
          >
            {title}
          </button>
        ))}
      </div>
      <p class="note">{format[2]}</p>
      <div class="toolbar is-plain">
        <label>
          Items of{' '}
          <select
            aria-label="Entity to export"
            value={entity}
            onChange={(event) => change({ entity: event.currentTarget.value })}
          >
            <option value="">all entities</option>
            {design.entities.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          in{' '}
          <select
            aria-label="Index of the partition"
            value={index?.name}
            onChange={(event) => change({ index: event.currentTarget.value, pk: undefined })}
          >
            {design.indexes.map(({ name }) => (
              <option key={name} value={name}>
                {name === 'primary' ? 'base table' : name}
              </option>
            ))}
          </select>
        </label>
        {names.map((name, at) => (
          <input
            key={name}
            type="text"
            spellcheck={false}
            aria-label={`Partition key ${name}`}
            placeholder={`${name} = …, or all`}
            value={values[at] ?? ''}
            onInput={(event) => type(at, event.currentTarget.value)}
          />
        ))}
        <a class="button is-main" href={withTable(`/api/export?${query}`)} download>
          Download
        </a>
        {design.isAws && (
          <span class="quiet">
            {isPartition ? 'Reads are paid for.' : 'Reads the whole table, which is paid for.'}
          </span>
        )}
      </div>
    </>
  )
}

interface Progress {
  readonly isDryRun: boolean
  readonly isDone: boolean
  readonly bytes: number
  readonly sum: ImportOutcome
}

function Import({ design }: { readonly design: Design }): JSX.Element {
  const file = useSignal<File | undefined>(undefined)
  const replaces = useSignal(false)
  const typed = useSignal('')
  const progress = useSignal<Progress | undefined>(undefined)
  const failure = useSignal<Failure | undefined>(undefined)
  const stop = useRef(false)
  const choose = (next: File | null | undefined): void => {
    file.value = next ?? undefined
    progress.value = undefined
    failure.value = undefined
  }
  const run = async (isDryRun: boolean): Promise<void> => {
    const chosen = file.value
    if (chosen === undefined) return
    stop.current = false
    failure.value = undefined
    let sum: ImportOutcome | undefined
    let bytes = 0
    try {
      const format = isCsv(chosen) ? 'csv' : 'dynamodb'
      for await (const { text, line } of splitRecords(textOf(chosen), format === 'csv')) {
        if (stop.current) return
        const request = {
          format,
          text,
          line,
          replaces: replaces.value,
          isDryRun,
          table: typed.value,
        }
        sum = add(sum, await call('/api/import', request))
        bytes += text.length
        lastSpent.value = sum.spent
        progress.value = { isDryRun, isDone: false, bytes, sum }
      }
      if (sum) progress.value = { isDryRun, isDone: true, bytes, sum }
      if (!isDryRun) dataVersion.value++
    } catch (error) {
      failure.value = failureIn(error)
    }
  }
  const shown = progress.value
  const isBusy = shown !== undefined && !shown.isDone && !failure.value
  const left = shown?.isDryRun && shown.isDone ? shown.sum.created + shown.sum.replaced : 0
  return (
    <>
      <p class="note">
        Items are written through the library, so that copies, unique values, counters and index
        keys are right. A dry run comes first.
      </p>
      <div
        class="drop"
        role="group"
        aria-label="File to import"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          choose(event.dataTransfer?.files[0])
        }}
      >
        <label>
          A file of DynamoDB JSON lines, or CSV with this schema{' '}
          <input
            type="file"
            accept=".jsonl,.json,.csv,.txt"
            onChange={(event) => choose(event.currentTarget.files?.[0])}
          />
        </label>
        {file.value && (
          <span class="quiet">
            {bytesText(file.value.size)}, {isCsv(file.value) ? 'CSV' : 'DynamoDB JSON'}
          </span>
        )}
      </div>
      <div class="toolbar is-plain">
        <label class="check">
          <input
            type="checkbox"
            checked={replaces.value}
            onChange={(event) => {
              replaces.value = event.currentTarget.checked
              progress.value = undefined
            }}
          />
          Replace items that the table has with other values
        </label>
        <button
          type="button"
          class="button"
          disabled={file.value === undefined || isBusy}
          onClick={() => void run(true)}
        >
          Dry run
        </button>
        {left > 0 && design.isAws && (
          <label>
            This table is on AWS: type its name, {design.table}.{' '}
            <input
              type="text"
              spellcheck={false}
              value={typed.value}
              onInput={(event) => (typed.value = event.currentTarget.value)}
            />
          </label>
        )}
        {left > 0 && (
          <button
            type="button"
            class="button is-main"
            disabled={design.isAws && typed.value !== design.table}
            onClick={() => void run(false)}
          >
            Import {countText(left, 'item')}
          </button>
        )}
        {isBusy && (
          <button type="button" class="quiet-button" onClick={() => (stop.current = true)}>
            Stop
          </button>
        )}
      </div>
      {failure.value && <FailureView failure={failure.value} />}
      {shown && <Outcome of={shown} table={design.table} />}
    </>
  )
}

function Outcome({
  of: { sum, isDryRun, isDone },
  table,
}: {
  readonly of: Progress
  readonly table: string
}): JSX.Element {
  const figures: readonly (readonly [string, number])[] = [
    [isDryRun ? 'would be created' : 'created', sum.created],
    [isDryRun ? 'would be replaced' : 'replaced', sum.replaced],
    ['are there already', sum.same],
    ['are there with other values, and stay', sum.conflicts],
    ['left out: derived items, and items of no entity', sum.skipped],
    ['refused by the schema', sum.refused],
  ]
  return (
    <div class="panel">
      <p role="status">
        {isDone ? (isDryRun ? 'Dry run' : `Imported into ${table}`) : 'Reading'}:{' '}
        {countText(sum.read, 'item')}
      </p>
      <dl class="facts is-compact">
        {figures.map(([text, count]) => (
          <div key={text}>
            <dt class="right">{count.toLocaleString('en-US')}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <TextList title="Conflicts" lines={sum.conflictKeys} />
      <TextList title="Problems" lines={sum.problems} />
    </div>
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

/** How many messages are listed for a whole file. */
const LISTED_MAX = 20

function add(sum: ImportOutcome | undefined, next: ImportOutcome): ImportOutcome {
  if (sum === undefined) return next
  return {
    read: sum.read + next.read,
    created: sum.created + next.created,
    replaced: sum.replaced + next.replaced,
    same: sum.same + next.same,
    conflicts: sum.conflicts + next.conflicts,
    skipped: sum.skipped + next.skipped,
    refused: sum.refused + next.refused,
    conflictKeys: [...sum.conflictKeys, ...next.conflictKeys].slice(0, LISTED_MAX),
    problems: [...sum.problems, ...next.problems].slice(0, LISTED_MAX),
    spent: next.spent,
  }
}

function isCsv({ name }: File): boolean {
  return name.toLowerCase().endsWith('.csv')
}

async function* textOf(file: File): AsyncGenerator<string, void, undefined> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}
