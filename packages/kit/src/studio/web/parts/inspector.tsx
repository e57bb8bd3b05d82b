import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { AttributeView, EntityView, ItemDetail, StoredItem } from '../../api/contract.ts'
import { call } from '../state/api.ts'
import { bytesText, countText, shownText, visible } from '../state/format.ts'
import { printItem } from '../state/item-json.ts'
import { joinedKey, keyText } from '../state/keys.ts'
import { useLoad } from '../state/load.ts'
import { go } from '../state/route.ts'
import { useKeys } from '../state/shortcuts.ts'
import {
  dataVersion,
  design,
  entitiesByName,
  inspect,
  inspected,
  lastSpent,
  newItem,
  stage,
} from '../state/studio-state.ts'
import { CodeBlock, EntityTag, FailureView, Skeleton, Tabs } from './basics.tsx'
import { AttributeInput } from './inputs.tsx'
import { RawEditor } from './raw-editor.tsx'
import { ReferenceLink } from './reference-link.tsx'
import { LongText, ValueText, ValueTree } from './value-view.tsx'

/** A form of the entity, or DynamoDB's JSON. */
type Editing = 'form' | 'json' | undefined

const TABS = ['Decoded', 'Stored', 'In all indexes'] as const
type Tab = (typeof TABS)[number]

/** The item that the address names, next to the screen. */
export function Inspector(): JSX.Element | null {
  const key = inspected.value
  const tab = useSignal<Tab>('Decoded')
  // Another item is another component: nothing that is known of one can be shown of the other.
  return key ? <Inspected key={JSON.stringify(key)} item={key} tab={tab} /> : null
}

/** One item: as its entity reads it, as it is stored, and as each index has it. */
function Inspected({
  item: key,
  tab,
}: {
  readonly item: StoredItem
  readonly tab: Signal<Tab>
}): JSX.Element {
  const editing = useSignal<Editing>(undefined)
  const load = useLoad(async () => {
    const { detail } = await call('/api/item', { key })
    if (detail) lastSpent.value = detail.spent
    return detail
  }, [dataVersion.value])
  // Before the next key is pressed: who asks for the form right after saving gets it.
  useLayoutEffect(() => {
    editing.value = undefined
  }, [dataVersion.value])
  useKeys((event) => {
    const isTyping = (event.target as HTMLElement).matches('input, textarea, select')
    if (isTyping || event.metaKey || event.ctrlKey) return
    if (event.key === 'e' && design.value?.isReadOnly !== true) {
      tab.value = 'Decoded'
      editing.value = 'form'
      event.preventDefault()
    }
    const detail = load.peek().result
    if (event.key === 'Delete' && detail) stageDelete(detail)
  })
  const { result: detail, failure, isBusy } = load.value
  // What no entity reads has no form. That is known when the item is there.
  const mode = editing.value && detail && !isReadable(detail) ? 'json' : editing.value
  return (
    <aside class="inspector" aria-label="Item">
      <header class="inspector-head">
        <div class="inspector-title">
          {detail && <EntityTag name={detail.found.entity} />}
          <code title={joinedKey(key, Object.keys(key))}>
            {visible(joinedKey(key, Object.keys(key)))}
          </code>
        </div>
        <button
          type="button"
          class="quiet-button"
          aria-label="Close the item"
          onClick={() => inspect(undefined)}
        >
          ✕
        </button>
      </header>
      {failure && <FailureView failure={failure} />}
      {isBusy && !detail && <Skeleton rows={8} />}
      {detail === null && !isBusy && <p class="note">The item is not in the table any more.</p>}
      {detail && (
        <>
          <Tabs
            names={TABS}
            chosen={tab.value}
            choose={(name) => (tab.value = name)}
            label="Views of the item"
          />
          <div class="inspector-body">
            {mode === 'json' && tab.value !== 'In all indexes' ? (
              <RawEditor
                item={detail.found.item}
                label="The item in DynamoDB JSON"
                stage={(after) => {
                  stageRaw(detail, after)
                  editing.value = undefined
                }}
                close={() => (editing.value = undefined)}
              />
            ) : (
              <>
                {tab.value === 'Decoded' && (
                  <Decoded
                    detail={detail}
                    isEditing={mode === 'form'}
                    setEditing={(next) => (editing.value = next)}
                  />
                )}
                {tab.value === 'Stored' && (
                  <Stored detail={detail} edit={() => (editing.value = 'json')} />
                )}
                {tab.value === 'In all indexes' && <InIndexes detail={detail} />}
              </>
            )}
          </div>
        </>
      )}
    </aside>
  )
}

function Decoded({
  detail,
  isEditing,
  setEditing,
}: {
  readonly detail: ItemDetail
  readonly isEditing: boolean
  readonly setEditing: (next: Editing) => void
}): JSX.Element {
  const { found, strings, problem } = detail
  const entity = entitiesByName.value.get(found.entity ?? '')
  if (problem || entity === undefined || design.value?.isGuessed) {
    return <Undecoded detail={detail} edit={() => setEditing('json')} />
  }
  if (isEditing) {
    return <EditForm detail={detail} entity={entity} close={() => setEditing(undefined)} />
  }
  const isReadOnly = design.value?.isReadOnly === true || entity.copyOf !== null
  return (
    <>
      <dl class="facts">
        {entity.attributes.map((attribute) => (
          <div
            key={attribute.name}
            class={strings[attribute.name] === undefined ? 'is-absent' : undefined}
          >
            <dt title={attribute.type}>{attribute.name}</dt>
            <dd>
              <AttributeText attribute={attribute} detail={detail} />
            </dd>
          </div>
        ))}
      </dl>
      <p class="note">
        {bytesText(found.bytes)}
        {entity.copyOf && `, a copy of ${entity.copyOf}: change that`}
      </p>
      {!isReadOnly && (
        <div class="buttons">
          <button type="button" class="button" onClick={() => setEditing('form')}>
            Edit <kbd>e</kbd>
          </button>
          <button
            type="button"
            class="button"
            onClick={() =>
              (newItem.value = { entity: entity.name, strings: copiedStrings(entity, strings) })
            }
          >
            Duplicate
          </button>
          <button type="button" class="button is-danger" onClick={() => stageDelete(detail)}>
            Delete <kbd>Del</kbd>
          </button>
        </div>
      )}
    </>
  )
}

/** An item that no entity reads: its attributes as they are stored. */
function Undecoded({
  detail,
  edit,
}: {
  readonly detail: ItemDetail
  readonly edit: () => void
}): JSX.Element {
  const { found, problem } = detail
  return (
    <>
      {problem && <FailureView failure={problem} />}
      <dl class="facts">
        {Object.entries(found.item).map(([name, value]) => (
          <div key={name}>
            <dt>{visible(name)}</dt>
            <dd>
              <ValueTree value={value} />
            </dd>
          </div>
        ))}
      </dl>
      <p class="note">
        {bytesText(found.bytes)}
        {found.kept !== null && `, a ${found.kept} that the library keeps`}
      </p>
      {design.value?.isReadOnly !== true && (
        <div class="buttons">
          {found.kept === null && (
            <>
              <button type="button" class="button" onClick={edit}>
                Edit JSON <kbd>e</kbd>
              </button>
              <button
                type="button"
                class="button"
                onClick={() => (newItem.value = { strings: {}, raw: found.item })}
              >
                Duplicate
              </button>
            </>
          )}
          <button type="button" class="button is-danger" onClick={() => stageDelete(detail)}>
            Delete <kbd>Del</kbd>
          </button>
        </div>
      )}
    </>
  )
}

/** Each attribute as it is read, next to how DynamoDB stores it. */
function Stored({
  detail: { found, strings },
  edit,
}: {
  readonly detail: ItemDetail
  readonly edit: () => void
}): JSX.Element {
  const attributes = entitiesByName.value.get(found.entity ?? '')?.attributes ?? []
  return (
    <>
      <table class="plain is-pairs">
        <thead>
          <tr>
            <th>attribute</th>
            <th>decoded</th>
            <th>stored</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(found.item).map(([name, value]) => {
            const own = attributes.find(({ stored }) => stored === name)
            return (
              <tr key={name}>
                <td>{visible(own?.name ?? name)}</td>
                <td>
                  {own ? (
                    <ValueText text={strings[own.name] ?? ''} />
                  ) : (
                    <span class="quiet">–</span>
                  )}
                </td>
                <td>
                  <code>
                    <LongText text={JSON.stringify(value)} />
                  </code>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <CodeBlock label="DynamoDB JSON" text={printItem(found.item)} />
      {design.value?.isReadOnly !== true && found.kept === null && (
        <div class="buttons">
          <button type="button" class="button" onClick={edit}>
            Edit JSON
          </button>
        </div>
      )}
    </>
  )
}

/** A value, and a link where it names another item. */
function AttributeText({
  attribute,
  detail,
}: {
  readonly attribute: AttributeView
  readonly detail: ItemDetail
}): JSX.Element {
  const text = detail.strings[attribute.name]
  const stored = detail.found.item[attribute.stored]
  if (text === undefined) return <span class="value-empty">not set</span>
  if (attribute.refersTo) {
    return (
      <ReferenceLink reference={attribute.refersTo} strings={detail.strings}>
        {shownText(text)}
      </ReferenceLink>
    )
  }
  if (stored?.M ?? stored?.L) return <ValueTree value={stored} />
  return (
    <span class="facts-value">
      <ValueText text={stored?.N ?? text} />
    </span>
  )
}

function EditForm({
  detail,
  entity,
  close,
}: {
  readonly detail: ItemDetail
  readonly entity: EntityView
  readonly close: () => void
}): JSX.Element {
  const draft = useSignal<Readonly<Record<string, string | null>>>({})
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLElement>('.field :enabled')?.focus()
  }, [])
  const changes = Object.entries(draft.value).filter(
    ([name, text]) => (detail.strings[name] ?? null) !== text,
  )
  const submit = (event: Event): void => {
    event.preventDefault()
    if (changes.length === 0) return
    stage(
      {
        kind: 'update',
        entity: entity.name,
        before: detail.found.item,
        strings: Object.fromEntries(changes),
      },
      labelOf(detail),
    )
    close()
  }
  return (
    <form
      ref={form}
      class="form"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit(event)
      }}
    >
      {entity.attributes.map((attribute) => {
        const { name, isKey, isKept } = attribute
        const text =
          draft.value[name] !== undefined ? draft.value[name] : (detail.strings[name] ?? null)
        const isChanged = (detail.strings[name] ?? null) !== text
        return (
          <AttributeInput
            key={name}
            attribute={attribute}
            text={text}
            isChanged={isChanged}
            isDisabled={isKey || isKept}
            onText={(next) => (draft.value = { ...draft.value, [name]: next })}
          />
        )
      })}
      <div class="buttons is-sticky">
        <button type="submit" class="button is-main" disabled={changes.length === 0}>
          Stage {countText(changes.length, 'change')}
        </button>
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  )
}

/** The same item in each index, with what is not projected, and what each copy costs. */
function InIndexes({ detail }: { readonly detail: ItemDetail }): JSX.Element {
  const all = Object.keys(detail.found.item)
  return (
    <div class="copies">
      {detail.indexes.map((copy) => (
        <section key={copy.index} class={`copy is-${copy.state}`}>
          <header>
            <strong>{copy.index}</strong>
            <span>
              {copy.state === 'present' &&
                `${bytesText(copy.bytes)} · ${countText(copy.writeUnits, 'write unit')}`}
              {copy.state === 'absent' && 'not in this index'}
              {copy.state === 'missing' && 'missing, though its entity should be here'}
              {copy.state === 'unexpected' && 'here, though its entity should not be'}
            </span>
          </header>
          {copy.hash !== null && (
            <button
              type="button"
              class="link"
              onClick={() =>
                go('data', { index: copy.index, pk: JSON.stringify(hashOf(detail, copy.index)) })
              }
            >
              {visible(copy.hash)}
              {copy.sort !== null && ` / ${visible(copy.sort)}`}
            </button>
          )}
          {copy.state !== 'absent' && copy.state !== 'missing' && (
            <p class="copy-attributes">
              {all.map((name) => (
                <span
                  key={name}
                  class={copy.attributes.includes(name) ? 'is-there' : 'is-left-out'}
                  title={copy.attributes.includes(name) ? undefined : 'not projected'}
                >
                  {visible(name)}
                </span>
              ))}
            </p>
          )}
        </section>
      ))}
    </div>
  )
}

function hashOf({ found }: ItemDetail, index: string): readonly string[] {
  const view = design.value?.indexes.find(({ name }) => name === index)
  return (view?.hash ?? []).map((name) => keyText(found.item[name]))
}

/** What a new item like this starts with. */
function copiedStrings(
  { attributes }: EntityView,
  strings: ItemDetail['strings'],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    attributes.flatMap(({ name, isKept }) => {
      const text = strings[name]
      return isKept || text === undefined ? [] : [[name, text]]
    }),
  )
}

/** Only staged: the review says what goes with it, and asks. */
function stageDelete(detail: ItemDetail): void {
  if (design.value?.isReadOnly) return
  const { entity, item } = detail.found
  if (entity === null || !isReadable(detail)) stageRaw(detail, null)
  else if (entitiesByName.value.get(entity)?.copyOf === null) {
    stage({ kind: 'delete', entity, before: item }, labelOf(detail))
  }
}

function stageRaw(detail: ItemDetail, after: StoredItem | null): void {
  const { entity, item: before } = detail.found
  stage({ kind: 'raw', entity, before, after }, labelOf(detail))
}

/** Whether an entity reads the item. */
function isReadable({ found, problem }: ItemDetail): boolean {
  return (
    problem === null &&
    design.value?.isGuessed !== true &&
    entitiesByName.value.has(found.entity ?? '')
  )
}

function labelOf({ found }: ItemDetail): string {
  const key = inspected.value ?? {}
  return `${found.entity ?? 'item'} ${joinedKey(key, Object.keys(key))}`
}
