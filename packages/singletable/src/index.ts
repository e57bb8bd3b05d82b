export type {
  AttributeReference,
  AttributeReferences,
  Operand,
} from './builder/attribute-references.ts'
export type { BatchGetBuilder, BatchWriteBuilder, TableBatch } from './builder/batch-builders.ts'
export type { CheckBuilder } from './builder/check-builder.ts'
export type { GroupsPage } from './builder/collect.ts'
export type {
  CollectedItem,
  CollectionBuilder,
  CollectionGroups,
  CollectionTree,
  CollectionValues,
  ReadSchema,
} from './builder/collection-builder.ts'
export type { CollectionDeletion, DeleteCollectionOptions } from './builder/collection-deletion.ts'
export type { Condition, ConditionOperators, Size } from './builder/condition-operators.ts'
export type {
  ConditionCheckParams,
  DeleteParams,
  GetParams,
  NativeItem,
  PutParams,
  QueryParams,
  ScanParams,
  TransactWriteParams,
  UpdateParams,
} from './builder/db-params.ts'
export type { DeleteBuilder } from './builder/delete-builder.ts'
export type { Entities, Entity } from './builder/entity.ts'
export type { ExactlyOnceWrite } from './builder/exactly-once.ts'
export type { GetBuilder } from './builder/get-builder.ts'
export type { LazyPromise } from './builder/lazy-call.ts'
export type {
  PageCall,
  PageFunction,
  PageOptions,
  PatternCall,
  PatternRun,
  Patterns,
  RangeBounds,
  ReadFunction,
  TransactCall,
  TransactFunction,
  TransactOptions,
  WriteCall,
  WriteFunction,
} from './builder/patterns.ts'
export type {
  PlannedCheck,
  PlannedDelete,
  PlannedGet,
  PlannedPut,
  PlannedUpdate,
  PlannedWrite,
} from './builder/planned.ts'
export type { PutBuilder } from './builder/put-builder.ts'
export type { QueryBuilder } from './builder/query-builder.ts'
export type { ScanBuilder } from './builder/scan-builder.ts'
export type {
  ScopedBatchWrite,
  ScopedEntities,
  ScopedEntity,
  ScopedPatterns,
  ScopedTable,
  ScopeName,
  ScopeValues,
} from './builder/scoped-table.ts'
export type { Sequence } from './builder/sequence.ts'
export { Table } from './builder/table.ts'
export type { TableOptions, TableOverrides } from './builder/table-options.ts'
export type {
  TransactGetBuilder,
  TransactionResult,
  TransactWriteBuilder,
} from './builder/transaction-builders.ts'
export type { TypeMessage } from './builder/type-message.ts'
export type { UniqueGetBuilder } from './builder/unique-get-builder.ts'
export type { UniqueValues } from './builder/unique-values.ts'
export type { UpdateBuilder, UpdateOperators } from './builder/update-builder.ts'
export type { WriteResult } from './builder/write-builder.ts'
export { BatchIncompleteError } from './errors/batch-incomplete-error.ts'
export type { ErrorCode } from './errors/codes.ts'
export {
  ConditionFailedError,
  ItemExistsError,
  ItemNotFoundError,
  ParentMissingError,
  UniqueViolationError,
  VersionConflictError,
} from './errors/condition-failed-error.ts'
export { CursorError } from './errors/cursor-error.ts'
export { DecodeError, EntityMismatchError } from './errors/decode-error.ts'
export {
  DefinitionError,
  type DefinitionIssue,
  type IssueSubject,
} from './errors/definition-error.ts'
export { InputError, type InputIssue } from './errors/input-error.ts'
export { PlanError } from './errors/plan-error.ts'
export { SingletableError } from './errors/singletable-error.ts'
export {
  type ConditionCode,
  TransactionCanceledError,
  type TransactionFailure,
  TransactionRepeatedError,
} from './errors/transaction-canceled-error.ts'
export { OutcomeUnknownError, ThrottledError, TransportError } from './errors/transport-error.ts'
export type { Client } from './execute/connect.ts'
export type { Page } from './execute/execute-query.ts'
export type { HookedAnswer, HookedRequest, Hooks } from './execute/hooks.ts'
export type { RequestEvent } from './execute/send.ts'
export type { CallOptions, ReadOptions } from './execute/table-context.ts'
export { type OnDecodeError, type UndecodedItem, undecodedOf } from './execute/undecoded.ts'
export { defineSchema } from './plan/define-schema.ts'
export type { PatternCost } from './plan/pattern-cost.ts'
export type { Explanation } from './plan/plan.ts'
export type { PatternPlan } from './plan/plan-pattern.ts'
export type { CopyItem, Item, Key, ModelName, NewItem, NewValues, PutItem } from './schema/infer.ts'
export type { PatternDefinition } from './schema/pattern-definition.ts'
export type {
  AttributeDefinition,
  ModelDefinition,
  SchemaDefinition,
} from './schema/schema-definition.ts'
export { KeyComponentError } from './template/key-component-error.ts'
export type { AttributeValue } from './values/attribute-value.ts'
export { Decimal } from './values/decimal-number.ts'
export type { Environment, TimerOptions } from './values/environment.ts'
export type { RetryOptions } from './wire/retry-policy.ts'
export { ServiceError } from './wire/service-error.ts'
export type { SendOptions, Transport } from './wire/transport.ts'
