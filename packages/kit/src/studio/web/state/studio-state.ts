import { computed, signal } from '@preact/signals'
import type { Design, Edit, EntityView, Spent, StoredItem } from '../../api/contract.ts'
import { change, route } from './route.ts'

/** What all screens share. */
export const design = signal<Design | undefined>(undefined)
export const isOffline = signal(false)
/** Whether the endpoint answered the last request; the studio itself may well be there. */
export const endpointState = signal<'answers' | 'waiting' | 'silent'>('answers')
/** What the last action took, for the status bar. */
export const lastSpent = signal<Spent | undefined>(undefined)
/** The item in the inspector, by its primary key; it is part of the address. */
export const inspected = computed(() => readItem(route.value.parameters.get('item')))

/** Opens an item in the inspector, or closes it. */
export function inspect(key: StoredItem | undefined): void {
  change({ item: key && JSON.stringify(key) })
}

function readItem(text: string | undefined): StoredItem | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as StoredItem)
  } catch {
    return undefined
  }
}

export const isPaletteOpen = signal(false)
export const isHelpOpen = signal(false)
export const isReviewOpen = signal(false)
/** Grows after something was saved, so that what is shown is read again. */
export const dataVersion = signal(0)

export interface StagedEdit {
  readonly id: number
  readonly change: Edit
  /** How the item is called in lists. */
  readonly label: string
}

/** A form for a new item: undefined while it is closed. */
export const newItem = signal<NewItemDraft | undefined>(undefined)

export interface NewItemDraft {
  readonly entity?: string
  readonly strings: Readonly<Record<string, string | null>>
  /** An item of no entity that the new one starts from. */
  readonly raw?: StoredItem
}

/** What takes back the changes that were saved last. */
export const undoable = signal<readonly StagedEdit[]>([])

export const staged = signal<readonly StagedEdit[]>([])
let nextId = 1

/** Keeps a change until it is saved; a later one of the same item takes its place. */
export function stage(change: Edit, label: string): void {
  const others = staged.value.filter((each) => each.label !== label)
  staged.value = [...others, { id: nextId++, change, label }]
}

/** Stages what takes back the last save, the last change first. */
export function stageUndo(): void {
  for (const { change, label } of undoable.value.toReversed()) stage(change, label)
  undoable.value = []
}

export const entitiesByName = computed(
  () => new Map<string, EntityView>(design.value?.entities.map((each) => [each.name, each])),
)

const HUES = [264, 150, 30, 330, 200, 90, 300, 60, 175, 10, 230, 120]

/** Entities have a hue each, in the order of the schema; a copy has that of what it repeats. */
const hues = computed(() => {
  const entities = design.value?.entities ?? []
  const own = entities.filter(({ copyOf }) => copyOf === null)
  const found = new Map(own.map(({ name }, at) => [name, HUES[at % HUES.length] ?? 0]))
  for (const { name, copyOf } of entities) found.set(name, found.get(copyOf ?? name) ?? 0)
  return found
})

export function hueOf(entity: string | null): number {
  return hues.value.get(entity ?? '') ?? 0
}

/** The primary key of a stored item. */
export function keyOf(item: StoredItem): StoredItem {
  const primary = design.value?.indexes.find(({ type }) => type === 'primary')
  const names = [...(primary?.hash ?? []), ...(primary?.sort ?? [])]
  return Object.fromEntries(names.flatMap((name) => (item[name] ? [[name, item[name]]] : [])))
}
