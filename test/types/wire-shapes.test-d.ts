import type * as Sdk from '@aws-sdk/client-dynamodb'
import type * as StreamsSdk from '@aws-sdk/client-dynamodb-streams'
import type { AttributeValue, Item, OperationName, Operations } from 'singletable/engine'
import type { Assignable, Equal, Expect, WireType } from './wire-type.ts'

/** The inputs of the AWS SDK for the operations we have. */
interface SdkInputs {
  BatchExecuteStatement: Sdk.BatchExecuteStatementInput
  BatchGetItem: Sdk.BatchGetItemInput
  BatchWriteItem: Sdk.BatchWriteItemInput
  CreateBackup: Sdk.CreateBackupInput
  CreateTable: Sdk.CreateTableInput
  DeleteBackup: Sdk.DeleteBackupInput
  DeleteItem: Sdk.DeleteItemInput
  DeleteTable: Sdk.DeleteTableInput
  DescribeBackup: Sdk.DescribeBackupInput
  DescribeContinuousBackups: Sdk.DescribeContinuousBackupsInput
  DescribeContributorInsights: Sdk.DescribeContributorInsightsInput
  DescribeEndpoints: Sdk.DescribeEndpointsRequest
  DescribeLimits: Sdk.DescribeLimitsInput
  DescribeStream: StreamsSdk.DescribeStreamInput
  DescribeTable: Sdk.DescribeTableInput
  DescribeTimeToLive: Sdk.DescribeTimeToLiveInput
  ExecuteStatement: Sdk.ExecuteStatementInput
  ExecuteTransaction: Sdk.ExecuteTransactionInput
  GetItem: Sdk.GetItemInput
  GetRecords: StreamsSdk.GetRecordsInput
  GetShardIterator: StreamsSdk.GetShardIteratorInput
  ListBackups: Sdk.ListBackupsInput
  ListContributorInsights: Sdk.ListContributorInsightsInput
  ListStreams: StreamsSdk.ListStreamsInput
  ListTables: Sdk.ListTablesInput
  ListTagsOfResource: Sdk.ListTagsOfResourceInput
  PutItem: Sdk.PutItemInput
  Query: Sdk.QueryInput
  RestoreTableFromBackup: Sdk.RestoreTableFromBackupInput
  Scan: Sdk.ScanInput
  TagResource: Sdk.TagResourceInput
  TransactGetItems: Sdk.TransactGetItemsInput
  TransactWriteItems: Sdk.TransactWriteItemsInput
  UntagResource: Sdk.UntagResourceInput
  UpdateContinuousBackups: Sdk.UpdateContinuousBackupsInput
  UpdateContributorInsights: Sdk.UpdateContributorInsightsInput
  UpdateItem: Sdk.UpdateItemInput
  UpdateTable: Sdk.UpdateTableInput
  UpdateTimeToLive: Sdk.UpdateTimeToLiveInput
}

/** Members of the SDK's inputs that our requests don't have, because the engine refuses them by
 * name. */
interface MembersRefused {
  CreateTable:
    | 'GlobalTableSettingsReplicationMode' // There are no global tables here: one engine is one region.
    | 'GlobalTableSourceArn' // The same.
    | 'VectorIndexes' // There are no vector indexes here.
  UpdateTable:
    | 'DisassociationProtectionEnabled' // There are no global tables here.
    | 'GlobalTableSettingsReplicationMode' // The same.
    | 'VectorIndexUpdates' // There are no vector indexes here.
  RestoreTableFromBackup: 'VectorIndexOverride' // The same.
}

/** Members that the SDK lets a caller leave out and that we ask for, because without them every
 * request is refused. */
interface MembersRequired {
  CreateTable:
    | 'AttributeDefinitions' // Only a replica of a global table takes its keys from elsewhere.
    | 'KeySchema' // The same.
}

type MembersOf<TLists, TOperation> = TOperation extends keyof TLists ? TLists[TOperation] : never
type RequireMembers<T, TNames> = Omit<T, TNames & keyof T> & {
  [Name in TNames & keyof T]-?: Exclude<T[Name], undefined>
}

type Ours<TOperation extends OperationName> = WireType<Operations[TOperation]['request']>
type Theirs<TOperation extends OperationName> = WireType<
  RequireMembers<
    Omit<SdkInputs[TOperation], MembersOf<MembersRefused, TOperation> & string>,
    MembersOf<MembersRequired, TOperation>
  >
>

// Each of these is a union of operation names for which something is wrong, and must be empty.

type NotForSdk = {
  [Name in OperationName]: Assignable<Ours<Name>, Theirs<Name>> extends true ? never : Name
}[OperationName]
type NotFromSdk = {
  [Name in OperationName]: Assignable<Theirs<Name>, Ours<Name>> extends true ? never : Name
}[OperationName]
type MembersForgotten = {
  [Name in OperationName]: `${Name}.${Exclude<keyof Theirs<Name>, keyof Ours<Name>> & string}`
}[OperationName]
type MembersInvented = {
  [Name in OperationName]: `${Name}.${Exclude<keyof Ours<Name>, keyof Theirs<Name>> & string}`
}[OperationName]
/** A member on the list that the SDK does not have is a line to delete. */
type MembersOutlived = {
  [Name in keyof MembersRefused]: Exclude<MembersRefused[Name], keyof SdkInputs[Name]>
}[keyof MembersRefused]

export type WireShapes = [
  Expect<Equal<keyof SdkInputs, OperationName>>,
  Expect<Equal<NotForSdk, never>>,
  Expect<Equal<NotFromSdk, never>>,
  Expect<Equal<MembersForgotten, never>>,
  Expect<Equal<MembersInvented, never>>,
  Expect<Equal<MembersOutlived, never>>,
  // Attribute values are the same but for binaries, which are Base64 text here.
  Expect<Assignable<WireType<Sdk.AttributeValue>, WireType<AttributeValue>>>,
  Expect<Assignable<WireType<AttributeValue>, WireType<Sdk.AttributeValue>>>,
  Expect<Assignable<WireType<Record<string, Sdk.AttributeValue>>, WireType<Item>>>,
  Expect<Assignable<{ B: Uint8Array }, Sdk.AttributeValue>>,
  Expect<Assignable<{ B: string }, AttributeValue>>,
]

// The checks above could be satisfied by a type function that forgets everything: here is what it
// must distinguish.
export type WireTypeDistinguishes = [
  Expect<Equal<Assignable<WireType<{ TableName: number }>, Ours<'DescribeTable'>>, false>>,
  Expect<Equal<Assignable<WireType<{ TableName?: string }>, Ours<'DescribeTable'>>, false>>,
  Expect<Equal<Assignable<WireType<{ S: number }>, WireType<AttributeValue>>, false>>,
  Expect<Equal<Assignable<WireType<{ L: string[] }>, WireType<AttributeValue>>, false>>,
  Expect<Equal<WireType<{ a: Date; b?: Uint8Array }>, { a: number; b?: string }>>,
  Expect<Equal<WireType<{ readonly a: string | undefined; b?: never }>, { a: string }>>,
]
