import { useLayoutEffect, useRef } from 'preact/hooks'
import { go, type Screen } from './route.ts'
import {
  design,
  inspect,
  inspected,
  isHelpOpen,
  isPaletteOpen,
  isReviewOpen,
  staged,
} from './studio-state.ts'

const GO_TO: { readonly [letter: string]: Screen } = {
  t: 'tables',
  o: 'overview',
  c: 'data',
  p: 'patterns',
  q: 'query',
  d: 'design',
  l: 'lint',
  h: 'heat',
  s: 'stream',
  m: 'migrate',
  i: 'transfer',
}

/** The key that goes with others, as keyboards of this system name it. */
export const COMMAND = /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl '

/** Keys and what they do, for the help. */
export const SHORTCUTS: readonly (readonly [keys: string, meaning: string])[] = [
  [`${COMMAND}K`, 'search, or go anywhere'],
  ['?', 'this help'],
  ['/', 'look for a partition'],
  [
    'g o, c, p, q, d, l, h, s, m, i, t',
    'go to overview, collections, patterns, query, design, lint, heat, stream, migrations, import, tables',
  ],
  ['j, k', 'next and previous row'],
  ['← and →', 'previous and next column; Enter follows a value that names an item'],
  [`${COMMAND}C, c`, 'copy the value with its type, or its text'],
  ['p', 'pin the column'],
  ['⇧←, ⇧→', 'make the column narrower or wider'],
  ['Enter', 'open the item'],
  ['x', 'select the row, or all items of a partition'],
  ['e', 'edit the item'],
  ['n', 'new item'],
  ['Del', 'stage the delete of the item that is open'],
  ['[ and ]', 'previous and next index'],
  ['Space', 'pause the stream, or continue'],
  [`${COMMAND}Enter`, 'run'],
  [`${COMMAND}S`, 'review and save what is staged'],
  ['Esc', 'close'],
]

const SECOND_KEY_MS = 1200

/**
 * Listens to the keys of the page as long as a component is shown. The listener is there as soon as
 * the component is, and is always that of the last drawing: people press keys before the browser
 * has painted.
 */
export function useKeys(press: (event: KeyboardEvent) => void): void {
  const latest = useRef(press)
  latest.current = press
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => latest.current(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

/** Shortcuts of the whole page. */
export function useShortcuts(): void {
  // Times count from when the page was loaded, so that 0 would be a moment ago.
  const lastG = useRef(Number.NEGATIVE_INFINITY)
  useKeys((event) => {
    const isCommand = event.metaKey || event.ctrlKey
    const target = event.target as HTMLElement
    const isTyping = target.matches('input, textarea, select')
    if (isCommand && event.key === 'k') isPaletteOpen.value = !isPaletteOpen.value
    else if (isCommand && event.key === 's' && staged.value.length > 0) isReviewOpen.value = true
    else if (isCommand && event.key === '/') isHelpOpen.value = true
    else if (event.key === 'Escape' && document.querySelector('dialog[open]') === null) {
      if (isTyping) target.blur()
      else if (inspected.value) inspect(undefined)
      return
    } else if (isTyping || isCommand || event.altKey) return
    else if (event.key === '?') isHelpOpen.value = true
    else if (event.key === '/') document.getElementById('filter')?.focus()
    else if (event.key === 'j' || event.key === 'k') enterTable(event)
    else if (event.key === 'g') {
      lastG.current = event.timeStamp
      return
    } else {
      const screen = GO_TO[event.key]
      if (screen === 'tables' && design.peek()?.showsTables !== true) return
      if (screen === undefined || event.timeStamp - lastG.current > SECOND_KEY_MS) return
      lastG.current = Number.NEGATIVE_INFINITY
      go(screen)
    }
    event.preventDefault()
  })
}

/** Rows are reached from anywhere on the screen; inside the table, it listens itself. */
function enterTable(event: KeyboardEvent): void {
  const table = document.querySelector<HTMLElement>('[role="grid"]')
  if (table === null || table === event.target) return
  table.focus()
  table.dispatchEvent(new KeyboardEvent('keydown', { key: event.key }))
}
