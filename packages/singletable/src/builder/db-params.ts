import type { ReturnConsumedCapacity, ReturnValues, Select } from '../wire/item-operations.ts'

/**
 * Requests as the SDK's DocumentClient takes them: with plain JavaScript values. What `.dbParams()`
 * gives.
 */

/** An item or a key with plain values. */
export type NativeItem = Record<string, unknown>

interface Expressions {
  readonly ExpressionAttributeNames?: Record<string, string>
  readonly ExpressionAttributeValues?: NativeItem
}

interface WriteParams extends Expressions {
  readonly TableName: string
  readonly ConditionExpression?: string
  readonly ReturnValues?: ReturnValues
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
  readonly ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE'
}

export interface PutParams extends WriteParams {
  readonly Item: NativeItem
}

export interface UpdateParams extends WriteParams {
  readonly Key: NativeItem
  readonly UpdateExpression: string
}

export interface DeleteParams extends WriteParams {
  readonly Key: NativeItem
}

export interface ConditionCheckParams extends Expressions {
  readonly TableName: string
  readonly Key: NativeItem
  readonly ConditionExpression: string
  readonly ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE'
}

export interface GetParams {
  readonly TableName: string
  readonly Key: NativeItem
  readonly ConsistentRead?: boolean
  readonly ProjectionExpression?: string
  readonly ExpressionAttributeNames?: Record<string, string>
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
}

interface PageParams extends Expressions {
  readonly TableName: string
  readonly IndexName?: string
  readonly FilterExpression?: string
  readonly ProjectionExpression?: string
  readonly Select?: Select
  readonly Limit?: number
  readonly ExclusiveStartKey?: NativeItem
  readonly ConsistentRead?: boolean
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
}

export interface QueryParams extends PageParams {
  readonly KeyConditionExpression: string
  readonly ScanIndexForward?: boolean
}

export interface ScanParams extends PageParams {
  readonly Segment?: number
  readonly TotalSegments?: number
}

export interface TransactWriteParams {
  readonly TransactItems: {
    readonly Put?: PutParams
    readonly Update?: UpdateParams
    readonly Delete?: DeleteParams
    readonly ConditionCheck?: ConditionCheckParams
  }[]
  readonly ClientRequestToken?: string
}
