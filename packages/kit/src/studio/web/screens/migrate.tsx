import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type {
  Design,
  Failure,
  MigrationsView,
  MigrationTrial,
  MigrationView,
} from '../../api/contract.ts'
import { CodeBlock, CopyButton, Empty, FailureView, Skeleton } from '../parts/basics.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { isConfirmed, TypeTableName } from '../parts/type-table-name.tsx'
import { call, failureIn } from '../state/api.ts'
import { countText } from '../state/format.ts'
import { useLoad } from '../state/load.ts'
import { change, route } from '../state/route.ts'
import { dataVersion, design, lastSpent } from '../state/studio-state.ts'

/** While a migration runs, its progress is read this often. */
const RUNNING_MS = 1000
const BAD = ['failed', 'modified', 'missing', 'out of order']

/**
 * The migrations of the project, and how far the table is. They are started here or by the command.
 */
export function Migrate({ design }: { readonly design: Design }): JSX.Element {
  const turn = useSignal(0)
  const load = useLoad(async () => {
    const answer = await call('/api/migrations')
    lastSpent.value = answer.spent
    return answer
  }, [design.version, dataVersion.value, turn.value])
  const { result, failure } = load.value
  const isRunning = result?.lock?.isLeft === false
  const wasRunning = useRef(false)
  useEffect(() => {
    // What other screens show has changed.
    if (wasRunning.current && !isRunning) dataVersion.value++
    wasRunning.current = isRunning
    if (!isRunning) return undefined
    const timer = setInterval(() => turn.value++, RUNNING_MS)
    return () => clearInterval(timer)
  }, [isRunning])
  const chosen = route.value.parameters.get('migration')
  const left = result?.migrations.filter(({ status }) => status !== 'applied').length ?? 0
  return (
    <div class="screen">
      <h1>Migrations</h1>
      <p class="lead">
        What changes stored items from one schema to the next. They can be run here, or with{' '}
        <code>singletable migrate up</code>, which has more options.
      </p>
      {failure && <FailureView failure={failure} />}
      {!result && !failure && <Skeleton rows={4} />}
      {result?.lock && (
        <p class={`banner${result.lock.isLeft ? ' is-bad' : ''}`} role="status">
          {result.lock.isLeft
            ? `${result.lock.owner} has left its lock behind: run them again to continue.`
            : `${result.lock.owner} migrates this table.`}
        </p>
      )}
      {result && result.problems.length > 0 && (
        <div class="finding is-warning">
          <strong>{countText(result.problems.length, 'problem')} in the project</strong>
          <ul>
            {result.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </div>
      )}
      {result && result.migrations.length === 0 && (
        <Empty title="There are no migrations.">
          <code>singletable migrate generate</code> writes the first one
          {result.directory && ` into ${result.directory}`}: the schema as it is now.
        </Empty>
      )}
      {result && left > 0 && (
        <p class="note">
          {countText(left, 'migration is', 'migrations are')} not applied.{' '}
          <CopyButton
            text={`npx singletable migrate up --table ${design.table}`}
            label="Copy command"
          />
        </p>
      )}
      {result && left > 0 && !design.isReadOnly && (
        <RunControls view={result} isRunning={isRunning} read={() => turn.value++} />
      )}
      <ul class="findings">
        {result?.migrations.map((each) => (
          <Migration
            key={each.id}
            of={each}
            isOpen={chosen === each.id}
            table={design.table}
            isFirst={each === result.migrations.find(({ status }) => status === 'pending')}
          />
        ))}
      </ul>
    </div>
  )
}

/** Starts, pauses and continues, and shows how far the run is. */
function RunControls({
  view,
  isRunning,
  read,
}: {
  readonly view: MigrationsView
  readonly isRunning: boolean
  readonly read: () => void
}): JSX.Element {
  const isAsking = useSignal(false)
  const failure = useSignal<Failure | undefined>(undefined)
  const isBusy = useSignal(false)
  const typed = useSignal('')
  const { run, migrations } = view
  const left = migrations.filter(({ status }) => status !== 'applied')
  const hasStarted = left.some(({ progress }) => progress !== null)
  const send = async (path: '/api/run-migrations' | '/api/pause-migrations'): Promise<void> => {
    isBusy.value = true
    failure.value = undefined
    try {
      await call(path, { table: typed.value })
      isAsking.value = false
    } catch (error) {
      failure.value = failureIn(error)
    }
    isBusy.value = false
    read()
  }
  const now = migrations.find(({ id }) => id === run?.id)?.progress
  const shown = failure.value ?? run?.failure
  return (
    <div class="run">
      {shown && <FailureView failure={shown} />}
      {isRunning && run && (
        <div class="run-progress">
          <progress
            aria-label={`Progress of ${run.id}`}
            value={Math.min(now?.read ?? 0, run.total)}
            max={Math.max(run.total, 1)}
          />
          <span class="quiet">
            {countText(now?.read ?? 0, 'item')} of about {run.total.toLocaleString('en-US')} ·{' '}
            {countText(run.units, 'unit')}
          </span>
        </div>
      )}
      <div class="buttons">
        {isRunning ? (
          <button
            type="button"
            class="button"
            disabled={isBusy.value}
            onClick={() => void send('/api/pause-migrations')}
          >
            Pause
          </button>
        ) : (
          <button
            type="button"
            class="button is-main"
            onClick={() => {
              failure.value = undefined
              isAsking.value = true
            }}
          >
            {hasStarted ? 'Resume' : `Run ${countText(left.length, 'migration')}`}
          </button>
        )}
      </div>
      {isAsking.value && (
        <Dialog title="Run migrations" close={() => (isAsking.value = false)}>
          <p>
            Items of <strong>{design.value?.table}</strong> are changed by these steps. A run can be
            paused and continued. <code>singletable migrate down</code> undoes it.
          </p>
          <ul class="run-list">
            {left.map(({ id, steps, readUnits, writeUnits }) => (
              <li key={id}>
                <code>{id}</code>
                <span class="quiet">
                  {countText(steps.length, 'step')}, at most{' '}
                  {(readUnits ?? 0).toLocaleString('en-US')} read and{' '}
                  {(writeUnits ?? 0).toLocaleString('en-US')} write units
                </span>
              </li>
            ))}
          </ul>
          {failure.value && <FailureView failure={failure.value} />}
          <TypeTableName typed={typed} />
          <div class="buttons is-sticky">
            <button
              type="button"
              class="button is-main"
              autofocus
              disabled={isBusy.value || !isConfirmed(typed.value)}
              onClick={() => void send('/api/run-migrations')}
            >
              Run
            </button>
            <button type="button" class="button" onClick={() => (isAsking.value = false)}>
              Cancel
            </button>
          </div>
        </Dialog>
      )}
    </div>
  )
}

function Migration({
  of,
  isOpen,
  isFirst,
  table,
}: {
  readonly of: MigrationView
  readonly isOpen: boolean
  /** It is the next one: only this can be tried on the items as they are. */
  readonly isFirst: boolean
  readonly table: string
}): JSX.Element {
  const { id, status, startedAt, endedAt, note, steps, progress, readUnits, writeUnits } = of
  const tone = BAD.includes(status) ? 'error' : status === 'applied' ? 'info' : 'warning'
  return (
    <li class={`finding is-${tone}`}>
      <header>
        <strong>{status}</strong>
        <button
          type="button"
          class="link"
          aria-expanded={isOpen}
          onClick={() => change({ migration: isOpen ? undefined : id })}
        >
          {id}
        </button>
        <span class="quiet">{endedAt ?? startedAt ?? ''}</span>
      </header>
      {note && <p>{note}</p>}
      {progress && (
        <p role="status">
          Step {progress.stage + 1} of {progress.stages}, pass {progress.pass + 1}:{' '}
          {countText(progress.read, 'item')} read, {progress.changed.toLocaleString('en-US')}{' '}
          changed, {countText(progress.problems, 'problem')}
        </p>
      )}
      {isOpen && (
        <>
          {steps.length === 0 ? (
            <p class="note">It has no steps that change items.</p>
          ) : (
            <CodeBlock label="Steps" text={steps.join('\n')} />
          )}
          {readUnits !== null && writeUnits !== null && (
            <p class="note">
              At most {readUnits.toLocaleString('en-US')} read units and{' '}
              {writeUnits.toLocaleString('en-US')} write units.
            </p>
          )}
          {isFirst && steps.length > 0 && <Trial id={id} />}
          {BAD.includes(status) && (
            <CodeBlock
              label="Settle it"
              text={
                status === 'failed'
                  ? `npx singletable migrate resume --table ${table}`
                  : `npx singletable migrate resolve ${id} --applied --reason "…" --table ${table}`
              }
            />
          )}
        </>
      )}
    </li>
  )
}

/** What the migration would do to the first items. */
function Trial({ id }: { readonly id: string }): JSX.Element {
  const trial = useSignal<MigrationTrial | undefined>(undefined)
  const failure = useSignal<Failure | undefined>(undefined)
  const isBusy = useSignal(false)
  const run = async (): Promise<void> => {
    isBusy.value = true
    failure.value = undefined
    try {
      trial.value = await call('/api/try-migration', { id })
      lastSpent.value = trial.value.spent
    } catch (error) {
      failure.value = failureIn(error)
    }
    isBusy.value = false
  }
  const { value: result } = trial
  return (
    <>
      <button type="button" class="button" disabled={isBusy.value} onClick={() => void run()}>
        Try it on 100 items
      </button>
      {failure.value && <FailureView failure={failure.value} />}
      {result && (
        <p class="note" role="status">
          Nothing was written. {result.changed} of {countText(result.read, 'item')} would change
          {result.problems > 0 &&
            `, and ${countText(result.problems, "item can't", "items can't")}`}
          {result.isWhole ? '.' : ', of those that were read.'}
        </p>
      )}
      {result?.reasons.map((reason) => (
        <p key={reason} class="finding-fix">
          {reason}
        </p>
      ))}
      {result?.examples.map(({ key, before, after }) => (
        <div key={key} class="trial">
          <CodeBlock label={`${key}, before`} text={JSON.stringify(before, undefined, 2)} />
          <CodeBlock
            label="after"
            text={after.map((each) => JSON.stringify(each, undefined, 2)).join('\n') || 'deleted'}
          />
        </div>
      ))}
    </>
  )
}
