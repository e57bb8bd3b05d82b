import type { Copy, Counter, Model, Pattern, UniqueRule } from 'singletable/tools'
import type { CostDesign } from './cost-design.ts'
import { type CostedWrite, partOf } from './costed-write.ts'
import type { Figure } from './figure.ts'
import { type IndexWrite, indexesOfAll, indexWrites, type WrittenPart } from './index-writes.ts'
import { guardBytes, itemBytes } from './item-bytes.ts'
import { copiesPerItem } from './item-count.ts'

/** What else a pattern writes in the same transaction: copies, guards of unique values, counters of
 * parents. */
export function followingWrites(
  design: CostDesign,
  { definition, models }: Pattern,
): readonly CostedWrite[] {
  const [model] = models
  const { derivedItems } = model ?? {}
  if (model === undefined || derivedItems === undefined || definition.op === 'check') return []
  const change = partOf(definition, model)
  // An update that touches nothing of them leaves them alone.
  if (change !== 'whole' && ![...change].some((name) => derivedItems.dependsOn.has(name))) return []
  const { copies, unique, counters } = derivedItems
  return [
    ...copies.flatMap((copy) => copyWrites(design, copy, model, change)),
    ...unique.flatMap((rule) => guardWrites(rule, model, change)),
    ...counters.flatMap((counter) => countWrites(design, counter, model, change)),
  ]
}

/** A copy is put as a whole; one whose key changes is put in one place and deleted in another. */
function copyWrites(
  design: CostDesign,
  { model: copy, when, contains, each }: Copy,
  model: Model,
  change: WrittenPart,
): readonly CostedWrite[] {
  const count = Math.max(1, Math.round(copiesPerItem(design, copy)))
  const write = (of: WrittenPart): CostedWrite[] => {
    const one: CostedWrite = {
      what: `copy ${copy.name}`,
      model: copy,
      itemBytes: itemBytes(design, copy),
      indexes: indexWrites(design, copy, of),
    }
    return Array<CostedWrite>(count).fill(one)
  }
  if (change === 'whole') return write('whole')
  const moves = touches(change, model, copy.primary.names)
  if (moves) return [...write('whole'), ...write('whole')]
  // Of elements some come and others go; all of them are put if the copies repeat the whole list.
  const others = [...(when?.keys() ?? []), ...(each ? [each.list.name] : [])]
  if (touches(change, model, others)) return write('whole')
  const stored = contains.map((name) => model.attributes.get(name)?.stored ?? name)
  return write(new Set(stored.filter((name) => change.has(name))))
}

function guardWrites(
  { name, attributes }: UniqueRule,
  model: Model,
  change: WrittenPart,
): readonly CostedWrite[] {
  const value = guardBytes(model)
  const bytes: Figure = { value, basis: 'declared', formula: `about ${value} B` }
  const write: CostedWrite = {
    what: `unique "${name}" of ${model.name}`,
    model,
    itemBytes: bytes,
    indexes: indexesOfAll(model).map(
      (index): IndexWrite => ({ index, writes: 1, entryBytes: bytes, units: 1 }),
    ),
  }
  if (change === 'whole') return [write]
  const names = attributes.map((attribute) => attribute.name)
  if (touches(change, model, names)) return [write, write]
  // A guard ends with its item.
  return model.ttl && change.has(model.ttl.stored) ? [write] : []
}

function countWrites(
  design: CostDesign,
  { parent, attribute, links, determinedBy, sums }: Counter,
  model: Model,
  change: WrittenPart,
): readonly CostedWrite[] {
  const write: CostedWrite = {
    what: `${sums ? 'sum' : 'count'} ${parent.name}.${attribute.name}`,
    model: parent,
    itemBytes: itemBytes(design, parent),
    indexes: indexWrites(design, parent, new Set([attribute.stored])),
  }
  if (change === 'whole') return [write]
  // One parent counts it no more, and another one does.
  if (touches(change, model, [...links.values()])) return [write, write]
  return touches(change, model, determinedBy) ? [write] : []
}

function touches(
  change: ReadonlySet<string>,
  { attributes }: Model,
  names: readonly string[],
): boolean {
  return names.some((name) => change.has(attributes.get(name)?.stored ?? ''))
}
