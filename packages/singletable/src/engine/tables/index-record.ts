import type {
  GlobalSecondaryIndex,
  LocalSecondaryIndex,
  OnDemandThroughput as OnDemandThroughputShape,
  ProvisionedThroughput,
  WarmThroughput as WarmThroughputShape,
} from '../../wire/table-operations.ts'
import type {
  IndexRecord,
  OnDemandThroughput,
  Throughput,
  Transition,
  WarmThroughput,
} from '../catalog/table-record.ts'

/** The record of an index whose definition was found to be valid. */
export function indexRecord(
  definition: LocalSecondaryIndex | GlobalSecondaryIndex,
  options: {
    readonly id: number
    readonly kind: IndexRecord['kind']
    readonly transition?: Transition
  },
): IndexRecord {
  const { ProjectionType: type = 'ALL', NonKeyAttributes: attributes } = definition.Projection
  const global = options.kind === 'global' ? (definition as GlobalSecondaryIndex) : undefined
  return {
    name: definition.IndexName,
    keySchema: definition.KeySchema,
    projection: attributes === undefined ? { type } : { type, attributes },
    ...options,
    ...(global?.ProvisionedThroughput && {
      throughput: throughputOf(global.ProvisionedThroughput),
    }),
    ...(global?.OnDemandThroughput && {
      onDemandThroughput: boundsOf(global.OnDemandThroughput),
    }),
    ...(global?.WarmThroughput && { warmThroughput: warmthOf(global.WarmThroughput) }),
  }
}

export function throughputOf(throughput: ProvisionedThroughput): Throughput {
  return { read: throughput.ReadCapacityUnits, write: throughput.WriteCapacityUnits }
}

/** Bounds the request doesn't name stay as they were. */
export function boundsOf(
  bounds: OnDemandThroughputShape,
  current: OnDemandThroughput = { read: -1, write: -1 },
): OnDemandThroughput {
  return {
    read: bounds.MaxReadRequestUnits ?? current.read,
    write: bounds.MaxWriteRequestUnits ?? current.write,
  }
}

export function warmthOf(
  warm: WarmThroughputShape,
  current: WarmThroughput = { read: 0, write: 0 },
): WarmThroughput {
  return {
    read: warm.ReadUnitsPerSecond ?? current.read,
    write: warm.WriteUnitsPerSecond ?? current.write,
  }
}
