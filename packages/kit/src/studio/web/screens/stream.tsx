import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type {
  ChangeCauseView,
  Design,
  Failure,
  StreamChange,
  StreamEvent,
} from '../../api/contract.ts'
import { Empty, EntityTag, FailureView, Skeleton } from '../parts/basics.tsx'
import { call, failureIn } from '../state/api.ts'
import { countText, visible } from '../state/format.ts'
import { joinedKey } from '../state/keys.ts'
import { change, hashOf, route, withTable } from '../state/route.ts'
import { useKeys } from '../state/shortcuts.ts'

/** Changes that are kept; older ones give way. */
const CHANGES_MAX = 500
/** Attributes of a change that are shown before somebody asks for the rest. */
const VALUES_SHOWN = 6

interface Tail {
  readonly state: 'waiting' | 'following' | 'off'
  readonly images: string
  /** The newest first. */
  readonly changes: readonly StreamChange[]
  readonly count: number
  readonly hasGap: boolean
  readonly failure?: Failure | undefined
}

const NOTHING: Tail = { state: 'waiting', images: '', changes: [], count: 0, hasGap: false }

/** What changes in the table while the page is open. */
export function Stream({ design }: { readonly design: Design }): JSX.Element {
  const { parameters } = route.value
  const entity = parameters.get('entity')
  const text = parameters.get('text') ?? ''
  const isAsked = useSignal(!design.isAws)
  const tail = useSignal<Tail>(NOTHING)
  /** What was there when somebody pressed pause. */
  const held = useSignal<Tail | undefined>(undefined)
  const attempt = useSignal(0)
  useEffect(() => (isAsked.value ? follow(tail) : undefined), [isAsked.value, attempt.value])
  useKeys((event) => {
    const isTyping = (event.target as HTMLElement).matches('input, textarea, select, button')
    if (event.key !== ' ' || isTyping) return
    event.preventDefault()
    pause()
  })
  const pause = (): void => {
    held.value = held.peek() ? undefined : tail.peek()
  }
  const start = async (): Promise<void> => {
    try {
      await call('/api/start-stream')
      attempt.value++
    } catch (error) {
      tail.value = { ...tail.peek(), failure: failureIn(error) }
    }
  }
  const { state, images, changes, count, hasGap, failure } = held.value ?? tail.value
  const shown = changes.filter(
    (each) =>
      (entity === undefined || each.entity === entity) &&
      (text === '' || JSON.stringify([each.key, each.values, each.cause]).includes(text)),
  )
  const waiting = tail.value.count - count
  return (
    <div class="screen">
      <h1>Stream</h1>
      <p class="lead">Changes of items from now on, as the stream of the table has them.</p>
      {failure && <FailureView failure={failure} />}
      {!isAsked.value && (
        <Empty title="Nothing is read on AWS until you ask for it.">
          A shard of a stream serves two readers at a time: a third one slows your functions down.{' '}
          <button type="button" class="button" onClick={() => (isAsked.value = true)}>
            Follow the stream
          </button>
        </Empty>
      )}
      {isAsked.value && state === 'waiting' && !failure && <Skeleton rows={4} />}
      {state === 'off' && (
        <Empty title="The table has no stream.">
          Add <code>stream: 'new-and-old'</code> to <code>table</code> in the schema, and run{' '}
          <code>singletable table apply</code>.{' '}
          {!design.isAws && !design.isReadOnly && (
            <button type="button" class="button" onClick={() => void start()}>
              Start a stream now
            </button>
          )}
        </Empty>
      )}
      {state === 'following' && (
        <>
          <div class="toolbar is-plain">
            <button type="button" class="button" aria-pressed={!!held.value} onClick={pause}>
              {held.value ? `Continue${waiting > 0 ? ` (${waiting} new)` : ''}` : 'Pause'}{' '}
              <kbd>Space</kbd>
            </button>
            <select
              aria-label="Entity"
              value={entity ?? ''}
              onChange={(event) => change({ entity: event.currentTarget.value })}
            >
              <option value="">all entities</option>
              {design.entities.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
            <input
              id="filter"
              type="text"
              spellcheck={false}
              aria-label="Text in the key, a value or the cause"
              placeholder="key, value, cause…   /"
              value={text}
              onInput={(event) => change({ text: event.currentTarget.value }, false)}
            />
            <button
              type="button"
              class="quiet-button"
              onClick={() => {
                tail.value = { ...tail.peek(), changes: [] }
                held.value = undefined
              }}
            >
              Clear
            </button>
            <span class="quiet" role="status">
              {countText(shown.length, 'change')}
              {changes.length === CHANGES_MAX && `, the last of ${count.toLocaleString('en-US')}`}
            </span>
          </div>
          {images !== 'NEW_AND_OLD_IMAGES' && (
            <p class="note">
              The stream has {images.toLowerCase().replaceAll('_', ' ')}: differences need{' '}
              <code>stream: 'new-and-old'</code>.
            </p>
          )}
          {hasGap && <p class="note">Some changes were gone before they could be read.</p>}
          {shown.length === 0 ? (
            <Empty title={changes.length === 0 ? 'Nothing has changed yet.' : 'No change matches.'}>
              {changes.length === 0
                ? 'Write an item: it appears here within a second.'
                : 'Choose another entity or text.'}
            </Empty>
          ) : (
            <ol class="tail">
              {shown.map((each) => (
                <ChangeRow key={each.id} of={each} />
              ))}
            </ol>
          )}
        </>
      )}
    </div>
  )
}

/** Reads the events of the server into the signal until the screen is left. */
function follow(tail: Signal<Tail>): () => void {
  tail.value = NOTHING
  const events = new EventSource(withTable('/api/stream'))
  events.onmessage = ({ data }: MessageEvent<string>) => {
    const event = JSON.parse(data) as StreamEvent
    const now = tail.peek()
    if (event.kind === 'following') {
      // The server answers again after it was gone: what was missed then is missing here.
      tail.value = { ...now, state: 'following', images: event.images, hasGap: now.count > 0 }
    } else if (event.kind === 'change') {
      const changes = [event.change, ...now.changes].slice(0, CHANGES_MAX)
      tail.value = { ...now, changes, count: now.count + 1 }
    } else if (event.kind === 'gap') tail.value = { ...now, hasGap: true }
    else if (event.kind === 'off') tail.value = { ...now, state: 'off' }
    else tail.value = { ...now, failure: event.failure }
  }
  return () => events.close()
}

const SIGNS = { insert: 'new', modify: 'changed', remove: 'removed' } as const

function ChangeRow({ of }: { readonly of: StreamChange }): JSX.Element {
  const isAll = useSignal(false)
  const { kind, at, entity, kept, key, values, isExpiry, cause } = of
  const shown = isAll.value ? values : values.slice(0, VALUES_SHOWN)
  return (
    <li class={`tail-change is-${kind}`}>
      <header>
        <time dateTime={at}>{at.slice(11, 19)}</time>
        <span class="tail-kind">{isExpiry ? 'expired' : SIGNS[kind]}</span>
        <EntityTag name={entity} kept={kept} />
        <a class="key" href={hashOf('data', { item: JSON.stringify(key) })}>
          {visible(joinedKey(key, Object.keys(key)))}
        </a>
        {cause && <Cause of={cause} />}
      </header>
      <dl class="tail-values">
        {shown.map(({ name, before, after }) => (
          <div key={name}>
            <dt>{visible(name)}</dt>
            <dd>
              {before !== null && <span class="removed">{visible(before)}</span>}
              {before !== null && after !== null && ' → '}
              {after !== null && <span class="added">{visible(after)}</span>}
            </dd>
          </div>
        ))}
      </dl>
      {values.length > VALUES_SHOWN && (
        <button type="button" class="quiet-button" onClick={() => (isAll.value = !isAll.value)}>
          {isAll.value ? 'Show less' : `${values.length - VALUES_SHOWN} more`}
        </button>
      )}
    </li>
  )
}

/** What wrote it, where that can be known: not on AWS. */
function Cause({ of }: { readonly of: ChangeCauseView }): JSX.Element {
  const { operation, by, call, pattern } = of
  return (
    <span class="tail-cause">
      {pattern !== null && <a href={hashOf('patterns', { pattern })}>{pattern}</a>}
      {pattern !== null && ' · '}
      {call !== null && `${call} · `}
      {operation} · {by === 'studio' ? 'this studio' : 'a program'}
    </span>
  )
}
