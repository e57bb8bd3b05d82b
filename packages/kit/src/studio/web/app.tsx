import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import type { Design as DesignData, Failure } from '../api/contract.ts'
import { FailureView, Skeleton } from './parts/basics.tsx'
import { HelpSheet } from './parts/help-sheet.tsx'
import { Inspector } from './parts/inspector.tsx'
import { NewItem } from './parts/new-item.tsx'
import { Palette } from './parts/palette.tsx'
import { Review } from './parts/review.tsx'
import { Data } from './screens/data.tsx'
import { Design } from './screens/design.tsx'
import { Heat } from './screens/heat.tsx'
import { Lint } from './screens/lint.tsx'
import { Migrate } from './screens/migrate.tsx'
import { Overview } from './screens/overview.tsx'
import { Patterns } from './screens/patterns.tsx'
import { Query } from './screens/query.tsx'
import { Stream } from './screens/stream.tsx'
import { Tables } from './screens/tables.tsx'
import { Transfer } from './screens/transfer.tsx'
import { call, failureIn } from './state/api.ts'
import { countText, durationText, visible } from './state/format.ts'
import { hashOf, route, SCREENS, type Screen, TITLES } from './state/route.ts'
import { COMMAND, useShortcuts } from './state/shortcuts.ts'
import {
  dataVersion,
  design,
  endpointState,
  inspected,
  isHelpOpen,
  isOffline,
  isPaletteOpen,
  isReviewOpen,
  lastSpent,
  newItem,
  staged,
  stageUndo,
  undoable,
} from './state/studio-state.ts'
import { nextTheme, theme } from './state/theme.ts'

/** The page: the menu on the left, the screen, the item on the right, what it cost below. */
export function App({ failed }: { readonly failed: Failure | undefined }): JSX.Element {
  const failure = useSignal(failed)
  useShortcuts()
  const shown = design.value
  const table = route.value.parameters.get('table')
  useEffect(() => {
    const before = design.peek()
    if (before === undefined || isOf(before, table)) return
    staged.value = []
    undoable.value = []
    lastSpent.value = undefined
    void call('/api/design').then(
      (next) => {
        design.value = next
        // Screens read again what they show.
        dataVersion.value++
      },
      (error: unknown) => {
        failure.value = failureIn(error)
      },
    )
  }, [table])
  const isStaged = staged.value.length > 0
  useLayoutEffect(() => {
    if (!isStaged) return undefined
    // The browser asks before it leaves the page, which would forget what is staged.
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isStaged])
  useEffect(() => {
    document.title = shown ? `${TITLES[route.value.screen]} · ${shown.table}` : 'singletable studio'
  }, [shown?.table, route.value.screen])
  useEffect(() => {
    document.querySelector('.main')?.scrollTo(0, 0)
    // A dialog belongs to the screen it was opened on.
    isReviewOpen.value = false
    newItem.value = undefined
    lastSpent.value = undefined
  }, [route.value.screen])
  if (failure.value) {
    return (
      <main class="screen">
        <FailureView failure={failure.value} />
      </main>
    )
  }
  if (shown === undefined) return <Skeleton rows={12} />
  return (
    <div class={`shell${inspected.value ? ' has-inspector' : ''}`}>
      <TopBar design={shown} />
      <nav class="nav" aria-label="Screens">
        {SCREENS.filter((screen) => screen !== 'tables' || shown.showsTables).map((screen) => (
          <a
            key={screen}
            href={hashOf(screen)}
            aria-current={route.value.screen === screen ? 'page' : undefined}
          >
            <span>{TITLES[screen]}</span>
            {screen === 'lint' && findingCount(shown) > 0 && (
              <span class="count">{findingCount(shown)}</span>
            )}
          </a>
        ))}
      </nav>
      <main class="main" tabIndex={-1}>
        {isOffline.value && (
          <p class="banner is-bad">
            The studio does not answer. Is it still running in its terminal?
          </p>
        )}
        {shown.broken && <FailureView failure={shown.broken} />}
        {route.value.unknown !== undefined && (
          <p class="banner">
            There is no screen "{visible(route.value.unknown)}". This is the overview.
          </p>
        )}
        {isOf(shown, table) ? (
          <CurrentScreen screen={route.value.screen} design={shown} />
        ) : (
          <Skeleton rows={12} />
        )}
      </main>
      <Inspector />
      <StatusBar />
      {isPaletteOpen.value && <Palette design={shown} />}
      {isHelpOpen.value && <HelpSheet />}
      {isReviewOpen.value && <Review />}
      {newItem.value && <NewItem design={shown} draft={newItem.value} />}
    </div>
  )
}

/** Whether a design is that of the table in the address: it comes after the address has changed. */
function isOf(design: DesignData, table: string | undefined): boolean {
  return table === undefined ? !design.isOther : design.table === table
}

/** Screens that show patterns or findings, which come after the rest of the design. */
const NEEDS_ALL: ReadonlySet<Screen> = new Set<Screen>(['patterns', 'query', 'design', 'lint'])

function CurrentScreen({
  screen,
  design,
}: {
  readonly screen: Screen
  readonly design: DesignData
}): JSX.Element {
  if (design.isPartial && NEEDS_ALL.has(screen)) return <Skeleton rows={12} />
  switch (screen) {
    case 'tables':
      return <Tables design={design} />
    case 'data':
      return <Data design={design} />
    case 'patterns':
      return <Patterns design={design} />
    case 'query':
      return <Query design={design} />
    case 'design':
      return <Design design={design} />
    case 'lint':
      return <Lint design={design} />
    case 'heat':
      return <Heat design={design} />
    case 'stream':
      return <Stream design={design} />
    case 'migrate':
      return <Migrate design={design} />
    case 'transfer':
      return <Transfer design={design} />
    default:
      return <Overview design={design} />
  }
}

function TopBar({ design }: { readonly design: DesignData }): JSX.Element {
  const isDangerous = design.isAws && !design.isReadOnly
  return (
    <header class={`top${design.isAws ? ' is-aws' : ''}`}>
      <a class="brand" href={hashOf(design.showsTables ? 'tables' : 'overview')}>
        <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
          <rect width="16" height="16" rx="4" fill="currentColor" />
          <path
            d="M4 5h8M4 8h8M4 11h5"
            stroke="var(--paper)"
            stroke-width="1.6"
            stroke-linecap="round"
          />
        </svg>
        {design.table}
      </a>
      <button type="button" class="search" onClick={() => (isPaletteOpen.value = true)}>
        <span>Search or run…</span>
        <kbd>{COMMAND}K</kbd>
      </button>
      <span class="place" title={design.schemaFile}>
        <EndpointDot />
        {design.place}
        {design.isGuessed && <span class="mode-quiet">guessed schema</span>}
        {design.isReadOnly && <strong class="mode">read-only</strong>}
        {isDangerous && <strong class="mode is-bad">writes allowed</strong>}
      </span>
    </header>
  )
}

/** What is known of the endpoint: nothing asks it but the reader. */
function EndpointDot(): JSX.Element {
  const state = isOffline.value ? 'silent' : endpointState.value
  return (
    <>
      <span class={`dot is-${state}`} />
      {state === 'silent' && <strong class="mode is-bad">no answer from</strong>}
      {state === 'waiting' && <strong class="mode">waiting for</strong>}
    </>
  )
}

/** What the last action cost, and what waits to be saved. */
function StatusBar(): JSX.Element {
  const spent = lastSpent.value
  return (
    <footer class="status">
      {staged.value.length > 0 ? (
        <span class="staged">
          <strong>{countText(staged.value.length, 'staged change')}</strong>
          <button
            type="button"
            class="button is-main is-small"
            onClick={() => (isReviewOpen.value = true)}
          >
            Review
          </button>
          <button type="button" class="button is-small" onClick={() => (staged.value = [])}>
            Discard
          </button>
        </span>
      ) : undoable.value.length > 0 ? (
        <span class="staged">
          <span>{countText(undoable.value.length, 'change')} saved</span>
          <button
            type="button"
            class="button is-small"
            onClick={() => {
              stageUndo()
              isReviewOpen.value = true
            }}
          >
            Undo
          </button>
        </span>
      ) : (
        <span class="quiet">
          <kbd>?</kbd> shortcuts
        </span>
      )}
      <button type="button" class="quiet-button status-theme" onClick={nextTheme}>
        Theme: {theme.value}
      </button>
      <span class="spent" role="status" aria-label="Cost of the last action">
        {spent &&
          [
            countText(spent.units, 'unit'),
            `${countText(spent.itemsRead, 'item')} read`,
            `${spent.itemsReturned} returned`,
            durationText(spent.ms),
            ...(spent.index === null ? [] : [spent.index]),
          ].join(' · ')}
      </span>
    </footer>
  )
}

function findingCount({ findings }: DesignData): number {
  return findings.filter(({ severity }) => severity !== 'info').length
}
