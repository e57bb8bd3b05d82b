import type { Item } from 'singletable/engine'
import { canonical } from './canonical.ts'
import { outcomeOf } from './outcome.ts'
import type { Sides } from './sides.ts'
import { type TableDesign, tableKey } from './table-design.ts'

/** Gives the referee's table the items of the engine's, after a write they were allowed to disagree
 * on. */
export async function makeAlike(
  design: TableDesign,
  { engine, local, TableName }: Sides,
): Promise<void> {
  const scan = { operation: 'Scan', request: { TableName }, follow: true } as const
  const keyOf = (item: Item): Item =>
    Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name)))
  const names = new Set(tableKey(design).map(({ name }) => name))
  const [wanted, found] = await Promise.all(
    [engine, local].map(async (target) => {
      const { pages = [] } = await outcomeOf(target, scan)
      const items = pages.flatMap(({ Items }) => Items as Item[])
      return new Map(items.map((item) => [canonical(keyOf(item)), item]))
    }),
  )
  for (const [key, item] of found ?? []) {
    if (!wanted?.has(key)) await local.send('DeleteItem', { TableName, Key: keyOf(item) })
  }
  for (const [key, item] of wanted ?? []) {
    if (canonical(found?.get(key)) !== canonical(item)) {
      await local.send('PutItem', { TableName, Item: item })
    }
  }
}
