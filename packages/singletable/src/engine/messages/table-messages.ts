import { ServiceError } from '../../wire/service-error.ts'
import { INVALID } from './request-messages.ts'

/** Messages about definitions of tables and indexes, and about changes of them. */

const IN_USE = 'Attempt to change a resource which is still in use: '

export const TABLE_NAME_REQUIRED =
  "The parameter 'TableName' is required but was not present in the request"

// Keys and attribute definitions

export const KEY_WITHOUT_DEFINITION =
  'Invalid KeySchema: Some index key attribute have no definition'
export const DEFINITIONS_UNUSED: string = `${INVALID}Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions`
export const FIRST_KEY_NOT_HASH =
  'Invalid KeySchema: The first KeySchemaElement is not a HASH key type'
export const SECOND_KEY_NOT_RANGE =
  'Invalid KeySchema: The second KeySchemaElement is not a RANGE key type'
export const KEYS_SAME_NAME =
  'Both the Hash Key and the Range Key element in the KeySchema have the same name'
export const KEYS_REPEATED_NAME =
  'The KeySchema contains multiple key attributes with the same name'
export const HASH_AFTER_RANGE: string = `${INVALID}All HASH key attributes must precede RANGE key attributes in the KeySchema`

export function keysNotDefined(keys: readonly string[], definitions: readonly string[]): string {
  return `${INVALID}Some index key attributes are not defined in AttributeDefinitions. Keys: [${keys.join(', ')}], AttributeDefinitions: [${definitions.join(', ')}]`
}
export function indexDefinitionsUnused(
  definitions: readonly string[],
  used: readonly string[],
): string {
  return `${INVALID}Some AttributeDefinitions are not used. AttributeDefinitions: [${definitions.join(', ')}], keys used: [${used.join(', ')}]`
}
export function definitionRepeated(name: string): string {
  return `Attribute Name is duplicated: ${name}`
}
export function tooManyKeyAttributes(role: 'HASH' | 'RANGE'): string {
  return `${INVALID}The KeySchema exceeds the maximum allowed number of ${role} key attributes`
}

/** AWS prints the clashing definition as a schema of one element, whatever role the attribute
 * has. */
export function attributeRedefined(name: string, types: { old: string; new: string }): string {
  const schema = (type: string) => `Schema:[SchemaElement: key{${name}:${type}:HASH}]`
  return `${INVALID}Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. Existing schema: ${schema(types.old)} New schema: ${schema(types.new)}`
}

// Indexes

export const LOCAL_INDEXES_EMPTY: string = `${INVALID}List of LocalSecondaryIndexes is empty`
export const GLOBAL_INDEXES_EMPTY: string = `${INVALID}List of GlobalSecondaryIndexes is empty`
export const LOCAL_INDEX_NEEDS_RANGE_KEY: string = `${INVALID}Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex`
export const PROJECTION_TYPE_MISSING: string = `${INVALID}Unknown ProjectionType: null`
export const PROJECTION_INCLUDES_NOTHING: string = `${INVALID}ProjectionType is INCLUDE, but NonKeyAttributes is not specified`

export function indexWithoutRangeKey(index: string): string {
  return `${INVALID}Index KeySchema does not have a range key for index: ${index}`
}
export function indexOtherHashKey(index: string, indexKey: string, tableKey: string): string {
  return `${INVALID}Index KeySchema does not have the same leading hash key as table KeySchema for index: ${index}. index hash key: ${indexKey}, table hash key: ${tableKey}`
}
export function projectionWithAttributes(type: string): string {
  return `${INVALID}ProjectionType is ${type}, but NonKeyAttributes is specified`
}
export function projectionRepeats(name: string): string {
  return `${INVALID}Duplicate element in NonKeyAttributes: ${name}`
}
/** Ours: AWS's own text for this case is not known. */
export function projectionsTooLarge(max: number): string {
  return `${INVALID}Number of NonKeyAttributes in all indexes exceeds the per-table limit of ${max}`
}
export function indexNameRepeated(index: string): string {
  return `${INVALID}Duplicate index name: ${index}`
}
export function tooManyLocalIndexes(max: number): string {
  return `${INVALID}Number of LocalSecondaryIndexes exceeds per-table limit of ${max}`
}
export function tooManyGlobalIndexes(max: number): string {
  return `${INVALID}GlobalSecondaryIndex count exceeds the per-table limit of ${max}`
}
/** The same limit, reached by UpdateTable. */
export function globalIndexLimitExceeded(max: number): ServiceError {
  return new ServiceError(
    'LimitExceededException',
    `Subscriber limit exceeded: GlobalSecondaryIndex count exceeds the per-table limit of ${max}`,
  )
}

// Throughput

export const THROUGHPUT_ON_DEMAND: string = `${INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST`
export const THROUGHPUT_MISSING: string = `${INVALID}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED`
/** UpdateTable's text for what CreateTable reports as THROUGHPUT_MISSING. */
export const THROUGHPUT_MISSING_IN_UPDATE: string = `${INVALID}ProvisionedThroughput must be specified when BillingMode is PROVISIONED`

export function throughputOutOfBounds(
  units: 'ReadCapacityUnits' | 'WriteCapacityUnits',
  value: number,
  index?: string,
): string {
  return `Given value ${value} for ${units} is out of bounds${index === undefined ? '' : ` for index ${index}`}`
}
export function indexThroughputMissing(index: string): string {
  return `${INVALID}ProvisionedThroughput is not specified for index: ${index}`
}
export function indexThroughputMissingInUpdate(index: string): string {
  return `${INVALID}ProvisionedThroughput must be specified for index: ${index}`
}
export function indexThroughputOnDemand(index: string): string {
  return `${INVALID}ProvisionedThroughput should not be specified for index: ${index} when BillingMode is PAY_PER_REQUEST`
}
export function indexThroughputOnDemandInUpdate(index: string): string {
  return `${INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: ${index} when BillingMode is PAY_PER_REQUEST`
}
export function indexUpdateOnDemand(index: string): string {
  return `${INVALID}The only Updates for index: ${index} when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput`
}
export function throughputUnchanged(
  throughput: { readonly read: number; readonly write: number },
  index?: string,
): string {
  const resource = index === undefined ? 'table' : 'index'
  const name = index === undefined ? '' : ` ${index}`
  const { read, write } = throughput
  return (
    `The provisioned throughput for the ${resource}${name} will not change. The requested value equals the current value. ` +
    `Current ReadCapacityUnits provisioned for the ${resource}: ${read}. Requested ReadCapacityUnits: ${read}. ` +
    `Current WriteCapacityUnits provisioned for the ${resource}: ${write}. Requested WriteCapacityUnits: ${write}. ` +
    'Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.'
  )
}

type RequestUnits = 'MaxReadRequestUnits' | 'MaxWriteRequestUnits'

export function onDemandUnitsProvisioned(units: RequestUnits, index?: string): string {
  return `${INVALID}${units} for OnDemandThroughput ${index === undefined ? '' : `for index : ${index} `}cannot be specified when the table BillingMode is PROVISIONED`
}
export function onDemandUnitsOutOfRange(units: RequestUnits, index?: string): string {
  return `${INVALID}Requested ${units} for OnDemandThroughput for ${index === undefined ? 'table' : `index : ${index}`} is outside of valid range`
}

// Streams and encryption

export const CREATE_STREAM_WITHOUT_VIEW: string = `${INVALID}Table is being created with a stream enabled, UpdateViewType is required`
export const CREATE_VIEW_WITHOUT_STREAM: string = `${INVALID}Table is being created with a stream disabled, UpdateViewType should not be specified`
export const UPDATE_STREAM_WITHOUT_VIEW: string = `${INVALID}If stream is being enabled then UpdateViewType is required`
export const UPDATE_VIEW_WITHOUT_STREAM: string = `${INVALID}If stream is being disabled, then UpdateViewType must not be specified`
export const SSE_TYPE_WHILE_DISABLED: string = `${INVALID}SSEType can not be specified if Enabled is false`
export const SSE_KEY_WHILE_DISABLED: string = `${INVALID}KMSMasterKeyId can not be specified if Enabled is false`
export const SSE_AES256: string = `${INVALID}SSEType AES256 is not supported`
export const SSE_ALREADY_DEFAULT: string = `${INVALID}Table is already encrypted by default`

export function streamAlreadyEnabled(tableName: string): string {
  return `Table already has an enabled stream: TableName: ${tableName}`
}
export function streamAlreadyDisabled(tableName: string): string {
  return `Table has no stream to disable: TableName: ${tableName}`
}

// Changes

export const NOTHING_TO_UPDATE =
  'At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required'
export const STREAM_WITH_THROUGHPUT: string = `${INVALID}You cannot modify stream status while updating table IOPS`
export const INDEX_WITH_THROUGHPUT: string = `${INVALID}You cannot create or delete index while updating table IOPS`
export const INDEX_WITH_STREAM: string = `${INVALID}You cannot create or delete index while changing stream status`
export const ON_DEMAND_WITH_OTHER: string = `${INVALID}OnDemandThroughput can only be combined with BillingMode in an UpdateTable request`
export const INDEX_UPDATE_EMPTY: string = `${INVALID}One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null`
export const INDEX_UPDATE_SEVERAL: string = `${INVALID}Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object`
export const DELETION_PROTECTED =
  'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.'

export function mustBeOnlyChange(change: string): string {
  return `${INVALID}${change} must be the only operation in the request`
}
export function indexUpdatedTwice(index: string): string {
  return `${INVALID}Only one global secondary index update per index is allowed simultaneously. Index: ${index}`
}
export function indexExists(index: string): string {
  return `${INVALID}Index already exists: ${index}`
}
export function indexNotGlobal(change: 'delete' | 'update', index: string): string {
  return `Cannot ${change} an index that is not a GlobalSecondaryIndex: ${index}`
}
export function definitionsMissingForIndex(index: string): string {
  return `${INVALID}AttributeDefinitions is not specified for index: ${index}`
}
/** Ours: what AWS says has not been seen. */
export function replicaExists(region: string): string {
  return `${INVALID}The table has a replica in ${region} already`
}
/** Ours: what AWS says has not been seen. */
export function strongRegions(count: number): string {
  return `${INVALID}A table with MultiRegionConsistency STRONG is in ${count} regions, one of which can be a witness`
}
/** Ours: the member exists on AWS, and ignoring it would claim something that is not so. */
export function memberNotSupported(member: string): string {
  return `${INVALID}${member} is not supported by this engine`
}

export function oneIndexAtATime(): ServiceError {
  return new ServiceError(
    'LimitExceededException',
    'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table',
  )
}

// States

export function tableExists(tableName: string): ServiceError {
  return new ServiceError('ResourceInUseException', `Table already exists: ${tableName}`)
}

const STATE_WORDS: Readonly<Record<string, string>> = {
  CREATING: 'created',
  UPDATING: 'updated',
  DELETING: 'deleted',
}

export function tableInTransition(tableName: string, status: string): ServiceError {
  return new ServiceError(
    'ResourceInUseException',
    `${IN_USE}Table is being ${STATE_WORDS[status] ?? 'updated'}: ${tableName}`,
  )
}
export function indexesInTransition(): ServiceError {
  return new ServiceError(
    'ResourceInUseException',
    `${IN_USE}Cannot delete table while indexes are being created, updated, or deleted.`,
  )
}
