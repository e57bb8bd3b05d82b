import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import type { Design, Failure, FileView, WorkbenchView } from '../../api/contract.ts'
import { failureIn } from '../state/api.ts'
import { bytesText, countText } from '../state/format.ts'
import { type ImportInput, type ImportProgress, importParts } from '../state/import-run.ts'
import { type FileContents, readImportFile, textOf } from '../state/read-import-file.ts'
import { dataVersion, lastSpent } from '../state/studio-state.ts'
import { FailureView } from './basics.tsx'
import { type ColumnChoices, ImportColumns, LEFT_OUT, proposedChoices } from './import-columns.tsx'
import { ImportOutcomeView } from './import-outcome.tsx'
import { WorkbenchModel } from './workbench-model.tsx'

const KINDS = {
  items: 'items of this table',
  rows: 'rows to be mapped',
  model: 'model of NoSQL Workbench',
} as const

/** A file on its way into the table: what it has, what becomes of it, and only then the writes. */
export function ImportFile({ design }: { readonly design: Design }): JSX.Element {
  const file = useSignal<File | undefined>(undefined)
  const contents = useSignal<FileContents | undefined>(undefined)
  const choices = useSignal<ColumnChoices | undefined>(undefined)
  const modelTable = useSignal(0)
  const replaces = useSignal(false)
  const typed = useSignal('')
  const progress = useSignal<ImportProgress | undefined>(undefined)
  const failure = useSignal<Failure | undefined>(undefined)
  const isOver = useSignal(false)
  const stop = useRef(new AbortController())

  const choose = async (next: File | null | undefined): Promise<void> => {
    stop.current.abort()
    file.value = next ?? undefined
    contents.value = undefined
    progress.value = undefined
    failure.value = undefined
    modelTable.value = 0
    if (!next) return
    try {
      const found = await readImportFile(next)
      // Another file may be chosen meanwhile.
      if (file.value !== next) return
      choices.value = found.kind === 'records' ? proposedChoices(design, found.view) : undefined
      contents.value = found
    } catch (error) {
      if (file.value === next) failure.value = failureIn(error)
    }
  }
  const input = inputOf(file.value, contents.value, choices.value, modelTable.value)
  const run = async (isDryRun: boolean): Promise<void> => {
    if (input === undefined) return
    stop.current = new AbortController()
    failure.value = undefined
    const options = { isDryRun, replaces: replaces.value, table: typed.value }
    try {
      for await (const next of importParts(input, options, stop.current.signal)) {
        progress.value = next
        lastSpent.value = next.sum.spent
      }
      const { unmapped = [] } = progress.value?.sum ?? {}
      if (choices.value && unmapped.length > 0) {
        choices.value = {
          ...choices.value,
          columns: {
            ...Object.fromEntries(unmapped.map((name) => [name, ''])),
            ...choices.value.columns,
          },
        }
      }
    } catch (error) {
      failure.value = failureIn(error)
      progress.value = progress.value && { ...progress.value, state: 'stopped' }
    }
    if (!isDryRun) dataVersion.value++
  }
  const shown = progress.value
  const isBusy = shown?.state === 'running'
  const isTried = shown?.isDryRun === true && shown.state === 'done'
  const left = isTried && shown.collisionCount === 0 ? shown.sum.created + shown.sum.replaced : 0
  const open = Object.values(choices.value?.columns ?? {}).filter((each) => each === '').length
  return (
    <>
      <p class="note">
        Items are written through the library, so that copies, unique values, counters and index
        keys are right. A dry run comes first.
      </p>
      <div
        class={`drop${isOver.value ? ' is-over' : ''}`}
        role="group"
        aria-label="File to import"
        onDragOver={(event) => {
          event.preventDefault()
          isOver.value = true
        }}
        onDragLeave={() => (isOver.value = false)}
        onDrop={(event) => {
          event.preventDefault()
          isOver.value = false
          void choose(event.dataTransfer?.files[0])
        }}
      >
        <label class="drop-file">
          <strong>Drop a file here, or choose one</strong>
          <input
            type="file"
            accept=".jsonl,.ndjson,.json,.csv,.txt"
            onChange={(event) => void choose(event.currentTarget.files?.[0])}
          />
        </label>
        <span class="quiet">
          {file.value
            ? [
                bytesText(file.value.size),
                ...(contents.value ? [KINDS[kindOf(contents.value)]] : []),
              ].join(' · ')
            : 'CSV, JSON lines, DynamoDB JSON, or a model of NoSQL Workbench'}
        </span>
      </div>
      {contents.value?.kind === 'model' && (
        <WorkbenchModel
          tables={contents.value.tables}
          chosen={modelTable.value}
          choose={(at) => {
            modelTable.value = at
            progress.value = undefined
          }}
        />
      )}
      {contents.value?.kind === 'records' &&
        contents.value.view.kind === 'rows' &&
        choices.value && (
          <ImportColumns
            design={design}
            view={contents.value.view}
            choices={choices.value}
            choose={(next) => {
              choices.value = next
              progress.value = undefined
            }}
          />
        )}
      {input && (
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
            disabled={isBusy || open > 0}
            onClick={() => void run(true)}
          >
            Dry run
          </button>
          {open > 0 && (
            <span class="quiet">
              {countText(open, 'column has', 'columns have')} no choice yet: map or leave out each.
            </span>
          )}
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
            <>
              <progress
                class="import-progress"
                aria-label="Part of the file that was read"
                max={Math.max(file.value?.size ?? 0, shown.characters)}
                value={shown.characters}
              />
              <button type="button" class="quiet-button" onClick={() => stop.current.abort()}>
                Stop
              </button>
            </>
          )}
        </div>
      )}
      {failure.value && <FailureView failure={failure.value} />}
      {shown && <ImportOutcomeView of={shown} design={design} />}
    </>
  )
}

function kindOf(contents: FileContents): keyof typeof KINDS {
  return contents.kind === 'model' ? 'model' : contents.view.kind
}

/** What would be imported; undefined if nothing can be. */
function inputOf(
  file: File | undefined,
  contents: FileContents | undefined,
  choices: ColumnChoices | undefined,
  modelTable: number,
): ImportInput | undefined {
  if (file === undefined || contents === undefined) return undefined
  if (contents.kind === 'model') return modelInput(file, contents.tables[modelTable])
  return recordsInput(file, contents.format, contents.view, choices)
}

function modelInput(file: File, table: WorkbenchView | undefined): ImportInput | undefined {
  if (!table?.isSameKey || table.items === 0) return undefined
  const text = async function* (): AsyncGenerator<string, void, undefined> {
    yield table.lines
  }
  return { name: file.name, format: 'dynamodb', text }
}

function recordsInput(
  file: File,
  format: 'csv' | 'json',
  { kind }: FileView,
  choices: ColumnChoices | undefined,
): ImportInput {
  const text = (): AsyncIterable<string> => textOf(file)
  if (kind === 'items' || choices === undefined) {
    return { name: file.name, format: format === 'csv' ? 'csv' : 'dynamodb', text }
  }
  const columns = Object.entries(choices.columns).flatMap(([name, choice]) =>
    choice === '' ? [] : [[name, choice === LEFT_OUT ? null : choice] as const],
  )
  return {
    ...{ name: file.name, format, text },
    mapping: { entity: choices.entity, columns: Object.fromEntries(columns) },
  }
}
