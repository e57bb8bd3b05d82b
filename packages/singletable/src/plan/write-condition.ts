import type { PrintedPlaceholders } from '../expression/print.ts'
import { refuseInput } from '../schema/input-issues.ts'
import type { Model } from '../schema/model.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import type { Expectations } from './plan.ts'
import type { PlanContext } from './plan-context.ts'
import { printWhere } from './print-where.ts'
import type { Where } from './where.ts'

/** Current values by stored name; `undefined` is no attribute. */
export type KnownValues = ReadonlyMap<string, AttributeValue | undefined>

export const NOTHING_KNOWN: KnownValues = new Map()

/** Those of an item. */
export function knownValues(names: readonly string[], item: Item | undefined): KnownValues {
  return new Map(names.map((name) => [name, item && getOwn(item, name)]))
}

interface ConditionalWrite {
  readonly model: Model
  readonly place: string
  readonly where: Where | undefined
  readonly expects: Expectations
  /** It makes the item where there is none, and an expired one counts as none. */
  readonly creates: boolean
  readonly known: KnownValues
  readonly context: PlanContext
}

/** The text of all that a write takes for granted about the item under its key; empty if that is nothing. */
export function printWriteCondition(
  { model, place, where, expects, creates, known, context }: ConditionalWrite,
  placeholders: PrintedPlaceholders,
): string {
  const { exists, absent, version } = expects
  const parts: string[] = []
  const addIs = (stored: string, value: AttributeValue | undefined): void => {
    const name = placeholders.name(stored)
    parts.push(
      value === undefined
        ? `attribute_not_exists(${name})`
        : `${name} = ${placeholders.value(value)}`,
    )
  }
  const hash = (): string => placeholders.name(model.schema.primary.hash[0]!)
  if (exists) parts.push(`attribute_exists(${hash()})`)
  // DynamoDB deletes an item some time after its time to live is over; until then it counts as absent.
  if (model.ttl && (exists || absent || creates)) {
    const ttl = placeholders.name(model.ttl.stored)
    const now = placeholders.value({ N: String(Math.floor(context.environment.now() / 1000)) })
    parts.push(
      absent
        ? `(attribute_not_exists(${hash()}) OR ${ttl} <= ${now})`
        : `(attribute_not_exists(${ttl}) OR ${ttl} > ${now})`,
    )
  } else if (absent) parts.push(`attribute_not_exists(${hash()})`)
  if (version !== undefined) {
    if (model.version === undefined || !Number.isSafeInteger(version)) {
      return refuseInput(
        [{ path: [], message: `${model.name} has no version ${version}` }],
        place,
        'declare a Number attribute with version: true, and give the version that was read',
      )
    }
    addIs(model.version.stored, { N: String(version) })
  }
  if (where !== undefined) {
    parts.push(printWhere(where, model, place, placeholders))
  }
  for (const [stored, value] of known) addIs(stored, value)
  return parts.join(' AND ')
}
