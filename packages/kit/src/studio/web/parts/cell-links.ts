import { computed } from '@preact/signals'
import type { FoundItem, ReferenceView } from '../../api/contract.ts'
import { keyText } from '../state/keys.ts'
import { go, hashOf, type Route, route } from '../state/route.ts'
import { design, entitiesByName } from '../state/studio-state.ts'
import { storedName } from './columns.ts'
import { openItem } from './reference-link.tsx'

/** Columns that may lead somewhere, by entity: rows that scroll by ask for each of their cells. */
const linkColumns = computed(() => {
  const keys = design.value?.indexes.flatMap(({ hash }) => hash.slice(0, 1)) ?? []
  const none: ReadonlySet<string> = new Set(keys)
  const sets = new Map(
    design.value?.entities.map(({ name, attributes }) => {
      const named = attributes.filter(({ refersTo }) => refersTo !== null).map((each) => each.name)
      return [name, new Set([...keys, ...named])]
    }),
  )
  return { none, sets }
})

/** Whether the value of a column leads somewhere. */
export function isCellLink(found: FoundItem, column: string): boolean {
  const { none, sets } = linkColumns.value
  if (!(sets.get(found.entity ?? '') ?? none).has(column)) return false
  return partitionOf(found, column) !== undefined || namedKey(found, column) !== undefined
}

/** Goes where a value leads; false if it leads nowhere. */
export function followCell(found: FoundItem, column: string): boolean {
  const partition = partitionOf(found, column)
  const named = namedKey(found, column)
  if (partition) {
    go('data', { index: partition.index, pk: JSON.stringify(partition.hash), from: here() })
  } else if (named) void openItem(named.entity, named.strings, here())
  return partition !== undefined || named !== undefined
}

/** The index of which the column is the partition key, with its value. */
function partitionOf(
  { item }: FoundItem,
  column: string,
): { readonly index: string; readonly hash: readonly string[] } | undefined {
  const index = design.value?.indexes.find(({ hash }) => hash[0] === column)
  if (index === undefined || [...index.hash, ...index.sort].some((name) => !item[name])) {
    return undefined
  }
  return { index: index.name, hash: index.hash.map((name) => keyText(item[name])) }
}

/** The key of the item that a value names; only strings are read as they are stored. */
function namedKey(
  { item, entity }: FoundItem,
  column: string,
): { readonly entity: string; readonly strings: Readonly<Record<string, string>> } | undefined {
  const reference: ReferenceView | null | undefined = entitiesByName.value
    .get(entity ?? '')
    ?.attributes.find(({ name }) => name === column)?.refersTo
  if (reference === null || reference === undefined) return undefined
  const strings: Record<string, string> = {}
  for (const [name, own] of Object.entries(reference.by)) {
    const text = item[storedName(entity, own)]?.S
    if (text === undefined) return undefined
    strings[name] = text
  }
  return { entity: reference.entity, strings }
}

/** This view, to come back to; only the last step is kept. */
function here(): string {
  const { screen, parameters }: Route = route.peek()
  return hashOf(screen, { ...Object.fromEntries(parameters), from: undefined })
}
