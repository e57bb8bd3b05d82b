import type { Rule } from './rule.ts'
import { unboundedCollection } from './size/s01-unbounded-collection.ts'
import { lsiTenGigabytes } from './size/s02-lsi-10gb.ts'
import { item400Kilobytes } from './size/s03-item-400kb.ts'
import { fatHotRead } from './size/s04-fat-hot-read.ts'
import { multiPage } from './size/s05-multi-page.ts'

/** Rules on the size of items, partitions and results, and how they grow. */
export const SIZE_RULES: readonly Rule[] = [
  unboundedCollection,
  lsiTenGigabytes,
  item400Kilobytes,
  fatHotRead,
  multiPage,
]
