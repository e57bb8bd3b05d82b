import { didYouMean } from '../errors/did-you-mean.ts'
import { checkOptions, entriesOf } from './check-options.ts'
import type { Index } from './model.ts'
import type { Place } from './place.ts'
import type { TableDefinition } from './schema-definition.ts'
import { STREAM_VIEWS } from './table-request.ts'

const CAPACITY_OPTIONS = 'readCapacityUnits writeCapacityUnits'
const RECOVERY_DAYS_MAX = 35

/** Reports values of `table` that DynamoDB would refuse, or that would mean nothing. */
export function checkTable(
  table: TableDefinition,
  indexes: ReadonlyMap<string, Index>,
  place: Place,
): void {
  const oneOf = (option: keyof TableDefinition, values: readonly string[]): void => {
    const value = table[option]
    if (value === undefined || values.includes(String(value))) return
    place.report(
      `"${value}" is not a value of ${option}${didYouMean(String(value), values)}`,
      `use ${values.map((each) => `'${each}'`).join(' or ')}`,
    )
  }
  oneOf('stream', Object.keys(STREAM_VIEWS))
  oneOf('tableClass', ['standard', 'infrequent-access'])
  for (const option of ['deletionProtection', 'pointInTimeRecovery'] as const) {
    if (!['boolean', 'undefined', 'object'].includes(typeof table[option])) {
      place.report(`${option} is neither true nor false`, 'give true or false')
    }
  }
  const { billing, pointInTimeRecovery: recovery, encryption, tags } = table
  const inside = (option: keyof TableDefinition, check: (at: Place) => void): void => {
    const at = place.at(option)
    if (table[option] !== undefined) at.attempt(() => check(at))
  }
  if (typeof recovery === 'object') {
    inside('pointInTimeRecovery', (at) => {
      checkNumbers(recovery, ['recoveryPeriodInDays'], at, RECOVERY_DAYS_MAX)
    })
  }
  inside('onDemandThroughput', (at) => {
    checkNumbers(table.onDemandThroughput, ['maxReadRequestUnits', 'maxWriteRequestUnits'], at)
    if (typeof billing === 'object') {
      at.report('the table is not on demand', 'leave it out, or leave billing out')
    }
  })
  inside('warmThroughput', (at) => {
    checkNumbers(table.warmThroughput, ['readUnitsPerSecond', 'writeUnitsPerSecond'], at)
  })
  if (typeof encryption !== 'object') oneOf('encryption', ['aws-owned', 'aws-managed'])
  else {
    inside('encryption', (at) => {
      checkOptions(encryption, 'kmsKey', at)
      if (typeof encryption.kmsKey === 'string' && encryption.kmsKey !== '') return
      at.report('kmsKey is not a string', 'give the id, ARN or alias of the key')
    })
  }
  inside('tags', (at) => {
    for (const [name, value] of entriesOf(tags, at)) {
      if (typeof value !== 'string') at.report(`the tag "${name}" is not a string`, 'give strings')
    }
  })
  if (typeof billing !== 'object' || billing === null) {
    oneOf('billing', ['on-demand'])
    return
  }
  const at = place.at('billing')
  at.attempt(() => {
    checkCapacity(billing, `${CAPACITY_OPTIONS} indexes`, at)
    const names = [...indexes.values()].flatMap(({ name, type }) => (type === 'global' ? name : []))
    for (const [name, own] of Object.entries(billing.indexes ?? {})) {
      const inside = at.at(`index "${name}"`, { index: name })
      if (names.includes(name)) inside.attempt(() => checkCapacity(own, CAPACITY_OPTIONS, inside))
      else {
        inside.report(
          `"${name}" is not a global index${didYouMean(name, names)}`,
          'name a global index: only those have a capacity of their own',
        )
      }
    }
  })
}

function checkCapacity(capacity: object, options: string, place: Place): void {
  checkOptions(capacity, options, place)
  for (const option of CAPACITY_OPTIONS.split(' ')) checkNumber(capacity, option, place)
}

/** Some of these options, and at least one. */
function checkNumbers(
  given: object | null | undefined,
  options: readonly string[],
  place: Place,
  max?: number,
): void {
  checkOptions(given, options, place)
  const names = Object.keys(given ?? {})
  if (names.length === 0) place.report('it has no members', `give ${options.join(' or ')}`)
  for (const name of names) if (options.includes(name)) checkNumber(given!, name, place, max)
}

function checkNumber(given: object, option: string, place: Place, max?: number): void {
  const value: unknown = (given as { readonly [name: string]: unknown })[option]
  const isWhole = Number.isSafeInteger(value) && (value as number) >= 1
  if (isWhole && (max === undefined || (value as number) <= max)) return
  place.report(
    `${option} is not a whole number from 1 ${max === undefined ? 'up' : `to ${max}`}`,
    max === undefined ? 'give the units for each second' : `give a number up to ${max}`,
  )
}
