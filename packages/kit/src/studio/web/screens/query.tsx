import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Design, Failure, Page, SortCondition } from '../../api/contract.ts'
import { Empty, FailureView } from '../parts/basics.tsx'
import { Filters, readFilters } from '../parts/filters.tsx'
import { ItemTable } from '../parts/item-table.tsx'
import { Recent, remember } from '../parts/recent.tsx'
import { call, failureIn } from '../state/api.ts'
import { countText } from '../state/format.ts'
import { splitKey, templateText } from '../state/keys.ts'
import { useLoad } from '../state/load.ts'
import { change, hashOf, route } from '../state/route.ts'
import { lastSpent } from '../state/studio-state.ts'

const OPERATORS: readonly SortCondition['op'][] = [
  '=',
  'begins_with',
  'between',
  '<',
  '<=',
  '>',
  '>=',
]
const PAGE_ITEMS = 200

/** Questions that no pattern declares: a partition of an index, all of an index, or a SELECT. */
export function Query({ design }: { readonly design: Design }): JSX.Element {
  const { parameters } = route.value
  const index =
    design.indexes.find(({ name }) => name === parameters.get('index')) ?? design.indexes[0]
  const kind = parameters.get('kind') ?? 'query'
  const page = useSignal<Page | undefined>(undefined)
  const failure = useSignal<Failure | undefined>(undefined)
  const isBusy = useSignal(false)
  const isSure = useSignal(false)
  const text = (name: string): string => parameters.get(name) ?? ''
  const set = (name: string, value: string): void => change({ [name]: value }, false)
  const op = OPERATORS.find((each) => each === parameters.get('op'))
  const filters = readFilters(text('filters'))
  const hash = (index?.hash ?? []).map((_, at) => text(`pk${at}`))
  const served = design.patterns.filter(
    (pattern) =>
      pattern.op === 'Query' &&
      pattern.index === index?.name &&
      isServed(design, pattern.name, hash[0] ?? ''),
  )
  const run = async (cursor?: string): Promise<void> => {
    isBusy.value = true
    failure.value = undefined
    const given = filters.filter(({ attribute }) => attribute !== '')
    const shared = {
      limit: PAGE_ITEMS,
      ...(given.length > 0 && { filters: given }),
      ...(cursor !== undefined && { cursor }),
    }
    const values = op === 'between' ? [text('sk'), text('sk2')] : [text('sk')]
    const sort = op && text('sk') !== '' ? { op, values } : undefined
    try {
      const next =
        kind === 'statement'
          ? await call('/api/statement', { ...shared, statement: text('statement') })
          : kind === 'scan'
            ? await call('/api/scan', { ...shared, index: index?.name ?? '' })
            : await call('/api/query', {
                ...shared,
                index: index?.name ?? '',
                hash,
                ...(sort && { sort }),
                isReversed: text('desc') === '1',
              })
      lastSpent.value = next.spent
      remember(
        'query',
        kind === 'statement'
          ? text('statement')
          : `${kind} ${index?.name} ${hash.join(' · ')} ${sort ? `${sort.op} ${sort.values.join(' … ')}` : ''}`,
      )
      page.value =
        cursor === undefined
          ? next
          : { ...next, items: [...(page.value?.items ?? []), ...next.items] }
    } catch (error) {
      failure.value = failureIn(error)
      page.value = undefined
    }
    isBusy.value = false
  }
  // An address that has a question asks it; on AWS that is paid for, so only by hand.
  useEffect(() => {
    const isAsked =
      kind === 'statement' ? text('statement') !== '' : kind === 'query' && hash.some(Boolean)
    if (isAsked && !design.isAws) void run()
  }, [])
  const size = useLoad(
    async () =>
      kind === 'scan' && design.isAws ? (await call('/api/overview')).sizeBytes : undefined,
    [kind],
  )
  const needsConsent = kind === 'scan' && design.isAws && !isSure.value
  return (
    <div class="screen is-full">
      <h1 class="unseen">Query</h1>
      <form
        class="lab"
        onSubmit={(event) => {
          event.preventDefault()
          if (!needsConsent) void run()
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
            event.currentTarget.requestSubmit()
            event.preventDefault()
          }
        }}
      >
        <div class="choices" role="group" aria-label="Kind of question">
          {(['query', 'scan', 'statement'] as const).map((each) => (
            <button
              key={each}
              type="button"
              class="choice"
              aria-pressed={kind === each}
              onClick={() => set('kind', each)}
            >
              {each === 'query' ? 'Query' : each === 'scan' ? 'Scan' : 'PartiQL'}
            </button>
          ))}
        </div>
        {kind !== 'statement' && (
          <div class="input">
            <label for="lab-index">index</label>
            <select
              id="lab-index"
              value={index?.name}
              onChange={(event) => set('index', event.currentTarget.value)}
            >
              {design.indexes.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </div>
        )}
        {kind === 'query' && (
          <>
            {(index?.hash ?? []).map((name, at) => (
              <div class="input" key={name}>
                <label for={`lab-pk${at}`}>{name}</label>
                <input
                  id={`lab-pk${at}`}
                  type="text"
                  spellcheck={false}
                  list="lab-templates"
                  value={text(`pk${at}`)}
                  onInput={(event) => set(`pk${at}`, event.currentTarget.value)}
                />
              </div>
            ))}
            <datalist id="lab-templates">
              {[
                ...new Set(
                  design.entities.flatMap(({ indexes }) =>
                    indexes
                      .filter((each) => each.index === index?.name)
                      .map(({ hash: [part] }) => (part ? templateText(part.segments) : '')),
                  ),
                ),
              ].map((each) => (
                <option key={each} value={each} />
              ))}
            </datalist>
            {(index?.sort.length ?? 0) > 0 && (
              <>
                <div class="input is-narrow">
                  <label for="lab-op">{index?.sort[0]}</label>
                  <select
                    id="lab-op"
                    value={op ?? ''}
                    onChange={(event) => set('op', event.currentTarget.value)}
                  >
                    <option value="">any</option>
                    {OPERATORS.map((each) => (
                      <option key={each} value={each}>
                        {each}
                      </option>
                    ))}
                  </select>
                </div>
                {op && (
                  <div class="input">
                    <label for="lab-sk">value</label>
                    <input
                      id="lab-sk"
                      type="text"
                      spellcheck={false}
                      value={text('sk')}
                      onInput={(event) => set('sk', event.currentTarget.value)}
                    />
                  </div>
                )}
                {op === 'between' && (
                  <div class="input">
                    <label for="lab-sk2">and</label>
                    <input
                      id="lab-sk2"
                      type="text"
                      spellcheck={false}
                      value={text('sk2')}
                      onInput={(event) => set('sk2', event.currentTarget.value)}
                    />
                  </div>
                )}
              </>
            )}
            <label class="check">
              <input
                type="checkbox"
                checked={text('desc') === '1'}
                onChange={(event) => set('desc', event.currentTarget.checked ? '1' : '')}
              />{' '}
              descending
            </label>
          </>
        )}
        {kind !== 'statement' && (
          <Filters
            design={design}
            filters={filters}
            set={(next) => set('filters', next.length === 0 ? '' : JSON.stringify(next))}
          />
        )}
        {kind === 'statement' && (
          <div class="input is-wide">
            <label for="lab-statement">statement</label>
            <textarea
              id="lab-statement"
              rows={2}
              spellcheck={false}
              placeholder={`SELECT * FROM "${design.table}" WHERE pk = '…'`}
              value={text('statement')}
              onInput={(event) => set('statement', event.currentTarget.value)}
            />
          </div>
        )}
        {needsConsent && (
          <label class="check">
            <input
              type="checkbox"
              checked={isSure.value}
              onChange={(event) => (isSure.value = event.currentTarget.checked)}
            />{' '}
            read the table page by page, and pay for it
            {size.value.result !== undefined &&
              `: all of it is about ${countText(Math.ceil(size.value.result / 8192), 'read unit')}`}
          </label>
        )}
        <button type="submit" class="button is-main" disabled={isBusy.value || needsConsent}>
          Run
        </button>
        <Recent screen="query" />
      </form>
      {kind === 'query' && hash.some(Boolean) && (
        <p class="note">
          {served.length > 0
            ? 'Patterns with such a key: '
            : 'No access pattern asks this. If your application will, declare one: '}
          {served.map(({ name }) => (
            <a key={name} class="spaced" href={hashOf('patterns', { pattern: name })}>
              {name}
            </a>
          ))}
          {served.length === 0 && (
            <code>{`patterns: { name: { op: 'query', entity: …, by: […]${index?.type === 'primary' ? '' : `, index: '${index?.name}'`} } }`}</code>
          )}
        </p>
      )}
      {failure.value && <FailureView failure={failure.value} />}
      {!page.value && !failure.value && (
        <Empty title="Ask a question.">
          A query reads one partition of an index; a scan reads all of it.
        </Empty>
      )}
      {page.value && page.value.items.length === 0 && <Empty title="No item answers it." />}
      {page.value && page.value.items.length > 0 && (
        <ItemTable
          items={page.value.items}
          index={kind === 'statement' ? 'primary' : (index?.name ?? 'primary')}
          more={
            page.value.cursor === null || isBusy.value
              ? undefined
              : () => void run(page.value?.cursor ?? undefined)
          }
        />
      )}
    </div>
  )
}

/** Whether a pattern asks for such a partition key. */
function isServed(design: Design, name: string, text: string): boolean {
  const pattern = design.patterns.find((each) => each.name === name)
  if (text === '' || pattern === undefined) return false
  return pattern.entities.some((entity) => {
    const use = design.entities
      .find((each) => each.name === entity)
      ?.indexes.find((each) => each.index === pattern.index)
    const [part] = use?.hash ?? []
    return part !== undefined && splitKey(text, part.segments).length === part.segments.length
  })
}
