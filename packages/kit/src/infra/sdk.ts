import type { CreateTableRequest, Operations } from 'singletable/tools'
import { named, tableProperties } from './cloudformation.ts'
import { isSameKey, recoveryText, sameUnits } from './diff-shapes.ts'
import type { Extra } from './extra.ts'
import { camelName, pascalName } from './names.ts'
import { type Literal, printCode } from './print-code.ts'
import { describeStep, type Step } from './steps.ts'
import { AWS_MANAGED, type IndexShape, type TableShape } from './table-shape.ts'

type SSESpecification = NonNullable<CreateTableRequest['SSESpecification']>

/** One call, in the order in which they are made; each waits until the table is ACTIVE again. */
export type SdkCall = {
  readonly [TName in
    | 'CreateTable'
    | 'UpdateTable'
    | 'UpdateTimeToLive'
    | 'UpdateContinuousBackups']: {
    readonly operation: TName
    readonly request: Operations[TName]['request']
  }
}['CreateTable' | 'UpdateTable' | 'UpdateTimeToLive' | 'UpdateContinuousBackups']

/** What creates the table: time to live and backups are not part of CreateTable. */
export function createCalls(shape: TableShape, extra: Extra = {}): readonly SdkCall[] {
  // CloudFormation's properties are the members of CreateTable, but for those that are calls of
  // their own.
  const {
    TimeToLiveSpecification,
    PointInTimeRecoverySpecification,
    StreamSpecification,
    SSESpecification,
    ...members
  } = tableProperties(shape, extra) as unknown as CreateTableRequest & {
    TimeToLiveSpecification?: unknown
    PointInTimeRecoverySpecification?: unknown
  }
  const request: CreateTableRequest = {
    ...members,
    ...(shape.stream && {
      StreamSpecification: { ...StreamSpecification, StreamEnabled: true },
    }),
    ...(SSESpecification && { SSESpecification: encryption(shape.encryptionKey) }),
  }
  return [
    { operation: 'CreateTable', request },
    ...replicaUpdates({ ...shape, replicas: [], witness: undefined }, shape).map(
      (members): SdkCall => ({
        operation: 'UpdateTable',
        request: { TableName: shape.name, ...members },
      }),
    ),
    ...settingCalls(shape),
  ]
}

/**
 * The SDK names the switch of CloudFormation otherwise, and switches encryption off for keys of
 * DynamoDB's own.
 */
function encryption(key: string | undefined): SSESpecification {
  if (key === undefined) return { Enabled: false }
  return { Enabled: true, SSEType: 'KMS', ...(key !== AWS_MANAGED && { KMSMasterKeyId: key }) }
}

function settingCalls({
  name,
  ttl,
  pointInTimeRecovery,
  recoveryDays,
}: TableShape): readonly SdkCall[] {
  const calls: SdkCall[] = []
  if (ttl !== undefined) {
    calls.push({
      operation: 'UpdateTimeToLive',
      request: {
        TableName: name,
        TimeToLiveSpecification: { AttributeName: ttl, Enabled: true },
      },
    })
  }
  if (pointInTimeRecovery) {
    calls.push({
      operation: 'UpdateContinuousBackups',
      request: {
        TableName: name,
        PointInTimeRecoverySpecification: {
          PointInTimeRecoveryEnabled: true,
          ...(recoveryDays !== undefined && { RecoveryPeriodInDays: recoveryDays }),
        },
      },
    })
  }
  return calls
}

/** The calls of one step towards a schema: an index is made or removed, or the settings change. */
export function updateCalls({ change, shape, before }: Step): readonly SdkCall[] {
  const { name } = shape
  const { AttributeDefinitions, GlobalSecondaryIndexes } = tableProperties(
    shape,
  ) as unknown as CreateTableRequest
  const update = (members: Omit<Operations['UpdateTable']['request'], 'TableName'>): SdkCall => ({
    operation: 'UpdateTable',
    request: { TableName: name, ...members },
  })
  if (change.kind === 'delete') {
    return [update({ GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: change.index } }] })]
  }
  if (change.kind === 'create') {
    const Create = GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === change.index)
    return Create
      ? [update({ AttributeDefinitions, GlobalSecondaryIndexUpdates: [{ Create }] })]
      : []
  }
  return settingUpdates(before, shape, update)
}

/** DynamoDB takes these one by one, so each is a call of its own. */
function settingUpdates(
  before: TableShape,
  after: TableShape,
  update: (members: Omit<Operations['UpdateTable']['request'], 'TableName'>) => SdkCall,
): readonly SdkCall[] {
  const { name, capacity, stream } = after
  const calls: SdkCall[] = []
  if (!sameCapacity(before, after)) {
    const throughputOf = ({ read, write }: { read: number; write: number }) => ({
      ReadCapacityUnits: read,
      WriteCapacityUnits: write,
    })
    const updates = after.global.flatMap(({ name: IndexName, capacity: own }) =>
      own ? [{ Update: { IndexName, ProvisionedThroughput: throughputOf(own) } }] : [],
    )
    calls.push(
      update(
        capacity
          ? {
              BillingMode: 'PROVISIONED',
              ProvisionedThroughput: throughputOf(capacity),
              ...(updates.length > 0 && { GlobalSecondaryIndexUpdates: updates }),
            }
          : { BillingMode: 'PAY_PER_REQUEST' },
      ),
    )
  }
  if (before.stream !== stream) {
    // The view of a stream can't be changed; another stream takes its place.
    if (before.stream) calls.push(update({ StreamSpecification: { StreamEnabled: false } }))
    if (stream) {
      calls.push(update({ StreamSpecification: { StreamEnabled: true, StreamViewType: stream } }))
    }
  }
  if (before.infrequentAccess !== after.infrequentAccess) {
    calls.push(
      update({ TableClass: after.infrequentAccess ? 'STANDARD_INFREQUENT_ACCESS' : 'STANDARD' }),
    )
  }
  if (before.deletionProtection !== after.deletionProtection) {
    calls.push(update({ DeletionProtectionEnabled: after.deletionProtection }))
  }
  calls.push(...unitUpdates(before, after, !capacity).map(update))
  for (const index of after.global) {
    const { name: IndexName } = index
    const old = before.global.find((each) => each.name === IndexName) ?? index
    for (const units of unitUpdates(old, index, !capacity)) {
      calls.push(update({ GlobalSecondaryIndexUpdates: [{ Update: { IndexName, ...units } }] }))
    }
  }
  if (!isSameKey(before.encryptionKey, after.encryptionKey)) {
    calls.push(update({ SSESpecification: encryption(after.encryptionKey) }))
  }
  calls.push(...replicaUpdates(before, after).map(update))
  if (before.ttl !== undefined && before.ttl !== after.ttl) {
    const TimeToLiveSpecification = { AttributeName: before.ttl, Enabled: false }
    calls.push({
      operation: 'UpdateTimeToLive',
      request: { TableName: name, TimeToLiveSpecification },
    })
  }
  const isBackedUp =
    !after.pointInTimeRecovery ||
    (before.pointInTimeRecovery && recoveryText(before) === recoveryText(after))
  const isTimed = before.ttl === after.ttl
  calls.push(
    ...settingCalls({
      ...after,
      ttl: isTimed ? undefined : after.ttl,
      pointInTimeRecovery: !isBackedUp,
    }),
  )
  if (before.pointInTimeRecovery && !after.pointInTimeRecovery) {
    calls.push({
      operation: 'UpdateContinuousBackups',
      request: {
        TableName: name,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false },
      },
    })
  }
  return calls
}

/** What makes and deletes replicas: those of strong consistency all at once, others one by one. */
function replicaUpdates(
  before: TableShape,
  after: TableShape,
): Omit<Operations['UpdateTable']['request'], 'TableName'>[] {
  const { encryptionKey: key } = after
  const own = key !== undefined && key !== AWS_MANAGED && { KMSMasterKeyId: key }
  const added = after.replicas.filter((region) => !before.replicas.includes(region))
  const removed = before.replicas.filter((region) => !after.replicas.includes(region))
  const updates = [
    ...removed.map((RegionName) => ({ Delete: { RegionName } })),
    ...added.map((RegionName) => ({ Create: { RegionName, ...own } })),
  ]
  if (!(before.isStrong && before.replicas.length > 0) && !after.isStrong) {
    return updates.map((each) => ({ ReplicaUpdates: [each] }))
  }
  const witnesses = [
    ...(before.witness === undefined ? [] : [{ Delete: { RegionName: before.witness } }]),
    ...(after.witness === undefined ? [] : [{ Create: { RegionName: after.witness } }]),
  ]
  if (updates.length === 0 && before.witness === after.witness) return []
  return [
    {
      ...(updates.length > 0 && { ReplicaUpdates: updates }),
      ...(added.length > 0 && { MultiRegionConsistency: 'STRONG' }),
      ...(before.witness !== after.witness && { GlobalTableWitnessUpdates: witnesses }),
    },
  ]
}

/** What changes in what the table or an index serves each second at most, and at once. */
function unitUpdates(
  before: Pick<IndexShape, 'maximum' | 'warm'>,
  after: Pick<IndexShape, 'maximum' | 'warm'>,
  isOnDemand: boolean,
): Pick<CreateTableRequest, 'OnDemandThroughput' | 'WarmThroughput'>[] {
  const updates = []
  if (isOnDemand && !sameUnits(before.maximum, after.maximum)) {
    // What has no maximum any more is said so.
    const { read = -1, write = -1 } = after.maximum ?? {}
    updates.push({ OnDemandThroughput: { MaxReadRequestUnits: read, MaxWriteRequestUnits: write } })
  }
  if (after.warm && !sameUnits(before.warm, after.warm)) {
    updates.push({ WarmThroughput: named(after.warm, 'ReadUnitsPerSecond', 'WriteUnitsPerSecond') })
  }
  return updates
}

function sameCapacity(before: TableShape, after: TableShape): boolean {
  const text = ({ capacity, global }: TableShape): string =>
    JSON.stringify([capacity, global.map(({ name, capacity: own }: IndexShape) => [name, own])])
  return text(before) === text(after)
}

/** A module with the inputs of the SDK's commands. */
export function printSdk(shape: TableShape, extra?: Extra): string {
  return printCalls(shape.name, createCalls(shape, extra), [])
}

/** A module with the inputs that bring a table some steps on. */
export function printSdkSteps(table: string, steps: readonly Step[]): string {
  return printCalls(table, steps.flatMap(updateCalls), steps.map(describeStep))
}

function printCalls(name: string, calls: readonly SdkCall[], notes: readonly string[]): string {
  const types = [...new Set(calls.map(({ operation }) => `${operation}CommandInput`))].sort()
  const used = new Map<string, number>()
  const constants = calls.map(({ operation, request }) => {
    const count = (used.get(operation) ?? 0) + 1
    used.set(operation, count)
    const constant = constantName(operation, name, count)
    // Requests are plain data.
    return `export const ${constant}: ${operation}CommandInput = ${printCode(request as unknown as Literal)}\n`
  })
  return [
    ...(types.length > 0
      ? [`import type { ${types.join(', ')} } from '@aws-sdk/client-dynamodb'\n`]
      : []),
    [
      '// Send these in this order. Wait until the table is ACTIVE before each next one.',
      ...notes.map((note) => `// ${note}`),
      '',
    ].join('\n'),
    ...constants,
  ].join('\n')
}

function constantName(operation: string, table: string, count: number): string {
  const word = operation.replace(/Table|TimeToLive|ContinuousBackups/, '')
  const what = operation.slice(word.length)
  const suffix = what === 'Table' ? 'Table' : what
  return `${camelName(word)}${pascalName(table)}${suffix}${count > 1 ? count : ''}`
}
