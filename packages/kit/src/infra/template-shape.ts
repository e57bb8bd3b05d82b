import type { CreateTableRequest } from 'singletable/tools'
import type { Aspect, FoundTable } from './diff-shapes.ts'
import { InfraError } from './infra-error.ts'
import { member, type Resource, readTemplate, Unresolved } from './read-template.ts'
import {
  AWS_MANAGED,
  type Capacity,
  indexShape,
  type KeyAttribute,
  maximumOf,
  orderedKeys,
  type StreamView,
  type Units,
  type WireIndex,
  warmthOf,
} from './table-shape.ts'

/** The properties of the resource that are read; CloudFormation's own reference says what they
 * are. */
interface TableProperties {
  readonly AttributeDefinitions: readonly {
    AttributeName: string
    AttributeType: KeyAttribute['type']
  }[]
  readonly KeySchema: WireIndex['KeySchema']
  readonly GlobalSecondaryIndexes?: readonly (WireIndex & Provisioned)[]
  readonly LocalSecondaryIndexes?: readonly WireIndex[]
  readonly TimeToLiveSpecification?: { AttributeName?: string; Enabled?: unknown }
  readonly StreamSpecification?: { StreamViewType?: StreamView }
  readonly PointInTimeRecoverySpecification?: {
    PointInTimeRecoveryEnabled?: unknown
    RecoveryPeriodInDays?: number
  }
  readonly OnDemandThroughput?: CreateTableRequest['OnDemandThroughput']
  readonly WarmThroughput?: CreateTableRequest['WarmThroughput']
  readonly SSESpecification?: { SSEEnabled?: unknown; KMSMasterKeyId?: string }
  readonly DeletionProtectionEnabled?: unknown
  readonly TableClass?: string
  readonly BillingMode?: string
  readonly ProvisionedThroughput?: Provisioned['ProvisionedThroughput']
  readonly Tags?: readonly { Key: string; Value: string }[]
  /** Of a global table: what each region has of its own. */
  readonly Replicas?: readonly (Partial<TableProperties> & { readonly Region?: unknown })[]
  readonly MultiRegionConsistency?: string
  readonly GlobalTableWitnesses?: readonly { readonly Region?: string }[]
  readonly ReadOnDemandThroughputSettings?: { readonly MaxReadRequestUnits?: number }
  readonly WriteOnDemandThroughputSettings?: { readonly MaxWriteRequestUnits?: number }
}

interface Provisioned {
  readonly ProvisionedThroughput?:
    | { ReadCapacityUnits: number; WriteCapacityUnits: number }
    | undefined
  readonly OnDemandThroughput?: CreateTableRequest['OnDemandThroughput']
  readonly WarmThroughput?: CreateTableRequest['WarmThroughput']
  readonly ReadOnDemandThroughputSettings?: { readonly MaxReadRequestUnits?: number }
  readonly WriteOnDemandThroughputSettings?: { readonly MaxWriteRequestUnits?: number }
}

const TABLE_TYPES: readonly unknown[] = ['AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable']

/** Which table of a template: by the name it has in DynamoDB, or by its logical id. */
export interface TemplateTable {
  readonly table: string
  readonly resource?: string | undefined
}

/** A table of a template, and what of it the template alone does not say. */
export function templateTable(text: string, file: string, asked: TemplateTable): FoundTable {
  const { resources, assumed } = readTemplate(text, file)
  const resource = chooseTable(resources, file, asked)
  try {
    // What is not as the reference says throws below, or is not a string where one is needed.
    const properties = resource.properties as TableProperties
    return { ...propertiesShape(properties, asked.table, file), assumed }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new InfraError(
      `${file} has a table whose keys or indexes can't be read.`,
      'write them as lists, as the reference of CloudFormation has them',
    )
  }
}

function chooseTable(
  resources: readonly Resource[],
  file: string,
  { table, resource }: TemplateTable,
): Resource {
  const tables = resources.filter(({ type }) => TABLE_TYPES.includes(type))
  const isAsked = ({ id, properties }: Resource): boolean =>
    resource === undefined ? member(properties, 'TableName') === table : id === resource
  const named = tables.filter(isAsked)
  const found = named.length > 0 || resource !== undefined ? named : tables
  const [only, ...others] = found
  if (only && others.length === 0) return only
  const ids = tables.map(({ id }) => id).join(', ')
  throw new InfraError(
    tables.length === 0
      ? `${file} has no AWS::DynamoDB::Table.`
      : resource !== undefined
        ? `${file} has no table with the logical id "${resource}".`
        : `${file} has ${tables.length} tables, and not exactly one is called "${table}".`,
    tables.length === 0
      ? 'give the template that has the table'
      : `pass --resource, one of: ${ids}`,
  )
}

function propertiesShape(
  { Replicas = [], ...own }: TableProperties,
  name: string,
  file: string,
): Omit<FoundTable, 'assumed'> {
  // The settings of a global table's regions are alike for all that is compared.
  const { GlobalSecondaryIndexes: bounds = [], ...replica }: Partial<TableProperties> =
    Replicas[0] ?? {}
  const properties: TableProperties = { ...own, ...replica }
  const unknown = new Set<Aspect>()
  /** A setting that depends on the deployment is not known. */
  const setting = <T>(aspect: Aspect, value: T): T | undefined => {
    if (findUnresolved(value) === undefined) return value
    unknown.add(aspect)
    return undefined
  }
  /** Without keys and indexes there is nothing to compare. */
  const required = <T>(what: string, value: T): T => {
    const unresolved = findUnresolved(value)
    if (unresolved === undefined) return value
    throw new InfraError(
      `${file}: ${what} depends on ${unresolved.text}, which the template does not determine.`,
      'give the parameter a default, write the value itself, or use the live table: --from live',
    )
  }
  const billing = setting('billing', properties.BillingMode)
  const capacityOf = ({ ProvisionedThroughput: units }: Provisioned): Capacity | undefined => {
    if (billing === 'PAY_PER_REQUEST' || unknown.has('billing')) return undefined
    const known = setting('billing', units)
    // A global table has scaling policies in its place.
    if (known === undefined) unknown.add('billing')
    return (
      known && { read: Number(known.ReadCapacityUnits), write: Number(known.WriteCapacityUnits) }
    )
  }
  const indexOf = (index: WireIndex): ReturnType<typeof indexShape> => {
    const { IndexName, KeySchema, Projection } = index
    return indexShape(required('an index', { IndexName, KeySchema, Projection }))
  }
  const listOf = <T>(what: string, list: readonly T[] = []): readonly T[] => {
    // An element may be a function as well, such as an index that only some stages have.
    for (const each of [list].flat()) if (each instanceof Unresolved) required(what, each)
    return list
  }
  /** A global table has writes in common, and reads in each region. */
  const boundsOf = (shared: Provisioned, regional: Provisioned | undefined): Units | undefined =>
    maximumOf(
      setting('billing', {
        ...shared.OnDemandThroughput,
        ...regional?.ReadOnDemandThroughputSettings,
        ...shared.WriteOnDemandThroughputSettings,
      }),
    )
  // The region of the stack is one of them; if all have names, it is not known which.
  const named = Replicas.flatMap(({ Region }) => (typeof Region === 'string' ? [Region] : []))
  if (named.length > 1 && named.length === Replicas.length) unknown.add('replicas')
  const KeySchema = required('KeySchema', properties.KeySchema)
  const primary = indexShape({ IndexName: 'primary', KeySchema })
  const ttl = setting('ttl', properties.TimeToLiveSpecification)
  const sse = setting('encryption', properties.SSESpecification)
  const recovery = setting('backups', properties.PointInTimeRecoverySpecification)
  const shape = {
    name,
    hash: primary.hash[0] ?? '',
    sort: primary.sort[0],
    global: listOf('GlobalSecondaryIndexes', properties.GlobalSecondaryIndexes).map((index) => ({
      ...indexOf(index),
      capacity: capacityOf(index),
      maximum: boundsOf(
        index,
        bounds.find(({ IndexName }) => IndexName === index.IndexName),
      ),
      warm: warmthOf(setting('warmth', index.WarmThroughput)),
    })),
    local: listOf('LocalSecondaryIndexes', properties.LocalSecondaryIndexes).map(indexOf),
    ttl: isOn(ttl?.Enabled) ? ttl?.AttributeName : undefined,
    stream: setting('stream', properties.StreamSpecification)?.StreamViewType,
    capacity: capacityOf(properties),
    maximum: boundsOf(properties, properties),
    warm: warmthOf(setting('warmth', properties.WarmThroughput)),
    pointInTimeRecovery: isOn(recovery?.PointInTimeRecoveryEnabled),
    recoveryDays:
      recovery?.RecoveryPeriodInDays === undefined
        ? undefined
        : Number(recovery.RecoveryPeriodInDays),
    encryptionKey: isOn(sse?.SSEEnabled) ? (sse?.KMSMasterKeyId ?? AWS_MANAGED) : undefined,
    replicas: named.length === Replicas.length ? [] : named,
    isStrong: setting('replicas', properties.MultiRegionConsistency) === 'STRONG',
    witness: setting('replicas', properties.GlobalTableWitnesses)?.[0]?.Region,
    deletionProtection: isOn(setting('protection', properties.DeletionProtectionEnabled)),
    infrequentAccess: setting('class', properties.TableClass) === 'STANDARD_INFREQUENT_ACCESS',
    tags: new Map((setting('tags', properties.Tags) ?? []).map(({ Key, Value }) => [Key, Value])),
  }
  const types = new Map(
    required('AttributeDefinitions', properties.AttributeDefinitions).map((each) => [
      each.AttributeName,
      each.AttributeType,
    ]),
  )
  return { shape: { ...shape, keys: orderedKeys(shape, types) }, unknown: [...unknown] }
}

/** The first value inside that only the deployment knows. */
function findUnresolved(value: unknown): Unresolved | undefined {
  if (value instanceof Unresolved) return value
  if (typeof value !== 'object' || value === null) return undefined
  for (const each of Object.values(value)) {
    const found = findUnresolved(each)
    if (found) return found
  }
  return undefined
}

/** CloudFormation reads YAML 1.1, and strings in place of booleans. */
function isOn(value: unknown): boolean {
  return /^(true|yes|on)$/i.test(String(value))
}
