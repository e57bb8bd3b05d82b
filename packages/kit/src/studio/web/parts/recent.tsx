import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { visible } from '../state/format.ts'
import { readKept, writeKept } from '../state/kept.ts'
import type { Screen } from '../state/route.ts'
import { design } from '../state/studio-state.ts'

const REMEMBERED_MAX = 20

interface Question {
  readonly label: string
  readonly hash: string
  readonly isStarred: boolean
}

type Questions = { readonly [place: string]: readonly Question[] }

const questions = signal<Questions>(readKept('questions', {}))

function placeOf(screen: Screen): string {
  return `${design.value?.table ?? ''} ${screen}`
}

function keep(place: string, list: readonly Question[]): void {
  const starred = list.filter(({ isStarred }) => isStarred)
  const rest = list.filter(({ isStarred }) => !isStarred)
  questions.value = { ...questions.value, [place]: [...starred, ...rest].slice(0, REMEMBERED_MAX) }
  writeKept('questions', questions.value)
}

/** Remembers the question that this address asks. */
export function remember(screen: Screen, label: string): void {
  const place = placeOf(screen)
  const known = questions.value[place] ?? []
  const { hash } = location
  const isStarred = known.some((each) => each.hash === hash && each.isStarred)
  keep(place, [{ label, hash, isStarred }, ...known.filter((each) => each.hash !== hash)])
}

/** Questions that were asked before, favourites first; the address has all of each. */
export function Recent({ screen }: { readonly screen: Screen }): JSX.Element | null {
  const place = placeOf(screen)
  const list = questions.value[place] ?? []
  if (list.length === 0) return null
  return (
    <details class="menu">
      <summary class="button">Recent</summary>
      <ul class="menu-body is-wide">
        {list.map(({ label, hash, isStarred }) => (
          <li key={hash}>
            <button
              type="button"
              class="quiet-button"
              aria-label={`${isStarred ? 'Remove from' : 'Add to'} favourites: ${label}`}
              aria-pressed={isStarred}
              onClick={() =>
                keep(
                  place,
                  list.map((each) =>
                    each.hash === hash ? { ...each, isStarred: !isStarred } : each,
                  ),
                )
              }
            >
              {isStarred ? '★' : '☆'}
            </button>
            <a class="plain-link" href={hash}>
              {visible(label)}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}
