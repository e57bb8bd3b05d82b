import { didYouMean } from '../errors/did-you-mean.ts'
import { checkOptions } from './check-options.ts'
import type { Index } from './model.ts'
import type { Place } from './place.ts'
import type { TableDefinition } from './schema-definition.ts'
import { STREAM_VIEWS } from './table-request.ts'

const CAPACITY_OPTIONS = 'readCapacityUnits writeCapacityUnits'

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
    if (!['boolean', 'undefined'].includes(typeof table[option])) {
      place.report(`${option} is neither true nor false`, 'give true or false')
    }
  }
  const { billing } = table
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
          'name a global index, which alone has a capacity of its own',
        )
      }
    }
  })
}

function checkCapacity(capacity: object, options: string, place: Place): void {
  checkOptions(capacity, options, place)
  for (const option of CAPACITY_OPTIONS.split(' ')) {
    const units: unknown = (capacity as { readonly [name: string]: unknown })[option]
    if (Number.isSafeInteger(units) && (units as number) >= 1) continue
    place.report(`${option} is not a whole number from 1 on`, 'give the units for each second')
  }
}
