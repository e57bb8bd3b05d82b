import type { FoundItem, ReferenceView } from '../../api/contract.ts'
import { keyText } from '../state/keys.ts'
import { go, hashOf, type Route, route } from '../state/route.ts'
import { design, entitiesByName } from '../state/studio-state.ts'
import { openItem } from './reference-link.tsx'
import { storedName } from './stored-name.ts'

/**
 * What the values of a column lead to, for one entity: the partition of an index, or an item of
 * another entity. Made once for all rows of the entity.
 */
export interface LinkRule {
  readonly index?: {
    readonly name: string
    readonly hash: readonly string[]
    /** Without one of these, an item is not in the index. */
    readonly keys: readonly string[]
  }
  readonly reference?: {
    readonly entity: string
    /** Names of its key attributes, each with the stored name that has the value here. */
    readonly by: readonly (readonly [name: string, stored: string])[]
  }
}

/** The rule of a column; undefined if its values never lead anywhere. */
export function linkRule(entity: string | null, column: string): LinkRule | undefined {
  const index = design.value?.indexes.find(({ hash }) => hash[0] === column)
  const refersTo: ReferenceView | null | undefined = entitiesByName.value
    .get(entity ?? '')
    ?.attributes.find(({ name }) => name === column)?.refersTo
  if (index === undefined && !refersTo) return undefined
  return {
    ...(index && {
      index: { name: index.name, hash: index.hash, keys: [...index.hash, ...index.sort] },
    }),
    ...(refersTo && {
      reference: {
        entity: refersTo.entity,
        by: Object.entries(refersTo.by).map(([name, own]) => [name, storedName(entity, own)]),
      },
    }),
  }
}

/** Whether an item has all that the link of a column needs. */
export function isLink({ item }: FoundItem, { index, reference }: LinkRule): boolean {
  if (index?.keys.every((name) => item[name])) return true
  // Only strings are read as they are stored.
  return reference?.by.every(([, stored]) => item[stored]?.S !== undefined) === true
}

/** Goes where a value leads; false if it leads nowhere. */
export function followCell(found: FoundItem, column: string): boolean {
  const { index, reference } = linkRule(found.entity, column) ?? {}
  const { item } = found
  if (index && isLink(found, { index })) {
    const hash = index.hash.map((name) => keyText(item[name]))
    go('data', { index: index.name, pk: JSON.stringify(hash), from: here() })
    return true
  }
  if (reference === undefined || !isLink(found, { reference })) return false
  const strings = reference.by.map(([name, stored]) => [name, item[stored]?.S ?? ''])
  void openItem(reference.entity, Object.fromEntries(strings), here())
  return true
}

/** This view, to come back to; only the last step is kept. */
function here(): string {
  const { screen, parameters }: Route = route.peek()
  return hashOf(screen, { ...Object.fromEntries(parameters), from: undefined })
}
