import type { ShownPiece } from '../state/keys.ts'

/** The id of the line that the keyboard is at. */
export const CHOSEN_ID = 'chosen-line'
const OUT_OF_SIGHT_PX = -1000

/** An empty text is not laid out, so that to fill it takes much longer than to change it. */
export const BLANK = '\u00a0'

/** An element with one text, which is written only if it differs. */
export class TextPart {
  readonly element: HTMLElement
  readonly #node = document.createTextNode(BLANK)
  #text = BLANK
  #look: string

  constructor(name: string, look: string, role?: string) {
    this.element = make(name, look, role)
    this.element.append(this.#node)
    this.#look = look
  }

  write(text: string, look: string): void {
    const shown = text || BLANK
    if (shown !== this.#text) {
      this.#node.data = shown
      this.#text = shown
    }
    if (look !== this.#look) {
      this.element.className = look
      this.#look = look
    }
  }
}

/**
 * The element of a line in sight. When its line leaves, it is used for another one: only what
 * differs is written. Markup is never parsed, so that items can contain any text.
 */
export abstract class LineSlot {
  readonly element: HTMLElement
  readonly key: HTMLElement = make('span', 'key')
  readonly #parts: TextPart[] = []
  #pieces: readonly ShownPiece[] = []
  #top: number | undefined
  #isChosen = false
  #explained: HTMLElement | undefined

  constructor(name: string) {
    this.element = make('div', name, 'row')
  }

  move(at: number, top: number, isChosen: boolean): void {
    if (top !== this.#top) {
      this.element.style.transform = `translateY(${top}px)`
      this.element.ariaRowIndex = String(at + 2)
      this.#top = top
    }
    if (isChosen === this.#isChosen) return
    this.#isChosen = isChosen
    this.element.classList.toggle('is-chosen', isChosen)
    if (isChosen) this.element.id = CHOSEN_ID
    else this.element.removeAttribute('id')
  }

  /** Out of sight: to hide it would compute the style of all that is in it. */
  hide(): void {
    if (this.#top !== OUT_OF_SIGHT_PX) this.move(0, OUT_OF_SIGHT_PX, false)
  }

  /** Titles are written when somebody points at a cell: nobody reads thousands of them. */
  explain(target: HTMLElement): void {
    const at = this.#parts.findIndex(({ element }) => element === target)
    const title = this.#pieces[at]?.title ?? this.titleOf(target)
    if (title === undefined) return
    target.title = title
    this.#explained = target
  }

  protected titleOf(_target: HTMLElement): string | undefined {
    return undefined
  }

  protected writeKey(pieces: readonly ShownPiece[]): void {
    this.#explained?.removeAttribute('title')
    this.#explained = undefined
    this.#pieces = pieces
    for (let at = 0; at < pieces.length; at++) {
      const piece = pieces[at] as ShownPiece
      let part = this.#parts[at]
      if (part === undefined) {
        part = new TextPart('span', piece.look)
        this.#parts.push(part)
        this.key.append(part.element)
      }
      part.write(piece.text, piece.look)
    }
    while (this.#parts.length > pieces.length) this.#parts.pop()?.element.remove()
  }
}

export function make(name: string, className: string, role?: string): HTMLElement {
  const element = document.createElement(name)
  element.className = className
  if (role !== undefined) element.role = role
  return element
}
