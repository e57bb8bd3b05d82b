import type { AttributeValue, Item } from '../values/attribute-value.ts'

/** Shapes of the operations on items, as JSON on the wire. Binary values are Base64 text. */

export type ReturnConsumedCapacity = 'INDEXES' | 'TOTAL' | 'NONE'
export type ReturnItemCollectionMetrics = 'SIZE' | 'NONE'
export type ReturnValues = 'NONE' | 'ALL_OLD' | 'UPDATED_OLD' | 'ALL_NEW' | 'UPDATED_NEW'
export type ReturnValuesOnConditionCheckFailure = 'ALL_OLD' | 'NONE'
export type ConditionalOperator = 'AND' | 'OR'
export type Select = 'ALL_ATTRIBUTES' | 'ALL_PROJECTED_ATTRIBUTES' | 'SPECIFIC_ATTRIBUTES' | 'COUNT'

export interface Capacity {
  CapacityUnits: number
  ReadCapacityUnits?: number
  WriteCapacityUnits?: number
}

export interface ConsumedCapacity extends Capacity {
  TableName: string
  Table?: Capacity
  GlobalSecondaryIndexes?: Record<string, Capacity>
  LocalSecondaryIndexes?: Record<string, Capacity>
}

export interface ItemCollectionMetrics {
  ItemCollectionKey: Item
  SizeEstimateRangeGB: [number, number]
}

/** Placeholders used by the expressions of one request. */
export interface ExpressionPlaceholders {
  ExpressionAttributeNames?: Readonly<Record<string, string>>
  ExpressionAttributeValues?: Item
}

export type ComparisonOperator =
  | 'EQ'
  | 'NE'
  | 'IN'
  | 'LE'
  | 'LT'
  | 'GE'
  | 'GT'
  | 'BETWEEN'
  | 'NOT_NULL'
  | 'NULL'
  | 'CONTAINS'
  | 'NOT_CONTAINS'
  | 'BEGINS_WITH'

/** A legacy condition (`KeyConditions`, `QueryFilter`, `ScanFilter`). */
export interface LegacyCondition {
  ComparisonOperator: ComparisonOperator
  AttributeValueList?: readonly AttributeValue[]
}

export interface ExpectedAttributeValue extends Partial<LegacyCondition> {
  Value?: AttributeValue
  Exists?: boolean
}

export interface AttributeValueUpdate {
  Value?: AttributeValue
  Action?: 'PUT' | 'ADD' | 'DELETE'
}

interface ConditionalWrite extends ExpressionPlaceholders {
  TableName: string
  ConditionExpression?: string
  ReturnConsumedCapacity?: ReturnConsumedCapacity
  ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics
  ReturnValues?: ReturnValues
  ReturnValuesOnConditionCheckFailure?: ReturnValuesOnConditionCheckFailure
  Expected?: Readonly<Record<string, ExpectedAttributeValue>>
  ConditionalOperator?: ConditionalOperator
}

export interface WriteItemResponse {
  Attributes?: Item
  ConsumedCapacity?: ConsumedCapacity
  ItemCollectionMetrics?: ItemCollectionMetrics
}

export interface PutItemRequest extends ConditionalWrite {
  Item: Item
}
export interface DeleteItemRequest extends ConditionalWrite {
  Key: Item
}
export interface UpdateItemRequest extends ConditionalWrite {
  Key: Item
  UpdateExpression?: string
  AttributeUpdates?: Readonly<Record<string, AttributeValueUpdate>>
}

export interface GetItemRequest {
  TableName: string
  Key: Item
  ConsistentRead?: boolean
  ProjectionExpression?: string
  ExpressionAttributeNames?: Readonly<Record<string, string>>
  AttributesToGet?: readonly string[]
  ReturnConsumedCapacity?: ReturnConsumedCapacity
}
export interface GetItemResponse {
  Item?: Item
  ConsumedCapacity?: ConsumedCapacity
}

interface ReadPageRequest extends ExpressionPlaceholders {
  TableName: string
  IndexName?: string
  FilterExpression?: string
  ProjectionExpression?: string
  Select?: Select
  Limit?: number
  ExclusiveStartKey?: Item
  ConsistentRead?: boolean
  ReturnConsumedCapacity?: ReturnConsumedCapacity
  AttributesToGet?: readonly string[]
  ConditionalOperator?: ConditionalOperator
}
export interface QueryRequest extends ReadPageRequest {
  KeyConditionExpression?: string
  ScanIndexForward?: boolean
  KeyConditions?: Readonly<Record<string, LegacyCondition>>
  QueryFilter?: Readonly<Record<string, LegacyCondition>>
}
export interface ScanRequest extends ReadPageRequest {
  Segment?: number
  TotalSegments?: number
  ScanFilter?: Readonly<Record<string, LegacyCondition>>
}
export interface ReadPageResponse {
  Items?: Item[]
  Count: number
  ScannedCount: number
  LastEvaluatedKey?: Item
  ConsumedCapacity?: ConsumedCapacity
}

export interface KeysAndAttributes {
  Keys: readonly Item[]
  ConsistentRead?: boolean
  ProjectionExpression?: string
  ExpressionAttributeNames?: Readonly<Record<string, string>>
  AttributesToGet?: readonly string[]
}
export interface BatchGetItemRequest {
  RequestItems: Readonly<Record<string, KeysAndAttributes>>
  ReturnConsumedCapacity?: ReturnConsumedCapacity
}
export interface BatchGetItemResponse {
  Responses: Record<string, Item[]>
  UnprocessedKeys: Record<string, KeysAndAttributes>
  ConsumedCapacity?: ConsumedCapacity[]
}

export interface WriteRequest {
  PutRequest?: { Item: Item }
  DeleteRequest?: { Key: Item }
}
export interface BatchWriteItemRequest {
  RequestItems: Readonly<Record<string, readonly WriteRequest[]>>
  ReturnConsumedCapacity?: ReturnConsumedCapacity
  ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics
}
export interface BatchWriteItemResponse {
  UnprocessedItems: Record<string, WriteRequest[]>
  ConsumedCapacity?: ConsumedCapacity[]
  ItemCollectionMetrics?: Record<string, ItemCollectionMetrics[]>
}

interface TransactAction extends ExpressionPlaceholders {
  TableName: string
  ConditionExpression?: string
  ReturnValuesOnConditionCheckFailure?: ReturnValuesOnConditionCheckFailure
}
export interface TransactPut extends TransactAction {
  Item: Item
}
export interface TransactDelete extends TransactAction {
  Key: Item
}
export interface TransactUpdate extends TransactAction {
  Key: Item
  UpdateExpression: string
}
export interface TransactConditionCheck extends TransactAction {
  Key: Item
  ConditionExpression: string
}
export interface TransactWriteItem {
  Put?: TransactPut
  Delete?: TransactDelete
  Update?: TransactUpdate
  ConditionCheck?: TransactConditionCheck
}
export interface TransactWriteItemsRequest {
  TransactItems: readonly TransactWriteItem[]
  ClientRequestToken?: string
  ReturnConsumedCapacity?: ReturnConsumedCapacity
  ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics
}
export interface TransactWriteItemsResponse {
  ConsumedCapacity?: ConsumedCapacity[]
  ItemCollectionMetrics?: Record<string, ItemCollectionMetrics[]>
}

export interface TransactGet {
  TableName: string
  Key: Item
  ProjectionExpression?: string
  ExpressionAttributeNames?: Readonly<Record<string, string>>
}
export interface TransactGetItemsRequest {
  TransactItems: readonly { Get: TransactGet }[]
  ReturnConsumedCapacity?: ReturnConsumedCapacity
}
export interface TransactGetItemsResponse {
  Responses: { Item?: Item }[]
  ConsumedCapacity?: ConsumedCapacity[]
}

export interface ParameterizedStatement {
  Statement: string
  Parameters?: readonly AttributeValue[]
  ConsistentRead?: boolean
  ReturnValuesOnConditionCheckFailure?: ReturnValuesOnConditionCheckFailure
}
export interface ExecuteStatementRequest extends ParameterizedStatement {
  NextToken?: string
  Limit?: number
  ReturnConsumedCapacity?: ReturnConsumedCapacity
}
export interface ExecuteStatementResponse {
  Items?: Item[]
  NextToken?: string
  LastEvaluatedKey?: Item
  ConsumedCapacity?: ConsumedCapacity
}
export interface BatchExecuteStatementRequest {
  Statements: readonly ParameterizedStatement[]
  ReturnConsumedCapacity?: ReturnConsumedCapacity
}
export interface BatchStatementResponse {
  Error?: { Code: string; Message: string; Item?: Item }
  TableName?: string
  Item?: Item
}
export interface BatchExecuteStatementResponse {
  Responses: BatchStatementResponse[]
  ConsumedCapacity?: ConsumedCapacity[]
}
export interface ExecuteTransactionRequest {
  TransactStatements: readonly ParameterizedStatement[]
  ClientRequestToken?: string
  ReturnConsumedCapacity?: ReturnConsumedCapacity
}
export interface ExecuteTransactionResponse {
  Responses: { Item?: Item }[]
  ConsumedCapacity?: ConsumedCapacity[]
}
