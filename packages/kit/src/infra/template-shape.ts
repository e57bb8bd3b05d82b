import { InfraError } from './infra-error.ts'
import { parseYaml } from './parse-yaml.ts'
import {
  type Capacity,
  indexShape,
  type KeyAttribute,
  orderedKeys,
  type StreamView,
  type TableShape,
  type WireIndex,
} from './table-shape.ts'

/** The properties of the resource that are read; CloudFormation's own reference says what they are. */
interface TableProperties {
  readonly TableName?: unknown
  readonly AttributeDefinitions: readonly {
    AttributeName: string
    AttributeType: KeyAttribute['type']
  }[]
  readonly KeySchema: WireIndex['KeySchema']
  readonly GlobalSecondaryIndexes?: readonly (WireIndex & Provisioned)[]
  readonly LocalSecondaryIndexes?: readonly WireIndex[]
  readonly TimeToLiveSpecification?: { AttributeName?: string; Enabled?: boolean }
  readonly StreamSpecification?: { StreamViewType?: StreamView }
  readonly PointInTimeRecoverySpecification?: { PointInTimeRecoveryEnabled?: boolean }
  readonly DeletionProtectionEnabled?: boolean
  readonly TableClass?: string
  readonly BillingMode?: string
  readonly ProvisionedThroughput?: Provisioned['ProvisionedThroughput'] | undefined
  readonly Tags?: readonly { Key: string; Value: string }[]
}

interface Provisioned {
  readonly ProvisionedThroughput?:
    | { ReadCapacityUnits: number; WriteCapacityUnits: number }
    | undefined
}

/** Reads a table from the text of a CloudFormation, SAM or Serverless template, in JSON or in the YAML that this command writes. */
export function templateShape(text: string, file: string, table: string): TableShape {
  const template = text.trimStart().startsWith('{') ? parseJson(text, file) : parseYaml(text)
  const found = resourcesOf(template).filter(
    (resource) => member(resource, 'Type') === 'AWS::DynamoDB::Table',
  )
  const named = found.filter(
    (resource) => member(member(resource, 'Properties'), 'TableName') === table,
  )
  const [resource, ...others] = named.length > 0 ? named : found
  if (resource === undefined || others.length > 0) {
    throw new InfraError(
      resource === undefined
        ? `${file} has no AWS::DynamoDB::Table.`
        : `${file} has ${found.length} tables, and none alone is called "${table}".`,
      'give a template with the table under its name, or compare with the live one by --from live',
    )
  }
  const properties = member(resource, 'Properties')
  try {
    // What is not as the reference says throws below, or is no text where one is needed.
    return propertiesShape(properties as TableProperties, table)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new InfraError(
      `${file} has a table whose keys or indexes can't be read.`,
      'give a template in which they are written out, without functions',
    )
  }
}

function propertiesShape(properties: TableProperties, name: string): TableShape {
  const isOnDemand = properties.BillingMode === 'PAY_PER_REQUEST'
  const capacityOf = ({ ProvisionedThroughput: units }: Provisioned): Capacity | undefined =>
    isOnDemand || !units
      ? undefined
      : { read: Number(units.ReadCapacityUnits), write: Number(units.WriteCapacityUnits) }
  const primary = indexShape({ IndexName: 'primary', KeySchema: properties.KeySchema })
  const ttl = properties.TimeToLiveSpecification
  const [hash = ''] = primary.hash
  const shape = {
    name,
    hash,
    sort: primary.sort[0],
    global: (properties.GlobalSecondaryIndexes ?? []).map((index) => ({
      ...indexShape(index),
      capacity: capacityOf(index),
    })),
    local: (properties.LocalSecondaryIndexes ?? []).map(indexShape),
    ttl: ttl?.Enabled ? ttl.AttributeName : undefined,
    stream: properties.StreamSpecification?.StreamViewType,
    capacity: capacityOf(properties),
    pointInTimeRecovery:
      properties.PointInTimeRecoverySpecification?.PointInTimeRecoveryEnabled ?? false,
    deletionProtection: properties.DeletionProtectionEnabled ?? false,
    infrequentAccess: properties.TableClass === 'STANDARD_INFREQUENT_ACCESS',
    tags: new Map((properties.Tags ?? []).map(({ Key, Value }) => [Key, Value])),
  }
  const types = new Map(
    properties.AttributeDefinitions.map((each) => [each.AttributeName, each.AttributeType]),
  )
  return { ...shape, keys: orderedKeys(shape, types) }
}

/** The resources of a template, of the part for serverless.yml, or the one that the file is. */
function resourcesOf(template: unknown): readonly unknown[] {
  const resources =
    member(template, 'Resources') ?? member(member(template, 'resources'), 'Resources')
  return typeof resources === 'object' && resources !== null ? Object.values(resources) : [template]
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  // The member was just found to be the object's own.
  return (value as { readonly [name: string]: unknown })[name]
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new InfraError(
      `${file} can't be read as JSON: ${error instanceof Error ? error.message : String(error)}.`,
      'give a whole template',
    )
  }
}
