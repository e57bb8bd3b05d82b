import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Design } from '../../api/contract.ts'
import { go, SCREENS, TITLES } from '../state/route.ts'
import {
  isHelpOpen,
  isPaletteOpen,
  isReviewOpen,
  newItem,
  staged,
  stageUndo,
} from '../state/studio-state.ts'
import { nextTheme } from '../state/theme.ts'
import { Dialog } from './dialog.tsx'

interface Entry {
  readonly kind: string
  readonly text: string
  readonly run: () => void
}

const SHOWN_MAX = 12

/** Finds screens, entities, patterns, indexes, partitions and commands by a few letters. */
export function Palette({ design }: { readonly design: Design }): JSX.Element {
  const typed = useSignal('')
  const chosen = useSignal(0)
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => input.current?.focus(), [])
  const found = entriesOf(design, typed.value)
    .map((entry) => ({ entry, rank: rankOf(entry.text, typed.value) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, SHOWN_MAX)
    .map(({ entry }) => entry)
  const close = (): void => {
    isPaletteOpen.value = false
  }
  const press = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by !== 0) {
      chosen.value = Math.max(0, Math.min(found.length - 1, chosen.value + by))
      event.preventDefault()
    }
    if (event.key === 'Enter') {
      close()
      found[chosen.value]?.run()
      event.preventDefault()
    }
  }
  return (
    <Dialog title="Search or run" close={close}>
      <input
        ref={input}
        class="palette-input"
        type="text"
        spellcheck={false}
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found.length > 0 ? `palette-${chosen.value}` : undefined}
        aria-label="Search"
        placeholder="An entity, a pattern, a partition key…"
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value
          chosen.value = 0
        }}
        onKeyDown={press}
      />
      <ul id="palette-list" class="palette" role="listbox" aria-label="Found">
        {found.map((entry, at) => (
          <li
            key={`${entry.kind} ${entry.text}`}
            id={`palette-${at}`}
            role="option"
            aria-selected={at === chosen.value}
            onClick={() => {
              close()
              entry.run()
            }}
          >
            <span>{entry.text}</span>
            <span class="quiet">{entry.kind}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

const COMMANDS: readonly {
  readonly text: string
  readonly needsWrites?: true
  readonly run: () => void
}[] = [
  { text: 'new item', needsWrites: true, run: () => (newItem.value = { strings: {} }) },
  { text: 'review staged changes', needsWrites: true, run: () => (isReviewOpen.value = true) },
  { text: 'discard staged changes', needsWrites: true, run: () => (staged.value = []) },
  { text: 'stage undo of the last save', needsWrites: true, run: stageUndo },
  { text: 'change theme', run: nextTheme },
  {
    text: 'copy the address of this view',
    run: () => void navigator.clipboard.writeText(location.href),
  },
  { text: 'shortcuts', run: () => (isHelpOpen.value = true) },
]

function entriesOf(design: Design, typed: string): readonly Entry[] {
  const [primary] = design.indexes
  const isKey = typed.trim() !== '' && primary?.hash.length === 1
  return [
    ...SCREENS.map(
      (screen): Entry => ({ kind: 'screen', text: TITLES[screen], run: () => go(screen) }),
    ),
    ...design.patterns.map(
      ({ name }): Entry => ({
        kind: 'pattern',
        text: name,
        run: () => go('patterns', { pattern: name }),
      }),
    ),
    ...design.entities.map(
      ({ name }): Entry => ({
        kind: 'entity',
        text: name,
        run: () => go('data', { entity: name }),
      }),
    ),
    ...design.indexes.map(
      ({ name }): Entry => ({ kind: 'index', text: name, run: () => go('data', { index: name }) }),
    ),
    ...COMMANDS.filter(({ needsWrites }) => !(needsWrites && design.isReadOnly)).map(
      ({ text, run }): Entry => ({ kind: 'command', text, run }),
    ),
    ...(isKey
      ? [
          {
            kind: 'partition',
            text: typed,
            run: () => go('data', { index: primary?.name, pk: JSON.stringify([typed]) }),
          },
        ]
      : []),
  ]
}

/** How well letters fit, the least best; -1 if they are not all there in their order. */
function rankOf(text: string, typed: string): number {
  const [whole, wanted] = [text.toLowerCase(), typed.trim().toLowerCase()]
  if (whole === wanted) return 0
  if (whole.startsWith(wanted)) return 1
  if (whole.includes(wanted)) return 2
  let at = 0
  for (const letter of wanted) {
    at = whole.indexOf(letter, at) + 1
    if (at === 0) return -1
  }
  return 3
}
