import { Graph, layout } from '@dagrejs/dagre'
import type { RelatedEntity, RelationsBlock } from './document.ts'
import type { Relation } from './relations.ts'

export interface Place {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Where an entity is drawn. */
export interface Box extends Place {
  readonly entity: RelatedEntity
}

/** A horizontal segment of a line; curves connect the segments. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly y: number
}

/**
 * Where a relation is drawn: the first segment starts at the parent, the last one ends at the
 * child.
 */
export interface Line {
  readonly relation: Relation
  readonly stretches: readonly Stretch[]
  readonly label: Place & { readonly text: string; readonly charactersMax: number }
}

export interface Layout {
  readonly boxes: readonly Box[]
  readonly lines: readonly Line[]
  readonly width: number
  readonly height: number
}

export const ROW_HEIGHT = 20
const BOX_WIDTH = 216
const LABEL_CHARACTERS_MAX = 30
/**
 * The width of wide characters in the font of labels; a longer label is shortened, not drawn over
 * others.
 */
const CHARACTER_WIDTH = 7
const LABEL_HEIGHT = 32
const MARGIN = 12
const ROW_GAP = 28
/**
 * Between a column of boxes and the column of labels next to it; lines bend here and nowhere else.
 */
const BEND_WIDTH = 44
/** Straight ends of lines, with room for the signs of one and many. */
const END_WIDTH = 18
/** Below a box, for each relation of an entity with itself; their lines share the same ends. */
const LOOP_HEIGHT = 44
const LOOP_INSET = 12
const LOOP_CHARACTERS_MAX = Math.floor((BOX_WIDTH - 2 * LOOP_INSET) / CHARACTER_WIDTH)
/** Entities without relations fill rows of this many. */
const ROW_BOXES_MAX = 4

/**
 * Places entities in columns, with lines and labels between them. Lines are horizontal next to
 * boxes and labels and bend only between their columns, so that they cross neither.
 */
export function layOutRelations({ entities, relations }: RelationsBlock): Layout {
  const named = new Set(relations.flatMap(({ parent, child }) => [parent, child]))
  const related = entities.filter(({ name }) => named.has(name))
  const drawn = layOutRelated(related, relations)
  const boxes = [...drawn.boxes]
  let { width, height } = drawn
  const alone = entities.filter(({ name }) => !named.has(name))
  for (let first = 0; first < alone.length; first += ROW_BOXES_MAX) {
    const y = height === 0 ? MARGIN : height + ROW_GAP
    for (const [at, entity] of alone.slice(first, first + ROW_BOXES_MAX).entries()) {
      const x = MARGIN + at * (BOX_WIDTH + ROW_GAP)
      boxes.push({ entity, x, y, width: BOX_WIDTH, height: boxHeight(entity) })
      width = Math.max(width, x + BOX_WIDTH)
      height = Math.max(height, y + boxHeight(entity))
    }
  }
  return { boxes, lines: drawn.lines, width: width + MARGIN, height: height + MARGIN }
}

function layOutRelated(entities: readonly RelatedEntity[], relations: readonly Relation[]): Layout {
  const between = relations.filter(({ parent, child }) => parent !== child)
  const loops = new Map(
    entities.map(({ name }) => [
      name,
      relations.filter(({ parent, child }) => parent === name && child === name),
    ]),
  )
  const graph = new Graph({ multigraph: true })
  graph.setGraph({
    rankdir: 'LR',
    ranksep: 2 * BEND_WIDTH,
    nodesep: ROW_GAP,
    edgesep: ROW_GAP,
    marginx: MARGIN,
    marginy: MARGIN,
  })
  for (const entity of entities) {
    const height = boxHeight(entity) + (loops.get(entity.name)?.length ?? 0) * LOOP_HEIGHT
    graph.setNode(entity.name, { width: BOX_WIDTH, height })
  }
  for (const [at, relation] of between.entries()) {
    const size = { width: labelWidth(relation), height: LABEL_HEIGHT, labelpos: 'c' as const }
    graph.setEdge(relation.parent, relation.child, size, String(at))
  }
  if (entities.length > 0) layout(graph)

  const boxes = entities.map((entity): Box => {
    const { x = 0, y = 0, height = 0 } = graph.node(entity.name)
    const [left, top] = [Math.round(x - BOX_WIDTH / 2), Math.round(y - height / 2)]
    return { entity, x: left, y: top, width: BOX_WIDTH, height: boxHeight(entity) }
  })
  const places = new Map(boxes.map((box) => [box.entity.name, box]))
  const routes = between.map((relation, at) => {
    const edge = graph.edge(relation.parent, relation.child, String(at))
    // Without its ends, which are placed at the sides of the boxes.
    return { relation, x: edge.x ?? 0, y: edge.y ?? 0, points: edge.points?.slice(1, -1) ?? [] }
  })
  const columns = columnsOf(boxes, routes)
  const lines = routes.map((route): Line => {
    const { relation, x, y } = route
    return {
      relation,
      stretches: stretchesOf(route, routes, places, columns),
      // Above its own line, which is in the middle of its space.
      label: labelPlace(relation, x, y - LABEL_HEIGHT / 4),
    }
  })
  const loopLines = [...loops].flatMap(([name, own]) => {
    const box = places.get(name)
    return box ? own.map((relation, at) => loopLine(relation, box, at)) : []
  })
  const { width = 0, height = 0 } = graph.graph()
  return {
    boxes,
    lines: [...lines, ...loopLines],
    width: Math.max(0, width - MARGIN),
    height: Math.max(0, height - MARGIN),
  }
}

interface Route {
  readonly relation: Relation
  /** The middle of its label. */
  readonly x: number
  readonly y: number
  /** One for each column that it goes through. */
  readonly points: readonly { readonly x: number; readonly y: number }[]
}

/** How far a column of boxes or labels reaches to each side of its middle. */
function columnsOf(boxes: readonly Box[], routes: readonly Route[]): ReadonlyMap<number, number> {
  const reach = new Map<number, number>()
  const add = (x: number, width: number): void => {
    reach.set(Math.round(x), Math.max(reach.get(Math.round(x)) ?? 0, width / 2))
  }
  for (const { x, width } of boxes) add(x + width / 2, width)
  for (const { x, relation } of routes) add(x, labelWidth(relation))
  return reach
}

function stretchesOf(
  route: Route,
  all: readonly Route[],
  places: ReadonlyMap<string, Box>,
  columns: ReadonlyMap<number, number>,
): readonly Stretch[] {
  const { relation, points } = route
  const [from, to] = [places.get(relation.parent), places.get(relation.child)]
  if (from === undefined || to === undefined) return []
  // A circle of relations has lines that run back, from right to left.
  const direction = to.x > from.x ? 1 : -1
  const sideOf = (box: Box, side: number): number => (side > 0 ? box.x + box.width : box.x)
  const start = sideOf(from, direction)
  const end = sideOf(to, -direction)
  return [
    { from: start, to: start + direction * END_WIDTH, y: portOf(route, all, from, places) },
    ...points.map(({ x, y }): Stretch => {
      const reach = direction * (columns.get(Math.round(x)) ?? 0)
      return { from: Math.round(x - reach), to: Math.round(x + reach), y: Math.round(y) }
    }),
    { from: end - direction * END_WIDTH, to: end, y: portOf(route, all, to, places) },
  ]
}

/** Lines that end at one side of a box share it, in the order in which they arrive. */
function portOf(
  route: Route,
  all: readonly Route[],
  box: Box,
  places: ReadonlyMap<string, Box>,
): number {
  const { name } = box.entity
  const isRight = ({ relation: { parent, child } }: Route): boolean =>
    (places.get(parent === name ? child : parent)?.x ?? 0) > box.x
  const nextY = ({ relation, points, y }: Route): number =>
    (relation.parent === name ? points[0] : points.at(-1))?.y ?? y
  const sharing = all
    .filter(
      (each) =>
        (each.relation.parent === name || each.relation.child === name) &&
        isRight(each) === isRight(route),
    )
    .sort((a, b) => nextY(a) - nextY(b))
  const at = sharing.indexOf(route)
  return Math.round(box.y + (box.height * (at + 1)) / (sharing.length + 1))
}

/** Along the lower edge of the box, in the space below it. */
function loopLine(relation: Relation, box: Box, at: number): Line {
  const y = box.y + box.height + (at + 1) * LOOP_HEIGHT - 16
  const stretches = [{ from: box.x + LOOP_INSET, to: box.x + box.width - LOOP_INSET, y }]
  const middle = box.x + box.width / 2
  return { relation, stretches, label: labelPlace(relation, middle, y - 10, LOOP_CHARACTERS_MAX) }
}

function boxHeight({ attributes }: RelatedEntity): number {
  return ROW_HEIGHT * (attributes.length + 1.5) + 14
}

function labelText({ label, average }: Relation): string {
  return average === undefined ? label : `${label} · about ${average}`
}

function labelWidth(relation: Relation, charactersMax = LABEL_CHARACTERS_MAX): number {
  return Math.min([...labelText(relation)].length, charactersMax) * CHARACTER_WIDTH
}

function labelPlace(
  relation: Relation,
  x: number,
  y: number,
  charactersMax = LABEL_CHARACTERS_MAX,
): Line['label'] {
  const width = labelWidth(relation, charactersMax)
  const height = LABEL_HEIGHT / 2
  return {
    text: labelText(relation),
    charactersMax,
    width,
    height,
    x: Math.round(x - width / 2),
    y: Math.round(y - height / 2),
  }
}
