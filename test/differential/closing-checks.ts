import type { Item } from 'singletable/engine'
import type { Target } from '../conformance/targets.ts'
import type { Disagreement } from './allowed-differences.ts'
import { asMultiset, canonical } from './canonical.ts'
import { comparable } from './comparable.ts'
import { outcomeOf } from './outcome.ts'
import type { Step } from './program.ts'
import type { Sides } from './sides.ts'
import { type IndexDesign, type TableDesign, tableKey } from './table-design.ts'

/**
 * What must hold when a program has ended: both tables and all their indexes hold the same; every
 * index is the projection of the table; pages of any length and segments of any number add up to
 * the whole.
 */
export async function closingDisagreement(
  design: TableDesign,
  sides: Sides,
): Promise<Disagreement | undefined> {
  const { TableName, engine, local } = sides
  const whole = scanOf(TableName)
  const scans = [whole, ...design.indexes.map(({ name }) => scanOf(TableName, { IndexName: name }))]
  const outcomes = await Promise.all(
    scans.map(async (step) => {
      const [own, referee] = await Promise.all([outcomeOf(engine, step), outcomeOf(local, step)])
      return { step, design, engine: own, local: referee, before: [] }
    }),
  )
  const unequal = outcomes.find(
    ({ step, engine, local }) =>
      comparable(step, design, engine) !== comparable(step, design, local),
  )
  if (unequal !== undefined) return unequal

  const items = await itemsOf(engine, whole)
  return (
    (await indexDisagreement(design, sides, items)) ??
    (await divisionDisagreement(design, sides, scans))
  )
}

function scanOf(TableName: string, members: object = {}): Step {
  return { operation: 'Scan', request: { TableName, ...members }, follow: true }
}

async function itemsOf(target: Target, step: Step): Promise<Item[]> {
  const { pages = [] } = await outcomeOf(target, step)
  return pages.flatMap(({ Items }) => Items as Item[])
}

/** The engine's indexes against what the engine's items say they should hold. */
async function indexDisagreement(
  design: TableDesign,
  { engine, TableName }: Sides,
  items: readonly Item[],
): Promise<Disagreement | undefined> {
  for (const index of design.indexes) {
    const step = scanOf(TableName, { IndexName: index.name })
    const found = await itemsOf(engine, step)
    const wanted = items.flatMap((item) => projected(item, index, design))
    if (canonical(asMultiset(found)) !== canonical(asMultiset(wanted))) {
      return {
        step,
        design,
        engine: { pages: [{ Items: found }] },
        local: { pages: [{ Items: wanted }] },
        before: [],
      }
    }
  }
  return undefined
}

function projected(item: Item, index: IndexDesign, design: TableDesign): Item[] {
  const keys = [...index.partition, ...index.sort]
  const member = keys.every(({ name, type }) => {
    // An index made later leaves out what it cannot take.
    const value = Object.hasOwn(item, name) ? (item[name] as Record<string, unknown>) : {}
    return Object.hasOwn(value, type) && value[type] !== ''
  })
  if (!member) return []
  if (index.projection === 'ALL') return [item]
  const names = new Set([...keys, ...tableKey(design)].map(({ name }) => name))
  for (const name of index.included) names.add(name)
  return [Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name)))]
}

/** The engine's scans in pages and in segments against the scans in one piece. */
async function divisionDisagreement(
  design: TableDesign,
  { engine }: Sides,
  scans: readonly Step[],
): Promise<Disagreement | undefined> {
  for (const whole of scans) {
    const items = canonical(asMultiset(await itemsOf(engine, whole)))
    const divided: Step[] = [1, 2, 3].map((Limit) => ({
      ...whole,
      request: { ...whole.request, Limit },
    }))
    divided.push({
      operation: 'Scan',
      request: { ...whole.request, TotalSegments: 3 },
      everySegment: true,
    })
    for (const step of divided) {
      if (canonical(asMultiset(await itemsOf(engine, step))) !== items) {
        const [parts, one] = [await outcomeOf(engine, step), await outcomeOf(engine, whole)]
        return { step, design, engine: parts, local: one, before: [] }
      }
    }
  }
  return undefined
}
