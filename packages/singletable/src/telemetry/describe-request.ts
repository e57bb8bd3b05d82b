import { SingletableError } from '../errors/singletable-error.ts'
import type { RequestEvent } from '../execute/send.ts'
import type { TelemetryAttributes } from './open-telemetry.ts'

/** The attributes of a request that have few values, so that metrics can be grouped by them:
 * OpenTelemetry's names first, then ours. */
export function metricAttributes(event: RequestEvent): TelemetryAttributes {
  const { table, entity, pattern, operation, index, error } = event
  return defined({
    'db.system.name': 'aws.dynamodb',
    'db.operation.name': operation,
    'db.collection.name': table,
    'aws.dynamodb.index_name': index,
    'error.type': error === undefined ? undefined : errorType(error),
    'singletable.entity': entity,
    'singletable.pattern': pattern,
  })
}

/** All that is reported about a request; no keys, no values. */
export function spanAttributes(event: RequestEvent): TelemetryAttributes {
  const { table, verb, retries, consumedCapacity } = event
  return {
    ...metricAttributes(event),
    ...defined({
      'rpc.system.name': 'aws-api',
      'aws.dynamodb.table_names': [table],
      'aws.dynamodb.consumed_capacity':
        consumedCapacity === undefined
          ? undefined
          : [consumedCapacity].flat().map((each) => JSON.stringify(each)),
      'singletable.verb': verb,
      'singletable.retries': retries,
    }),
  }
}

/** The stable code of our errors, or the service's name. */
export function errorType(error: unknown): string {
  if (SingletableError.is(error)) return error.code
  return error instanceof Error ? error.name : typeof error
}

/** The capacity units that were consumed, if the service reported them. */
export function capacityUnits({ consumedCapacity }: RequestEvent): number {
  const units = [consumedCapacity ?? []].flat().map((each) => Number(Object(each).CapacityUnits))
  return units.reduce((sum, each) => sum + (Number.isFinite(each) ? each : 0), 0)
}

function defined(attributes: {
  readonly [name: string]: TelemetryAttributes[string] | undefined
}): TelemetryAttributes {
  const result: TelemetryAttributes = {}
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) result[name] = value
  }
  return result
}
