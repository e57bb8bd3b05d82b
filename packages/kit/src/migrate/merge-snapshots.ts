import { getOwn, setOwn } from 'singletable/tools'
import type { DefinitionData } from '../check/evidence/definition-data.ts'

/** The names that lead to a unit, from the top of a definition. */
export type UnitPath = readonly string[]

/**
 * The parts of a definition that are changed as a whole: an attribute or another member of a model,
 * an index, a pattern, or another member of the schema. By the JSON of their paths.
 */
export type Units = ReadonlyMap<string, unknown>

/** How deep units are, by the member of the schema that they are in; 1 for the others. */
const DEPTHS: Readonly<Record<string, number>> = { models: 3, indexes: 2, patterns: 2 }
/** Attributes are units of their own, other members of a model are not taken apart. */
const TAKEN_APART = 'attributes'

export function unitsOf(definition: DefinitionData): Units {
  const units = new Map<string, unknown>()
  for (const [name, member] of Object.entries(definition)) {
    addUnits(units, [name], member, DEPTHS[name] ?? 1)
  }
  return units
}

function addUnits(
  units: Map<string, unknown>,
  path: UnitPath,
  value: unknown,
  depthMax: number,
): void {
  const isAttributes = path.length === 3 && path[0] === 'models' && path[2] === TAKEN_APART
  const members = isObject(value) ? Object.entries(value) : []
  if (members.length === 0 || (path.length >= depthMax && !isAttributes)) {
    units.set(JSON.stringify(path), value)
    return
  }
  for (const [name, member] of members) addUnits(units, [...path, name], member, depthMax)
}

/** The definition that has these units. */
export function definitionOf(units: Units): DefinitionData {
  const definition: { [name: string]: unknown } = {}
  for (const [text, value] of units) {
    const path = pathOf(text)
    let place = definition
    for (const name of path.slice(0, -1)) {
      const found = getOwn(place, name)
      const next = isObject(found) ? found : {}
      if (next !== found) setOwn(place, name, next)
      place = next
    }
    setOwn(place, path.at(-1) ?? '', value)
  }
  return definition
}

export function pathOf(unit: string): UnitPath {
  // Made by this file.
  return JSON.parse(unit) as UnitPath
}

/** The units that differ, with their new values; undefined for those that are gone. */
export function changedUnits(before: Units, after: Units): ReadonlyMap<string, unknown> {
  const changes = new Map<string, unknown>()
  for (const unit of before.keys()) if (!after.has(unit)) changes.set(unit, undefined)
  for (const [unit, value] of after) {
    if (!before.has(unit) || !sameData(before.get(unit), value)) changes.set(unit, value)
  }
  return changes
}

/** The units with changes that were made elsewhere. */
export function withChanges(units: Units, changes: ReadonlyMap<string, unknown>): Units {
  const result = new Map(units)
  for (const [unit, value] of changes) {
    if (value === undefined) result.delete(unit)
    else result.set(unit, value)
  }
  return result
}

/** Whether two JSON values are the same; the order of members says nothing. */
export function sameData(a: unknown, b: unknown): boolean {
  return printSorted(a) === printSorted(b)
}

function printSorted(value: unknown): string {
  return (
    JSON.stringify(value, (_, member) =>
      isObject(member)
        ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
        : member,
    ) ?? ''
  )
}

function isObject(value: unknown): value is { [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
