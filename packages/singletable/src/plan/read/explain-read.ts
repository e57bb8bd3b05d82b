import { allOf, compare } from '../../expression/build.ts'
import { printCondition, READABLE, readableValue } from '../../expression/print.ts'
import type { Condition } from '../../expression/tree.ts'
import type { Explanation } from '../plan.ts'
import type { PlanContext } from '../plan-context.ts'
import { reasonsAgainst } from './choose-index.ts'
import { describeGaps } from './completeness.ts'
import { type FanOut, NO_PARTITIONS, partitionKey, partitionsOf } from './fan-out.ts'
import { askedOf } from './plan-read.ts'
import type { ReadPlan } from './read-plan.ts'

/** How a query or a scan will be carried out, and why so. */
export function explainRead(plan: ReadPlan, context: PlanContext): Explanation {
  const { state, members, index, partition, fan, others, gaps, operation } = plan
  const { hydrate, consistentRead, limit } = state
  const { indexes } = plan.model.schema
  const notes: string[] = []
  const filter = print(plan.filter, plan.alive)
  if (gaps.length > 0) {
    notes.push(`index "${index.name}" is not complete: ${describeGaps(gaps)} are not in it`)
  }
  if (operation === 'Scan') {
    const what = index.name === 'primary' ? 'table' : `index "${index.name}"`
    notes.push(`the whole ${what} is read and paid for, whatever the filter leaves out`)
  } else if (filter !== undefined) {
    notes.push('the filter is applied after reading: what it leaves out is paid for too')
  }
  if (others.length > 0) {
    const names = others.map(({ name }) => name).join(', ')
    notes.push(`items of ${names} can be among those read, so a filter on the type is added`)
  }
  if (limit !== undefined && filter !== undefined) {
    notes.push(`more than ${limit} items may be read until ${limit} pass the filter`)
  }
  if (fan?.isOpen) {
    notes.push('the range has no end, so it goes until now: later items are not read')
  }
  const isBounded = limit !== undefined && fan !== undefined && fan.last > fan.first
  if (isBounded) {
    notes.push(
      `an empty bucket costs a request too: up to ${partitionsOf(fan)} are sent until ${limit} items are found, and a shorter range sends fewer`,
    )
  }
  if (fan && fan.shards > 1 && limit !== undefined) {
    notes.push(
      `from each ${fan.keys.length > 1 ? 'partition' : 'shard'} about twice its share of ${limit} items is read, and more if that is not enough`,
    )
  }
  const units = readUnits(consistentRead)
  const keys = Object.entries(partition).map(([name, value]) => compare(name, '=', value))
  return {
    operation: `${operation}${hydrate ? ', BatchGetItem' : ''}`,
    entity: members.map(({ model }) => model.name).join(', '),
    index: index.name,
    refused:
      // The caller chose a scan by name, so no index was compared with another.
      operation === 'Scan' ? [] : reasonsAgainst(askedOf(state, context), indexes.values(), index),
    keyCondition: print(...keys, plan.sort),
    filter,
    ...(fan && { partitions: describeFan(fan) }),
    requests: `${fan ? `${isBounded ? 'up to ' : ''}${partitionsOf(fan)}: 1 per partition and page` : '1 per page'}${hydrate ? ', and 1 for every 100 whole items' : ''}`,
    capacity: `${units} read${hydrate ? `, and ${units} of each whole item` : ''}`,
    notes,
  }
}

function print(...conditions: readonly (Condition | undefined)[]): string | undefined {
  const all = allOf(conditions.filter((each) => each !== undefined))
  return all && printCondition(all, READABLE)
}

const CUT = ', the first and the last one limited by the time of day'

/** Which partitions are read, and in which order. */
export function describeFan(fan: FanOut): string {
  const { first, last, unit, keys, shards, cut } = fan
  // It has no first and no last partition to name.
  if (fan === NO_PARTITIONS) return '0 partitions: a list of values is empty'
  const ofEach = shards / keys.length
  const of = [
    ...(unit ? [`one bucket per ${unit}, one after the other${cut ? CUT : ''}`] : []),
    ...(keys.length > 1 ? [`${keys.length} values, merged by sort key`] : []),
    ...(ofEach > 1 ? [`${ofEach} shards, merged by sort key`] : []),
  ]
  const ends = [partitionKey(fan, first, 0), partitionKey(fan, last, shards - 1)].map(
    (key) => `"${key.map((value) => value?.S ?? (value ? readableValue(value) : '')).join(', ')}"`,
  )
  return `${partitionsOf(fan)} partitions, ${ends.join(' to ')}: ${of.join('; in each ')}`
}

export function readUnits(consistentRead: boolean): string {
  return `${consistentRead ? '1 read unit' : '0.5 read units'} per 4 KB`
}
