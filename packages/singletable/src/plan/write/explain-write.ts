import { printCondition, printUpdate, READABLE } from '../../expression/print.ts'
import { itemSizeBytes } from '../../values/size.ts'
import { unitsToWrite } from '../../values/units.ts'
import type { Explanation } from '../plan.ts'
import { describeWrite } from './describe-write.ts'
import { gatherWrites } from './gather-writes.ts'
import type { StagedPlan, UpdatePlan } from './staged-plan.ts'

const EXACTLY_ONCE =
  'exactlyOnce: a transaction with a token, which costs twice as much; within ten minutes it is never carried out twice'

/** How a write will be carried out, and what it costs. */
export function explainWrite(plan: UpdatePlan, exactlyOnce = false): Explanation {
  const { model, kind } = plan
  const names = model.indexes.slice(1).map(({ index }) => index.name)
  // An entry whose key changes is deleted and put.
  const entries =
    names.length > 0 ? `, and 1 or 2 per KB for each entry that changes in ${names.join(', ')}` : ''
  const unitsOf = (units: number): string => `${units} write unit${units > 1 ? 's' : ''}`
  const common = { entity: model.name, index: 'primary', refused: [] }
  if (kind === 'write') {
    const { action, item, condition, update } = plan
    const printed = {
      condition: condition && printCondition(condition, READABLE),
      update: update && printUpdate(update, READABLE),
    }
    const isCheck = action === 'ConditionCheck'
    const factor = exactlyOnce ? 2 : 1
    const cost = item
      ? unitsOf(unitsToWrite(itemSizeBytes(item)) * factor)
      : `${unitsOf(factor)} per KB of the item`
    const { derivedItems = [] } = plan
    if (derivedItems.length > 0) {
      const { writes } = gatherWrites([plan])
      return {
        ...common,
        operation: 'TransactWriteItems',
        ...printed,
        writes: writes.map(describeWrite),
        requests: '1',
        capacity: `2 write units per KB of each of ${writes.length} items${entries}`,
        notes: [],
      }
    }
    return {
      ...common,
      operation: exactlyOnce
        ? 'TransactWriteItems'
        : isCheck
          ? `${action} in TransactWriteItems`
          : `${action}Item`,
      ...printed,
      requests: '1',
      capacity: isCheck ? cost : cost + entries,
      notes: [exactlyOnce ? EXACTLY_ONCE : 'in a transaction writes cost twice as much'],
    }
  }
  const attributes = plan.attributes.join(', ')
  const moves = kind === 'move'
  if (model.derivedItems && !plan.reads) return explainStaged(plan, common, entries)
  return {
    ...common,
    operation: `GetItem, ${moves || exactlyOnce ? 'TransactWriteItems' : 'UpdateItem'}`,
    requests: '2: a read, then a conditional write; repeated if the item has changed in between',
    capacity: `1 read unit per 4 KB, then ${unitsOf(moves ? 4 : exactlyOnce ? 2 : 1)} per KB of the item${entries}`,
    notes: [
      moves
        ? `${attributes} is part of the primary key, so the item moves`
        : plan.verb === 'put'
          ? `members of ${attributes} that reads leave out are kept: give them, or use replace(), to save the read`
          : `index keys depend on ${attributes}: pass them with set() or given() to save the read`,
      ...(exactlyOnce && !moves ? [EXACTLY_ONCE] : []),
    ],
  }
}

/**
 * What is written in addition to the item is known when it has been read; until then, what it can
 * be.
 */
function explainStaged(
  { kind, verb, model, optimistic, attributes }: StagedPlan,
  common: Pick<Explanation, 'entity' | 'index' | 'refused'>,
  entries: string,
): Explanation {
  const { copies, unique, counters } = model.derivedItems!
  const own =
    kind === 'move' ? [`put ${model.name}`, `delete ${model.name}`] : [`${verb} ${model.name}`]
  return {
    ...common,
    operation: optimistic ? 'TransactWriteItems' : 'GetItem, TransactWriteItems',
    writes: [
      ...own,
      ...copies.map(
        ({ model: copy, each }) =>
          `copy ${copy.name}${each ? ` for each element of "${each.list.name}"` : ''}`,
      ),
      ...unique.map(({ name }) => `unique "${name}" of ${model.name}`),
      ...counters.map(
        ({ parent, attribute, sums }) =>
          `${sums ? 'sum' : 'count'} ${parent.name}.${attribute.name}`,
      ),
    ],
    requests: optimistic
      ? '1'
      : '2: a read, then a conditional write; repeated if the item has changed in between',
    capacity: `${optimistic ? '' : '1 read unit per 4 KB, then '}2 write units per KB of each item that is written${entries}`,
    notes:
      kind === 'move'
        ? [`${attributes.join(', ')} is part of the primary key, so the item moves`]
        : optimistic || verb === 'delete' || verb === 'put'
          ? []
          : [`what is written with it depends on ${attributes.join(', ') || 'the current item'}`],
  }
}
