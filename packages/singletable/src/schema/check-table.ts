import { didYouMean } from '../errors/did-you-mean.ts'
import { kindOfValue, showValue } from '../errors/show-value.ts'
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
    checkUnits(table.onDemandThroughput, ['maxReadRequestUnits', 'maxWriteRequestUnits'], at)
    if (typeof billing === 'object') {
      at.report('the table is not on demand', 'leave it out, or leave billing out')
    }
  })
  inside('warmThroughput', (at) => {
    checkUnits(table.warmThroughput, ['readUnitsPerSecond', 'writeUnitsPerSecond'], at)
  })
  if (typeof encryption !== 'object') oneOf('encryption', ['aws-owned', 'aws-managed'])
  else {
    inside('encryption', (at) => {
      checkOptions(encryption, 'kmsKey', at)
      if (typeof encryption.kmsKey === 'string' && encryption.kmsKey !== '') return
      at.report('kmsKey is not a string', 'give the id, ARN or alias of the key')
    })
  }
  inside('replicas', (at) => checkReplicas(table, at))
  oneOf('multiRegionConsistency', ['eventual', 'strong'])
  for (const option of ['multiRegionConsistency', 'witness'] as const) {
    if (table[option] !== undefined && table.replicas === undefined) {
      place.report(`${option} needs replicas`, 'name other regions under replicas, or leave it out')
    }
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
    checkIndexes(billing, at, (own, inside) => checkCapacity(own, CAPACITY_OPTIONS, inside))
  })

  /** Units of the table and of its global indexes. */
  function checkUnits(
    units: { readonly indexes?: object } | null | undefined,
    options: readonly string[],
    at: Place,
  ): void {
    checkNumbers(units, [...options, 'indexes'], at)
    checkIndexes(units!, at, (own, inside) => checkNumbers(own, options, inside))
  }

  /** What each of some global indexes has of its own. */
  function checkIndexes(
    given: { readonly indexes?: object | undefined },
    at: Place,
    check: (own: object, inside: Place) => void,
  ): void {
    if (given.indexes === undefined) return
    const names = [...indexes.values()].flatMap(({ name, type }) => (type === 'global' ? name : []))
    for (const [name, own] of entriesOf(given.indexes, at.at('indexes'))) {
      const inside = at.at(`index "${name}"`, { index: name })
      if (names.includes(name)) inside.attempt(() => check(own as object, inside))
      else {
        inside.report(
          `"${name}" is not a global index${didYouMean(name, names)}`,
          'name a global index: only those have a capacity of their own',
        )
      }
    }
  }
}

const REGION = /^[a-z]{2,}(-[a-z]+)+-\d+$/

/** Reports what no global table can be. */
function checkReplicas(table: TableDefinition, place: Place): void {
  const { replicas, witness, encryption, stream, billing } = table
  const isStrong = table.multiRegionConsistency === 'strong'
  if (!Array.isArray(replicas) || replicas.length === 0) {
    place.report('it is not a list of regions', "give regions, as in ['eu-west-1']")
    return
  }
  const regions = [...replicas, ...(witness === undefined ? [] : [witness])]
  for (const [at, region] of regions.entries()) {
    if (typeof region !== 'string' || !REGION.test(region)) {
      place.report(
        `${showValue(region) ?? kindOfValue(region)} is not the name of a region`,
        'give the name of a region, such as eu-west-1',
      )
    } else if (regions.indexOf(region) < at) {
      place.report(`"${region}" is there twice`, 'name each region once')
    }
  }
  if (isStrong && regions.length !== 2) {
    place.report(
      `strong consistency takes three regions, and this table is in ${regions.length + 1}`,
      'name two replicas, or one and a witness',
    )
  }
  if (!isStrong && witness !== undefined) {
    place.report('only strong consistency has a witness', 'leave witness out')
  }
  if (!isStrong && stream !== 'new-and-old') {
    place.report("replicas need the stream 'new-and-old'", "add stream: 'new-and-old'")
  }
  if (typeof billing === 'object') {
    place.report('replicas need a table on demand', 'leave billing out')
  }
  if (typeof encryption === 'object' && !encryption.kmsKey.startsWith('alias/')) {
    place.report(
      'a key belongs to one region, and replicas need one in each',
      'give kmsKey as an alias that every region has',
    )
  }
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
  for (const name of names) {
    if (options.includes(name) && name !== 'indexes') checkNumber(given!, name, place, max)
  }
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
