import { expect, test } from 'vitest'
import type { RelationsBlock } from './document.ts'
import { drawRelations } from './draw-relations.ts'
import { layOutRelations, type Place } from './lay-out-relations.ts'

/**
 * Models of a design in which some name others, several times, in circles, themselves, or nothing.
 */
function randomBlock(models: number, seed: number): RelationsBlock {
  let state = seed * 2654435761 + 1
  const random = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const entities = Array.from({ length: models }, (_, at) => ({
    name: `Model${at}`,
    attributes: Array.from({ length: 1 + random(7) }, (_, each) => ({
      name: `attribute${each}`,
      type: 'text',
      isKey: each === 0,
    })),
  }))
  const relations = Array.from({ length: Math.round(models * 1.3) }, (_, at) => ({
    parent: `Model${random(Math.max(1, models - 2))}`,
    child: `Model${random(Math.max(1, models - 2))}`,
    many: random(2) === 0,
    label: 'attributeId, '.repeat(1 + random(3)).slice(0, 12 + random(20)) + at,
    average: random(3) === 0 ? random(1000) : undefined,
  }))
  return { kind: 'relations', entities, relations }
}

const SEEDS = Number(process.env.PROPERTY_RUNS ?? 12)

const overlaps = (a: Place, b: Place): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

const contains = (place: Place, { x, y }: { x: number; y: number }): boolean =>
  x > place.x + 0.5 &&
  x < place.x + place.width - 0.5 &&
  y > place.y + 0.5 &&
  y < place.y + place.height - 0.5

/** Points along the lines of the drawing itself, a few pixels apart. */
function linePoints(svg: string): readonly { x: number; y: number }[][] {
  return [...svg.matchAll(/<path class="edge" d="(M[^"]*[HC][^"]*)"/g)].map(([, path = '']) => {
    const points: { x: number; y: number }[] = []
    let at = { x: 0, y: 0 }
    const go = (steps: number, place: (t: number) => { x: number; y: number }): void => {
      for (let step = 0; step <= steps; step++) points.push(place(step / steps))
      at = place(1)
    }
    for (const [, sign, numbers = ''] of path.matchAll(/([MHVC])([^MHVC]*)/g)) {
      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers.trim().split(/[ ,]/).map(Number)
      const { x, y } = at
      if (sign === 'M') at = { x: a, y: b }
      else if (sign === 'H') go(60, (t) => ({ x: x + (a - x) * t, y }))
      else if (sign === 'V') go(60, (t) => ({ x, y: y + (a - y) * t }))
      else {
        go(60, (t) => {
          const [p, q, r, s] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t ** 2 * (1 - t), t ** 3]
          return { x: p * x + q * a + r * c + s * e, y: p * y + q * b + r * d + s * f }
        })
      }
    }
    return points
  })
}

test.each([1, 2, 10, 30])(
  'of %d models no line goes through a box, and no label is on another',
  (models) => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const block = randomBlock(models, seed)
      const { boxes, lines, width, height } = layOutRelations(block)
      const svg = drawRelations(block, new Map())
      expect(boxes).toHaveLength(models)
      expect(lines).toHaveLength(block.relations.length)
      const drawn = linePoints(svg)
      expect(drawn).toHaveLength(block.relations.length)
      const where = `${models} models, seed ${seed}`
      const page = { x: -1, y: -1, width: width + 2, height: height + 2 }
      const hits = drawn.flatMap((points, at) =>
        points.flatMap((point) => [
          ...boxes.filter((box) => contains(box, point)).map((box) => [at, box.entity.name]),
          ...lines
            .filter(({ label }) => contains(label, point))
            .map((line) => [at, line.label.text]),
          ...(contains(page, point) ? [] : [[at, 'outside']]),
        ]),
      )
      expect(hits, where).toEqual([])
      const places = [...boxes, ...lines.map(({ label }) => label)]
      for (const [at, place] of places.entries()) {
        const hit = places.slice(at + 1).find((other) => overlaps(place, other))
        expect(hit, where).toBeUndefined()
      }
    }
  },
)

test('a design without entities is an empty drawing', () => {
  const svg = drawRelations({ kind: 'relations', entities: [], relations: [] }, new Map())
  expect(svg).toContain('viewBox="0 0 12 12"')
})
