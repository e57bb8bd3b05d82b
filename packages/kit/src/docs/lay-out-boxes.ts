import type { RelatedEntity, RelationsBlock } from './document.ts'

/** Where an entity is drawn. */
export interface Box {
  readonly entity: RelatedEntity
  /** How many steps it is from what names nothing. */
  readonly layer: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly rowHeight: number
}

export interface Layout {
  readonly boxes: readonly Box[]
  readonly width: number
  readonly height: number
}

const BOX_WIDTH = 216
const ROW_HEIGHT = 20
/** Between columns is room for the longest label. */
const COLUMN_GAP_MIN = 110
const LABEL_CHARACTERS_MAX = 30
const CHARACTER_WIDTH = 6.6
const ROW_GAP = 28
const MARGIN = 12
/** A column is no higher than this; what names nothing and is not named fills up several. */
const COLUMN_BOXES_MAX = 6

/** Puts entities into columns: each to the right of all that it names. */
export function layOutBoxes({ entities, relations }: RelationsBlock): Layout {
  const layers = layersOf(entities, relations)
  const columns: RelatedEntity[][] = []
  for (const entity of entities) {
    const layer = layers.get(entity.name) ?? 0
    const column = columns[layer] ?? []
    columns[layer] = column
    column.push(entity)
  }
  const longest = Math.max(
    0,
    ...relations.map(({ label, average }) => labelOf(label, average).length),
  )
  const gap = Math.max(
    COLUMN_GAP_MIN,
    Math.round(Math.min(longest, LABEL_CHARACTERS_MAX) * CHARACTER_WIDTH) + 56,
  )
  const order = new Map<string, number>()
  const boxes: Box[] = []
  let x = MARGIN
  let bottom = 0
  let drawn = 0
  for (const column of columns) {
    if (column === undefined) continue
    // Near those they name, so that fewer lines cross.
    const wanted = (entity: RelatedEntity): number => {
      const parents = relations.filter(
        (each) => each.child === entity.name && order.has(each.parent),
      )
      const sum = parents.reduce((total, each) => total + (order.get(each.parent) ?? 0), 0)
      return parents.length === 0 ? Number.POSITIVE_INFINITY : sum / parents.length
    }
    const sorted = [...column].sort((a, b) => compareNumbers(wanted(a), wanted(b)))
    for (let first = 0; first < sorted.length; first += COLUMN_BOXES_MAX) {
      let y = MARGIN
      for (const entity of sorted.slice(first, first + COLUMN_BOXES_MAX)) {
        const height = ROW_HEIGHT * (entity.attributes.length + 1.5) + 10
        order.set(entity.name, y + height / 2)
        boxes.push({ entity, layer: drawn, x, y, width: BOX_WIDTH, height, rowHeight: ROW_HEIGHT })
        y += height + ROW_GAP
      }
      bottom = Math.max(bottom, y - ROW_GAP)
      x += BOX_WIDTH + gap
      drawn++
    }
  }
  return { boxes, width: x - gap + sideRoom(boxes, relations) + MARGIN, height: bottom + MARGIN }
}

/** What stands at the line of a relation. */
export function labelOf(label: string, average: number | undefined): string {
  return average === undefined ? label : `${label} · about ${average}`
}

function compareNumbers(a: number, b: number): number {
  // Two that are infinite have no difference.
  return a === b ? 0 : a - b
}

/** Lines that go around on the right need room there. */
function sideRoom(boxes: readonly Box[], relations: RelationsBlock['relations']): number {
  const layer = new Map(boxes.map((box) => [box.entity.name, box.layer]))
  const goesBack = relations.some(
    ({ parent, child }) => (layer.get(child) ?? 0) <= (layer.get(parent) ?? 0),
  )
  return goesBack ? 150 : 0
}

/** The longest way from what names nothing; circles are cut where they close. */
function layersOf(
  entities: readonly RelatedEntity[],
  relations: RelationsBlock['relations'],
): ReadonlyMap<string, number> {
  const layers = new Map(entities.map(({ name }) => [name, 0]))
  // As many rounds as there can be steps: what has not come to rest then goes in circles.
  for (let round = 0; round < Math.min(entities.length, ROUNDS_MAX); round++) {
    let isChanged = false
    for (const { parent, child } of relations) {
      const [above, below] = [layers.get(parent), layers.get(child)]
      if (above === undefined || below === undefined || parent === child) continue
      if (below > above || above + 1 >= entities.length) continue
      layers.set(child, above + 1)
      isChanged = true
    }
    if (!isChanged) break
  }
  return layers
}

const ROUNDS_MAX = 50
