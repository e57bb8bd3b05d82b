import type { Item } from 'singletable/tools'

/** Something about an item. */
export interface AboutItem {
  readonly item: Item
  /** What makes it the same as others: names of models, indexes and attributes. */
  readonly about: readonly (string | number | undefined)[]
}

/** The first of each group, and how many items the group has. */
export function groupItems<TAbout extends AboutItem>(
  all: readonly TAbout[],
): readonly (readonly [first: TAbout, items: number])[] {
  const groups = new Map<string, { readonly first: TAbout; readonly items: Set<Item> }>()
  for (const one of all) {
    const name = JSON.stringify(one.about)
    const group = groups.get(name) ?? { first: one, items: new Set() }
    group.items.add(one.item)
    groups.set(name, group)
  }
  return [...groups.values()].map(({ first, items }) => [first, items.size])
}
