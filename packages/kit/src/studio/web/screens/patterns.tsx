import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import type {
  Design,
  Failure,
  InputText,
  InputView,
  PatternAnswer,
  PatternPlanView,
  PatternView,
} from '../../api/contract.ts'
import { CodeBlock, Empty, EntityTag, FailureView, Tabs } from '../parts/basics.tsx'
import { ValueInput } from '../parts/inputs.tsx'
import { PatternList, PatternStatusView, shownPatterns } from '../parts/pattern-list.tsx'
import { Recent, remember } from '../parts/recent.tsx'
import { ReferenceLink } from '../parts/reference-link.tsx'
import { call, failureIn } from '../state/api.ts'
import { countText, dollarsText, visible } from '../state/format.ts'
import { type Loading, useLoad } from '../state/load.ts'
import { readPatternRuns } from '../state/pattern-status.ts'
import { change, route, withTable } from '../state/route.ts'
import { saveFile } from '../state/save-file.ts'
import { COMMAND, useKeys } from '../state/shortcuts.ts'
import { design, entitiesByName, lastSpent } from '../state/studio-state.ts'

/** Access patterns: what each does and costs, and what it gives. */
export function Patterns({ design }: { readonly design: Design }): JSX.Element {
  const name = route.value.parameters.get('pattern')
  useEffect(() => void readPatternRuns(), [design.version])
  const pattern =
    design.patterns.find((each) => each.name === name) ??
    shownPatterns().shown.find(({ pattern }) => pattern.isRunnable)?.pattern ??
    design.patterns.find(({ isRunnable }) => isRunnable) ??
    design.patterns[0]
  if (pattern === undefined) {
    return (
      <div class="screen">
        <Empty title="The schema declares no access patterns.">
          Declare them under `patterns`, and they are listed, run and priced here.
        </Empty>
      </div>
    )
  }
  return (
    <div class="screen is-split">
      <PatternList chosen={pattern.name} />
      <PatternRunner key={pattern.name} pattern={pattern} />
    </div>
  )
}

type Inputs = Readonly<Record<string, InputText>>

function PatternRunner({ pattern }: { readonly pattern: PatternView }): JSX.Element {
  const asked = route.value.parameters.get('input')
  const input = useSignal<Inputs>(readInputs(asked))
  useEffect(() => {
    input.value = readInputs(asked)
  }, [asked])
  const answer = useSignal<PatternAnswer | undefined>(undefined)
  const failure = useSignal<Failure | undefined>(undefined)
  const isBusy = useSignal(false)
  const ran = useRef<string | undefined>(undefined)
  const tab = useSignal<'Plan' | 'Code' | 'Status'>('Plan')
  const run = async (cursor?: string): Promise<void> => {
    isBusy.value = true
    failure.value = undefined
    ran.current = JSON.stringify(input.value)
    change({ pattern: pattern.name, input: ran.current }, false)
    try {
      const request = { pattern: pattern.name, input: input.value }
      const next = await call('/api/pattern', {
        ...request,
        ...(cursor !== undefined && { cursor }),
      })
      lastSpent.value = next.spent
      answer.value = next
      void readPatternRuns()
      remember('patterns', `${pattern.name} ${inputWords(input.value)}`)
    } catch (error) {
      failure.value = failureIn(error)
      answer.value = undefined
    }
    isBusy.value = false
  }
  // What would be sent can be seen before it is.
  const isWhole = pattern.inputs.every(
    ({ name, isRequired }) => !isRequired || (input.value[name] ?? '') !== '',
  )
  const plan = useLoad(
    async () =>
      pattern.isRunnable && isWhole
        ? call('/api/plan', { pattern: pattern.name, input: input.value })
        : undefined,
    [pattern.name, JSON.stringify(input.value)],
  )
  // An address that has the input asks the question; on AWS that is paid for, so only by hand.
  useEffect(() => {
    if (asked === undefined || asked === ran.current) return
    if (pattern.isRunnable && design.value?.isAws === false) void run()
  }, [asked])
  const saveTest = async (): Promise<void> => {
    try {
      const request = { pattern: pattern.name, input: input.value }
      const file = await call('/api/pattern-test', request)
      saveFile(file.name, [file.text], 'text/typescript')
    } catch (error) {
      failure.value = failureIn(error)
    }
  }
  useKeys((event) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey) && pattern.isRunnable) void run()
  })
  return (
    <div class="runner">
      <header class="runner-head">
        <h1>{pattern.title}</h1>
        <p class="lead">
          <code>{pattern.name}</code> · {pattern.op}
          {pattern.index !== null && ` on ${pattern.index}`} ·{' '}
          {pattern.entities.map((entity) => (
            <EntityTag key={entity} name={entity} />
          ))}
        </p>
      </header>
      {pattern.isRunnable ? (
        <form
          class="inputs"
          onSubmit={(event) => {
            event.preventDefault()
            void run()
          }}
        >
          {pattern.inputs.map((each) => (
            <PatternInput
              key={each.name}
              view={each}
              text={input.value[each.name] ?? ''}
              onText={(text) => (input.value = { ...input.value, [each.name]: text })}
            />
          ))}
          <button type="submit" class="button is-main" disabled={isBusy.value}>
            {isBusy.value ? 'Running…' : 'Run'} <kbd>{COMMAND}⏎</kbd>
          </button>
          <Recent screen="patterns" />
        </form>
      ) : (
        <p class="note">
          This pattern{' '}
          {pattern.op === 'none' ? 'is answered elsewhere' : 'writes, or reads by several keys'}; it
          is shown and not run here.
        </p>
      )}
      <div class="runner-parts">
        <section class="results" aria-label="Results">
          {failure.value && <FailureView failure={failure.value} />}
          {!answer.value && !failure.value && (
            <Empty title={pattern.isRunnable ? 'Not run yet.' : 'Nothing to run.'}>
              {pattern.isRunnable
                ? 'Fill in the form and run it: the answer, what it read and what it cost are shown here.'
                : ''}
            </Empty>
          )}
          {answer.value && <Results answer={answer.value} next={(cursor) => void run(cursor)} />}
          {answer.value && (
            <div class="buttons">
              <button type="button" class="button" onClick={() => void saveTest()}>
                Save as test
              </button>
              {(['json', 'csv'] as const).map((format) => (
                <a
                  key={format}
                  class="button"
                  download
                  href={withTable(
                    `/api/export?${new URLSearchParams({
                      format,
                      pattern: pattern.name,
                      input: JSON.stringify(input.value),
                    })}`,
                  )}
                >
                  Export {format === 'csv' ? 'CSV' : 'JSON lines'}
                </a>
              ))}
            </div>
          )}
        </section>
        <section class="plan" aria-label="Plan">
          <Tabs
            names={['Plan', 'Code', 'Status'] as const}
            chosen={tab.value}
            choose={(name) => (tab.value = name)}
            label="About the pattern"
          />
          {tab.value === 'Plan' && <PlanFacts pattern={pattern} answer={answer.value} />}
          {tab.value === 'Code' && <Code plan={plan.value} />}
          {tab.value === 'Status' && <PatternStatusView name={pattern.name} />}
        </section>
      </div>
    </div>
  )
}

function PatternInput({
  view,
  text,
  onText,
}: {
  readonly view: InputView
  readonly text: InputText
  readonly onText: (text: InputText) => void
}): JSX.Element {
  const id = useId()
  const { name, isRequired, kind, input, options } = view
  if (kind === 'range') {
    const bounds = (typeof text === 'object' && !Array.isArray(text) ? text : {}) as Readonly<
      Record<string, string>
    >
    return (
      <fieldset class="input is-range">
        <legend>
          {name}
          {isRequired && ' *'}
        </legend>
        {(['from', 'to', 'beginsWith'] as const).map((bound) => (
          <input
            key={bound}
            type="text"
            spellcheck={false}
            aria-label={`${name} ${bound}`}
            placeholder={
              bound === 'beginsWith'
                ? 'begins with'
                : input === 'date'
                  ? `${bound}, or now-7d`
                  : bound
            }
            value={bounds[bound] ?? ''}
            onInput={(event) => onText({ ...bounds, [bound]: event.currentTarget.value })}
          />
        ))}
      </fieldset>
    )
  }
  const shown = Array.isArray(text) ? text.join(', ') : String(text)
  return (
    <div class="input">
      <label for={id}>
        {name}
        {isRequired && ' *'}
      </label>
      <ValueInput
        id={id}
        input={kind === 'list' ? 'text' : input}
        options={options}
        text={shown}
        placeholder={kind === 'list' ? 'one, two, three' : input === 'date' ? 'now-7d' : ''}
        onText={(next) =>
          onText(kind === 'list' ? (next ?? '').split(/\s*,\s*/).filter(Boolean) : (next ?? ''))
        }
      />
    </div>
  )
}

function Results({
  answer,
  next,
}: {
  readonly answer: PatternAnswer
  readonly next: (cursor: string) => void
}): JSX.Element {
  const { groups, scalar, cursor } = answer
  if (scalar !== null) return <p class="scalar">{scalar}</p>
  if (groups.length === 0)
    return (
      <Empty title="No item answers it.">
        Try other values: the table was asked, and has none.
      </Empty>
    )
  return (
    <>
      {groups.map(({ entity, rows }) => {
        const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
        return (
          <div
            key={entity}
            class="panel is-scroll"
            tabIndex={0}
            role="region"
            aria-label={`Results of ${entity}`}
          >
            <table class="plain">
              <caption>
                <EntityTag name={entity} /> {countText(rows.length, 'result')}
              </caption>
              <thead>
                <tr>
                  {names.map((name) => (
                    <th key={name}>{name}</th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((row, at) => (
                  <tr key={at}>
                    {names.map((name) => (
                      <td key={name} title={row[name]}>
                        <span class="cut">
                          <ResultValue entity={entity} name={name} row={row} />
                        </span>
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      })}
      {cursor !== null && (
        <button type="button" class="button" onClick={() => next(cursor)}>
          Next page
        </button>
      )}
    </>
  )
}

/** A value of a result; a link where it names an item, such as the one it is of. */
function ResultValue({
  entity,
  name,
  row,
}: {
  readonly entity: string
  readonly name: string
  readonly row: { readonly [attribute: string]: string }
}): JSX.Element {
  const attributes = entitiesByName.value.get(entity)?.attributes ?? []
  const text = visible(row[name] ?? '')
  const reference = attributes.find((each) => each.name === name)?.refersTo ?? null
  const keys = attributes.filter(({ isKey }) => isKey).map((each) => each.name)
  // The last attribute of its own key stands for the item itself.
  const own =
    reference === null && keys.at(-1) === name
      ? { entity, by: Object.fromEntries(keys.map((each) => [each, each])) }
      : reference
  if (own === null || row[name] === undefined) return <>{text}</>
  return (
    <ReferenceLink reference={own} strings={row}>
      {text}
    </ReferenceLink>
  )
}

function PlanFacts({
  pattern,
  answer,
}: {
  readonly pattern: PatternView
  readonly answer: PatternAnswer | undefined
}): JSX.Element {
  const rate = useSignal(pattern.rps)
  const units = pattern.readUnits ?? 0
  const factor = pattern.rps && rate.value !== null ? rate.value / pattern.rps : undefined
  const facts: readonly (readonly [string, string | null])[] = [
    ['operation', pattern.op],
    ['index', pattern.index],
    ...pattern.key.map(([name, text]) => [name, text] as const),
    ['filter', pattern.filter],
    ['order', pattern.order],
    ['limit', pattern.limit === null ? null : String(pattern.limit)],
    ['also reads', pattern.alsoReads.join(', ') || null],
    ['incomplete', pattern.incomplete],
    ['requests', String(pattern.requests)],
    [
      'estimate',
      pattern.readUnits === null
        ? null
        : `${countText(units, 'read unit')}, ${countText(pattern.writeUnits ?? 0, 'write unit')}`,
    ],
    [
      'consumed',
      answer
        ? `${countText(answer.spent.units, 'unit')} in ${countText(answer.spent.requests, 'request')}`
        : null,
    ],
    [
      'read',
      answer
        ? `${countText(answer.spent.itemsRead, 'item')}, ${answer.spent.itemsReturned} returned`
        : null,
    ],
  ]
  return (
    <>
      <dl class="facts is-compact">
        {facts
          .filter((fact): fact is readonly [string, string] => fact[1] !== null)
          .map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{text}</code>
              </dd>
            </div>
          ))}
      </dl>
      {pattern.dollarsPerMonth !== null && pattern.rps !== null && (
        <div class="rate">
          <label for="rate">
            {rate.value} calls a second: {dollarsText(pattern.dollarsPerMonth * (factor ?? 1))} a
            month
          </label>
          <input
            id="rate"
            type="range"
            min={0}
            max={Math.max(100, pattern.rps * 10)}
            step={Math.max(pattern.rps / 10, 0.1)}
            value={rate.value ?? 0}
            onInput={(event) => (rate.value = Number(event.currentTarget.value))}
          />
        </div>
      )}
    </>
  )
}

function Code({ plan }: { readonly plan: Loading<PatternPlanView | undefined> }): JSX.Element {
  if (plan.result === undefined) {
    return (
      <p class="note">
        {plan.failure?.what ?? 'Fill in the form to see the call and its request.'}
      </p>
    )
  }
  return (
    <>
      {plan.result.code.map(({ language, text }) => (
        <CodeBlock key={language} label={language} text={text} />
      ))}
    </>
  )
}

/** What was typed, in one line. */
function inputWords(inputs: Inputs): string {
  return Object.values(inputs)
    .flatMap((each) => (typeof each === 'string' ? [each] : Object.values(each)))
    .filter((each) => each !== '')
    .join(', ')
}

function readInputs(text: string | undefined): Inputs {
  try {
    return Object(JSON.parse(text ?? '{}')) as Inputs
  } catch {
    return {}
  }
}
