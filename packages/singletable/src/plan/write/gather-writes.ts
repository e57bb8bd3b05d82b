import { allOf } from '../../expression/build.ts'
import type { Condition, Path, UpdateValue } from '../../expression/tree.ts'
import { refuseInput } from '../../schema/input-issues.ts'
import type { Attribute } from '../../schema/model.ts'
import type { Item } from '../../values/attribute-value.ts'
import { addDecimals } from '../../values/decimal.ts'
import { canonicalText } from '../../values/same-value.ts'
import { operators } from '../operators.ts'
import type { CountChange, WritePlan } from '../plan.ts'
import { referencesOf } from '../references.ts'
import { planWrite } from './plan-write.ts'

/** All writes of a transaction. */
export interface GatheredWrites {
  /** Those that were asked for, in their order, and then what follows from them. */
  readonly writes: readonly WritePlan[]
  /** For each, which one of those asked for it is or follows from; undefined if nothing follows. */
  readonly owners: readonly number[] | undefined
}

/** The counts and sums of one parent. */
interface ParentCounts extends CountChange {
  readonly owner: number
  readonly changes: Map<Attribute, Pick<CountChange, 'by' | 'joins'>>
}

/**
 * The writes with all that follows from them. Changes of a parent's counts and sums become one,
 * which a put, an update or a check of the parent takes in. A transaction that writes one item
 * twice is refused, and two children of one parent would do that.
 */
export function gatherWrites(plans: readonly WritePlan[]): GatheredWrites {
  if (!plans.some(({ derivedItems }) => derivedItems)) return { writes: plans, owners: undefined }
  const writes = [...plans]
  const owners = plans.map((_, position) => position)
  const parents = new Map<string, ParentCounts>()
  for (const [owner, { derivedItems = [] }] of plans.entries()) {
    for (const derived of derivedItems) {
      if (derived.kind === 'write') {
        writes.push(derived)
        owners.push(owner)
        continue
      }
      const text = textOf(derived)
      const parent = parents.get(text) ?? { ...derived, owner, changes: new Map() }
      parents.set(text, parent)
      const { by, joins } = parent.changes.get(derived.attribute) ?? { by: '0', joins: false }
      parent.changes.set(derived.attribute, {
        by: add(derived, by, derived.by),
        joins: joins || derived.joins,
      })
    }
  }
  const asked = parents.size > 0 ? plans.map(textOf) : []
  for (const [text, parent] of parents) {
    // What adds 0 to a sum still needs the parent, whose sum would be wrong if it were made later.
    const changes = [...parent.changes].filter(
      ([{ definition }, { by, joins }]) => by !== '0' || (joins && definition.sums),
    )
    const position = asked.indexOf(text)
    const own = writes[position]
    const optional = changes.every(([{ definition }, { by, joins }]) =>
      definition.sums ? !joins : by.startsWith('-'),
    )
    // A parent that is deleted in the same transaction need not be counted down.
    if (changes.length === 0 || (own?.action === 'Delete' && optional)) continue
    if (own?.item) writes[position] = withCounts(own, own.item, changes, parent)
    else {
      const counts = planCounts(parent, changes, optional)
      if (own && own.action !== 'Delete' && !own.handmade) {
        writes[position] = mergeCounts(own, counts, changes, parent)
        continue
      }
      writes.push(counts)
      owners.push(parent.owner)
    }
  }
  return { writes, owners }
}

/** The same text for all writes of one item. A transaction can be on several tables. */
function textOf({ tableName, key }: Pick<CountChange, 'tableName' | 'key'>): string {
  return `${tableName} ${canonicalText(key)}`
}

function add({ attribute, place }: CountChange, a: string, b: string): string {
  const message = 'would be a number with more than 38 digits'
  return addDecimals(a, b) ?? refuseInput([{ path: [attribute.name], message }], place)
}

type CounterChanges = readonly (readonly [attribute: Attribute, change: Pick<CountChange, 'by'>])[]

/** A parent that is gone, or was made again after its items, counts nothing down. */
function planCounts(counts: ParentCounts, changes: CounterChanges, optional: boolean): WritePlan {
  const { parent, key, place } = counts
  // The counters are attributes of the parent.
  const references = referencesOf(parent) as { readonly [name: string]: unknown }
  const fewer = changes.filter(([{ definition }]) => optional && !definition.sums)
  const where =
    fewer.length > 0
      ? operators.and(
          ...fewer.map(([{ name }, { by }]) => operators.gte(references[name], -Number(by))),
        )
      : undefined
  const name = changes.map(([attribute]) => attribute.name).join(', ')
  return planWrite({ model: parent, where }, counts, {
    action: 'Update',
    verb: 'update',
    place,
    key,
    changes: changes.map(([{ name, stored }, { by }]) => ({
      kind: 'add',
      name,
      path: [stored],
      value: { N: by },
    })),
    exists: true,
    version: undefined,
    role: { kind: 'count', name, attributes: [], optional },
  })
}

/** A parent that is put in the same transaction, with the counts that the others give it. */
function withCounts(
  plan: WritePlan,
  put: Item,
  changes: CounterChanges,
  parent: CountChange,
): WritePlan {
  const item = { ...put }
  for (const [{ stored }, { by }] of changes) {
    item[stored] = { N: add(parent, put[stored]?.N ?? '0', by) }
  }
  const output = plan.output && plan.model.decode(item, false)
  return Object.freeze({ ...plan, item, output })
}

/**
 * An update or a check of a parent in the same transaction, as one write with its counts. If they
 * can't be counted down, it is carried out alone.
 */
function mergeCounts(
  own: WritePlan,
  counts: WritePlan,
  changes: CounterChanges,
  parent: CountChange,
): WritePlan {
  const { optional } = counts.role!
  const isCheck = own.action === 'ConditionCheck'
  // An update asks for the item by itself, or makes it.
  const needed = optional || isCheck ? counts.condition : undefined
  const { set = [], remove = [], add: adds = [], delete: deletes = [] } = own.update ?? {}
  const isOf = ({ path }: { readonly path: Path }, { stored }: Attribute): boolean =>
    path.length === 1 && path[0] === stored
  const update = {
    // Of an upsert, which sets the counters of a new item.
    set: set.map((each) => {
      const [, change] = changes.find(([attribute]) => isOf(each, attribute)) ?? []
      return change ? { ...each, value: plus(each.value, change.by, parent) } : each
    }),
    remove,
    add: [
      ...adds,
      ...changes.flatMap(([attribute, { by }]) =>
        set.some((each) => isOf(each, attribute))
          ? []
          : [{ path: [attribute.stored] as const, value: { N: by } }],
      ),
    ],
    delete: deletes,
  }
  const asked = own.condition ? [own.condition] : []
  // Only where nothing can be counted down: another condition that failed may hold by then.
  const alone: Condition = { kind: 'not', condition: counts.condition! }
  return Object.freeze<WritePlan>({
    ...own,
    action: 'Update',
    update,
    condition: allOf(needed ? [...asked, needed] : asked),
    ...(optional && { instead: { ...own, condition: allOf([...asked, alone]) } }),
  })
}

/** What an upsert sets, and a number more. */
function plus(value: UpdateValue, by: string, parent: CountChange): UpdateValue {
  const start = value.kind === 'value' ? value.value.N : undefined
  if (start !== undefined) return { kind: 'value', value: { N: add(parent, start, by) } }
  const right: UpdateValue = { kind: 'value', value: { N: by } }
  return { kind: 'arithmetic', operator: '+', left: value, right }
}
