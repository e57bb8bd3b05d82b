import type { KeyType } from '../../values/attribute-value.ts'
import { entryPrefix } from '../storage/storage-keys.ts'
import type { IndexRecord, KeySchemaElement, TableRecord } from './table-record.ts'

export interface KeyAttribute {
  readonly name: string
  readonly type: KeyType
}

/** The primary index, a GSI or an LSI, made ready for reading and writing items. */
export interface Index {
  /** Undefined for the primary index. */
  readonly name: string | undefined
  readonly kind: 'primary' | 'global' | 'local'
  readonly id: number
  readonly partition: readonly KeyAttribute[]
  readonly sort: readonly KeyAttribute[]
  /** Partition key and sort key together, in this order. */
  readonly keyAttributes: readonly KeyAttribute[]
  /** Attributes an entry holds, or undefined for all of them. */
  readonly projected: ReadonlySet<string> | undefined
  /** First part of the storage key of each entry. */
  readonly prefix: string
  readonly record: IndexRecord | undefined
}

/** A table made ready for reading and writing items; made again when its record changes. */
export interface Table {
  readonly record: TableRecord
  readonly name: string
  readonly primary: Index
  readonly secondary: readonly Index[]
  readonly hasLocalIndexes: boolean
  /** The names of the primary key's attributes, partition key first. */
  readonly keyNames: readonly string[]
}

export function compileTable(record: TableRecord): Table {
  const types = new Map<string, KeyType>()
  for (const definition of record.attributeDefinitions) {
    types.set(definition.AttributeName, definition.AttributeType)
  }
  const keyNames = record.keySchema.map((element) => element.AttributeName)
  const primary: Index = {
    name: undefined,
    kind: 'primary',
    id: 0,
    ...splitKeySchema(record.keySchema, types),
    projected: undefined,
    prefix: entryPrefix(record.id, 0),
    record: undefined,
  }
  const secondary = record.indexes.map((index) => compileIndex(record, index, types))
  return {
    record,
    name: record.name,
    primary,
    secondary,
    hasLocalIndexes: secondary.some((index) => index.kind === 'local'),
    keyNames,
  }
}

function compileIndex(
  record: TableRecord,
  index: IndexRecord,
  types: ReadonlyMap<string, KeyType>,
): Index {
  const projected = new Set<string>()
  for (const element of record.keySchema) projected.add(element.AttributeName)
  for (const element of index.keySchema) projected.add(element.AttributeName)
  for (const name of index.projection.attributes ?? []) projected.add(name)
  return {
    name: index.name,
    kind: index.kind,
    id: index.id,
    ...splitKeySchema(index.keySchema, types),
    projected: index.projection.type === 'ALL' ? undefined : projected,
    prefix: entryPrefix(record.id, index.id),
    record: index,
  }
}

function splitKeySchema(
  keySchema: readonly KeySchemaElement[],
  types: ReadonlyMap<string, KeyType>,
): Pick<Index, 'partition' | 'sort' | 'keyAttributes'> {
  const attributes = (role: string) =>
    keySchema
      .filter((element) => element.KeyType === role)
      .map((element) => ({
        name: element.AttributeName,
        type: types.get(element.AttributeName) ?? 'S',
      }))
  const partition = attributes('HASH')
  const sort = attributes('RANGE')
  return { partition, sort, keyAttributes: [...partition, ...sort] }
}

/** `ACTIVE` once it is filled and the transition under way, if any, has ended by the clock. */
export function transitionStatus(
  record: Pick<IndexRecord, 'transition' | 'filling'>,
  nowMs: number,
): string {
  const { transition, filling } = record
  if (filling) return 'CREATING'
  return transition !== undefined && nowMs < transition.endsMs ? transition.status : 'ACTIVE'
}
