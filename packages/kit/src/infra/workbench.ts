import type { Attribute, KeyPart, Model, Schema } from 'singletable/tools'
import type { SampledItem } from '../examples/read-sample.ts'
import { InfraError, InfraUsageError } from './infra-error.ts'
import type { IndexShape, KeyAttribute, TableShape } from './table-shape.ts'

/** The format of NoSQL Workbench's models that its published samples have. */
export const WORKBENCH_VERSION = '3.0'

/** The model would differ from day to day if it had the time of its making. */
const DATE = 'Jan 01, 2026, 12:00 AM'

export interface WorkbenchOptions {
  /** Indexes to leave out, because the format can't have them. */
  readonly omit?: readonly string[] | undefined
  /** Shown by Workbench's visualizer. */
  readonly items?: readonly SampledItem[] | undefined
}

/** A model for NoSQL Workbench: every model of the schema is a facet, with its templates as
 * aliases. */
export function workbenchModel(
  schema: Schema,
  shape: TableShape,
  { omit = [], items = [] }: WorkbenchOptions = {},
): object {
  const unknown = omit.find(
    (name) => ![...shape.global, ...shape.local].some((index) => index.name === name),
  )
  if (unknown !== undefined) {
    throw new InfraUsageError(
      `The table has no index "${unknown}".`,
      'give --omit the name of an index',
    )
  }
  const global = shape.global.filter(({ name }) => !omit.includes(name))
  const local = shape.local.filter(({ name }) => !omit.includes(name))
  const several = global.find(({ hash, sort }) => hash.length > 1 || sort.length > 1)
  const refused = several ?? local[0]
  if (refused !== undefined) {
    throw new InfraError(
      `The index "${refused.name}" ${several ? 'has several key attributes' : 'is local'}, and the format of Workbench's models (version ${WORKBENCH_VERSION}) has no place for that.`,
      `leave it out with --omit ${refused.name}`,
    )
  }
  return {
    ModelName: shape.name,
    ModelMetadata: {
      Author: '',
      DateCreated: DATE,
      DateLastModified: DATE,
      Description: '',
      AWSService: 'Amazon DynamoDB',
      Version: WORKBENCH_VERSION,
    },
    DataModel: [tableModel(schema, shape, global, items)],
  }
}

export function printWorkbench(
  schema: Schema,
  shape: TableShape,
  options?: WorkbenchOptions,
): string {
  return `${JSON.stringify(workbenchModel(schema, shape, options), undefined, 2)}\n`
}

function tableModel(
  schema: Schema,
  shape: TableShape,
  global: readonly IndexShape[],
  items: readonly SampledItem[],
): object {
  const keys = new Set([shape.hash, shape.sort])
  const others = new Map<string, string>()
  for (const model of schema.models.values()) {
    for (const { name, type } of storedAttributes(model)) {
      if (!keys.has(name) && !others.has(name)) others.set(name, type)
    }
  }
  // The keys of indexes are attributes of the table like any other.
  for (const { hash, sort } of global) {
    for (const name of [...hash, ...sort]) {
      if (!keys.has(name)) others.set(name, typeOf(name, shape.keys))
    }
  }
  const capacity = shape.capacity ?? { read: 5, write: 5 }
  const scaling = {
    ScalableTargetRequest: {
      MinCapacity: 1,
      MaxCapacity: Math.max(10, capacity.read, capacity.write),
      ServiceRole: 'AWSServiceRoleForApplicationAutoScaling_DynamoDBTable',
    },
    ScalingPolicyConfiguration: { TargetValue: 70 },
  }
  return {
    TableName: shape.name,
    KeyAttributes: keyAttributes([shape.hash], [shape.sort ?? []].flat(), shape.keys),
    NonKeyAttributes: [...others].map(([AttributeName, AttributeType]) => ({
      AttributeName,
      AttributeType,
    })),
    TableFacets: [...schema.models.values()].map((model) => facet(model, others, items)),
    GlobalSecondaryIndexes: global.map(({ name, hash, sort, projection }) => ({
      IndexName: name,
      KeyAttributes: keyAttributes(hash, sort, shape.keys),
      Projection:
        typeof projection === 'string'
          ? { ProjectionType: projection }
          : { ProjectionType: 'INCLUDE', NonKeyAttributes: projection },
    })),
    // Items are in their facets.
    TableData: [],
    DataAccess: { MySql: {} },
    BillingMode: shape.capacity ? 'PROVISIONED' : 'PAY_PER_REQUEST',
    // The samples have it in both modes.
    ProvisionedCapacitySettings: {
      ProvisionedThroughput: {
        ReadCapacityUnits: capacity.read,
        WriteCapacityUnits: capacity.write,
      },
      AutoScalingRead: scaling,
      AutoScalingWrite: scaling,
    },
  }
}

function facet(
  model: Model,
  others: ReadonlyMap<string, string>,
  items: readonly SampledItem[],
): object {
  const { primary, indexes } = model
  const [hash] = primary.hash
  const [sort] = primary.sort
  const names = new Set([
    ...storedAttributes(model).map(({ name }) => name),
    ...indexes.slice(1).flatMap((use) => [...use.hash, ...use.sort].map(({ name }) => name)),
  ])
  return {
    FacetName: model.name,
    KeyAttributeAlias: {
      PartitionKeyAlias: hash ? alias(hash) : '',
      ...(sort && { SortKeyAlias: alias(sort) }),
    },
    TableData: items.filter((each) => each.model.name === model.name).map(({ item }) => item),
    NonKeyAttributes: [...names].filter((name) => others.has(name)),
    DataAccess: { MySql: {} },
  }
}

function storedAttributes({ attributes, schema }: Model): readonly KeyName[] {
  const own = [...attributes.values()].flatMap(({ stored, codec }: Attribute) =>
    codec.unstored ? [] : { name: stored, type: codec.tag ?? 'S' },
  )
  return [...own, { name: schema.params.typeField, type: 'S' }]
}

interface KeyName {
  readonly name: string
  readonly type: string
}

/** `USER#${username}` is written `USER#<username>`. */
function alias({ template, attribute }: KeyPart): string {
  if (attribute) return `<${attribute.name}>`
  return template.source.replace(/\$\{([^}]*)\}/g, '<$1>')
}

function keyAttributes(
  hash: readonly string[],
  sort: readonly string[],
  keys: readonly KeyAttribute[],
): object {
  const [partition = ''] = hash
  const [sorting] = sort
  const attribute = (name: string): object => ({
    AttributeName: name,
    AttributeType: typeOf(name, keys),
  })
  return {
    PartitionKey: attribute(partition),
    ...(sorting !== undefined && { SortKey: attribute(sorting) }),
  }
}

function typeOf(name: string, keys: readonly KeyAttribute[]): string {
  return keys.find((key) => key.name === name)?.type ?? 'S'
}
