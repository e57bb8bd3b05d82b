import type { FoundItem, IndexView } from '../../api/contract.ts'
import { bytesText, countText, valueText, visible } from './format.ts'
import { joinedKey, keyPieces } from './keys.ts'
import { type Picture, plainColour } from './save-drawing.ts'
import { entitiesByName, hueOf } from './studio-state.ts'

/** A picture with more is nobody's to read. */
export const BANDS_ROWS_MAX = 400
const COLUMNS_MAX = 14
const CHARACTER_PX = 7.2
const ROW_PX = 26
const HEAD_PX = 34
const GAP_PX = 18
const EDGE_PX = 20
const CELL_PX_MIN = 60
const CELL_PX_MAX = 240
const SORT_PX_MAX = 380
const FONT = 'system-ui, sans-serif'
const MONO = 'ui-monospace, Menlo, Consolas, monospace'

/** The aggregate view as a picture: a table for each partition, with the columns that it has. */
export function drawBands({
  title,
  items,
  index,
  columns,
  storedName,
}: {
  readonly title: string
  readonly items: readonly FoundItem[]
  readonly index: IndexView
  readonly columns: readonly string[]
  readonly storedName: (entity: string | null, name: string) => string
}): Picture {
  const bands = new Map<string, FoundItem[]>()
  for (const found of items.slice(0, BANDS_ROWS_MAX)) {
    const partition = joinedKey(found.item, index.hash)
    bands.set(partition, [...(bands.get(partition) ?? []), found])
  }
  const colours = readColours()
  const canvas = new Canvas(colours.paper)
  canvas.text(EDGE_PX, EDGE_PX + 16, title, { fill: colours.ink, size: 16, weight: 600 })
  let y = EDGE_PX + 40
  for (const [partition, members] of bands) {
    const textAt = ({ item, entity }: FoundItem, name: string): string => {
      const value = item[storedName(entity, name)]
      return value === undefined ? '' : visible(valueText(value))
    }
    const used = columns
      .filter((name) => members.some((found) => textAt(found, name) !== ''))
      .slice(0, COLUMNS_MAX)
    const sortPx = widthOf(
      members.map(({ item }) => joinedKey(item, index.sort)),
      SORT_PX_MAX,
    )
    const tagPx = widthOf(members.map(({ entity }) => entity ?? 'no entity'))
    const widths = used.map((name) => widthOf([name, ...members.map((each) => textAt(each, name))]))
    const width = widths.reduce((sum, px) => sum + px, sortPx + tagPx)
    const bytes = members.reduce((sum, each) => sum + each.bytes, 0)
    const facts = `${countText(members.length, 'item')} · ${bytesText(bytes)}`
    const key = visible(partition)
    canvas.text(EDGE_PX, y + 16, key, { fill: colours.ink, weight: 650, family: MONO })
    canvas.text(EDGE_PX + key.length * CHARACTER_PX + 16, y + 16, facts, { fill: colours.quiet })
    y += HEAD_PX - 8
    canvas.box(EDGE_PX, y, width, ROW_PX, colours.side, colours.line)
    let x = EDGE_PX + sortPx + tagPx
    canvas.text(EDGE_PX + 10, y + 17, index.sort.join(' · '), { fill: colours.quiet })
    for (const [at, name] of used.entries()) {
      canvas.text(x + 8, y + 17, cut(visible(name), widths[at] ?? 0), { fill: colours.quiet })
      x += widths[at] ?? 0
    }
    y += ROW_PX
    for (const found of members) {
      const entity = entitiesByName.value.get(found.entity ?? '')
      const tag = colours.entity(found.entity)
      canvas.box(EDGE_PX, y, width, ROW_PX, colours.paper, colours.line)
      canvas.box(EDGE_PX, y, 3, ROW_PX, tag.ink)
      let from = EDGE_PX + 10
      let room = Math.floor((sortPx - 14) / CHARACTER_PX)
      for (const { text, look } of keyPieces(found.item, entity, index.name, index.sort)) {
        const shown = text.length > room ? `${text.slice(0, Math.max(0, room - 1))}…` : text
        if (room > 0) {
          const isText = look === 'key-text'
          canvas.text(from, y + 17, shown, {
            fill: isText ? colours.quiet : colours.ink,
            weight: isText ? 400 : 650,
            family: MONO,
          })
        }
        from += shown.length * CHARACTER_PX
        room -= shown.length
      }
      const name = found.entity ?? 'no entity'
      canvas.box(EDGE_PX + sortPx, y + 4, name.length * 7 + 12, ROW_PX - 8, tag.soft)
      canvas.text(EDGE_PX + sortPx + 6, y + 17, name, { fill: tag.ink, weight: 600 })
      let left = EDGE_PX + sortPx + tagPx
      for (const [at, column] of used.entries()) {
        const px = widths[at] ?? 0
        canvas.text(left + 8, y + 17, cut(textAt(found, column), px), { fill: colours.ink })
        left += px
      }
      y += ROW_PX
    }
    y += GAP_PX
    canvas.widen(width + 2 * EDGE_PX)
  }
  return canvas.picture(y)
}

interface TextStyle {
  readonly fill: string
  readonly size?: number
  readonly weight?: number
  readonly family?: string
}

const SVG = 'http://www.w3.org/2000/svg'

/** Values become text nodes, so that none of them is markup in the file. */
class Canvas {
  readonly #root = document.createElementNS(SVG, 'svg')
  readonly #back: Element
  #width = 320

  constructor(paper: string) {
    this.#root.setAttribute('font-family', FONT)
    this.#root.setAttribute('font-size', '12')
    this.#back = this.#add('rect', { fill: paper })
  }

  #add(name: string, attributes: Readonly<Record<string, string | number>>): Element {
    const element = document.createElementNS(SVG, name)
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
    this.#root.append(element)
    return element
  }

  text(x: number, y: number, content: string, style: TextStyle): void {
    const { fill, size, weight, family } = style
    const element = this.#add('text', {
      x,
      y,
      fill,
      'xml:space': 'preserve',
      ...(size && { 'font-size': size }),
      ...(weight && { 'font-weight': weight }),
      ...(family && { 'font-family': family }),
    })
    element.textContent = content
    this.widen(x + content.length * CHARACTER_PX + EDGE_PX)
  }

  box(x: number, y: number, width: number, height: number, fill: string, stroke = 'none'): void {
    this.#add('rect', { x, y, width, height, fill, stroke })
  }

  widen(width: number): void {
    this.#width = Math.max(this.#width, Math.ceil(width))
  }

  picture(height: number): Picture {
    const [width, tall] = [this.#width, Math.ceil(height + EDGE_PX - GAP_PX)]
    for (const element of [this.#root, this.#back]) {
      element.setAttribute('width', String(width))
      element.setAttribute('height', String(tall))
    }
    this.#root.setAttribute('viewBox', `0 0 ${width} ${tall}`)
    return { svg: new XMLSerializer().serializeToString(this.#root), width, height: tall }
  }
}

function widthOf(contents: readonly string[], max = CELL_PX_MAX): number {
  const longest = contents.reduce((most, text) => Math.max(most, text.length), 0)
  return Math.round(Math.max(CELL_PX_MIN, Math.min(max, longest * CHARACTER_PX + 20)))
}

function cut(text: string, px: number): string {
  const room = Math.floor((px - 12) / CHARACTER_PX)
  return text.length > room ? `${text.slice(0, Math.max(0, room - 1))}…` : text
}

/** The colours of the page as it is: light or dark. */
function readColours(): {
  readonly paper: string
  readonly side: string
  readonly line: string
  readonly ink: string
  readonly quiet: string
  readonly entity: (name: string | null) => { readonly ink: string; readonly soft: string }
} {
  const probe = document.createElement('span')
  document.body.append(probe)
  const read = (set: () => void): { readonly ink: string; readonly soft: string } => {
    set()
    const { color, backgroundColor } = getComputedStyle(probe)
    return { ink: plainColour(color), soft: plainColour(backgroundColor) }
  }
  const named = (name: string): string =>
    read(() => {
      probe.style.color = `var(--${name})`
    }).ink
  const base = {
    paper: named('paper'),
    side: named('side'),
    line: named('line'),
    ink: named('ink'),
    quiet: named('quiet'),
  }
  probe.removeAttribute('style')
  const tags = new Map<string | null, { readonly ink: string; readonly soft: string }>()
  for (const name of [null, ...entitiesByName.value.keys()]) {
    const found = read(() => {
      probe.className = name === null ? 'tag tag-unknown' : 'tag'
      probe.style.setProperty('--hue', String(hueOf(name)))
    })
    tags.set(name, found)
  }
  probe.remove()
  const none = { ink: base.quiet, soft: base.side }
  return { ...base, entity: (name) => tags.get(name) ?? none }
}
