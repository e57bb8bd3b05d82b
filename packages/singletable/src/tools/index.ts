/**
 * What tools need that work on schemas: the compiled form, the algebra of templates, plans as data,
 * the request that makes a table. It is an entry of its own, so that no application pays for it.
 * Unlike the other entries it may change between minor versions.
 */
export type { ErrorCode } from '../errors/codes.ts'
export {
  DefinitionError,
  type DefinitionIssue,
  type IssueSubject,
} from '../errors/definition-error.ts'
export { didYouMean } from '../errors/did-you-mean.ts'
export { InputError, type InputIssue } from '../errors/input-error.ts'
export { type ErrorParts, SingletableError } from '../errors/singletable-error.ts'
export { modelOf } from '../execute/collect-items.ts'
export type { ExchangeEvent } from '../execute/send.ts'
export { allOf, partsOf } from '../expression/build.ts'
export { printCondition, printUpdate } from '../expression/print.ts'
export { readExpressions } from '../expression/read-expressions.ts'
export type { Condition, Operand } from '../expression/tree.ts'
export { type Partition, partitionsOf } from '../limits/partitions-of.ts'
export { derivedOf } from '../migrations/derived-of.ts'
export { guardFormsOf } from '../migrations/guard-forms.ts'
export {
  idsOf,
  joinedVersion,
  MOVING,
  modelsOfSteps,
  versionAttributeOf,
  versionOf,
} from '../migrations/item-versions.ts'
export { mergeItem, mergeKeys } from '../migrations/merge-item.ts'
export {
  isIndexStep,
  isLossy,
  type ReversedSteps,
  reverseSteps,
} from '../migrations/reverse-steps.ts'
export {
  type ItemVersions,
  isInBoth,
  type Merge,
  type Rewrite,
  rewriteItem,
  type Versions,
} from '../migrations/rewrite-item.ts'
export { RewriteProblem } from '../migrations/rewrite-problem.ts'
export { type UpgradeLink, upgradeItem } from '../migrations/upgrade-item.ts'
export { type DerivedAction, writesOf } from '../migrations/writes-of.ts'
export { compileSchema } from '../plan/compile-schema.ts'
export { type KeyAnswer, type KeyQuestion, keyAnswers } from '../plan/key-answers.ts'
export {
  averageOf,
  itemsInQuery,
  type PatternCost,
  type PatternReading,
} from '../plan/pattern-cost.ts'
export { type KeyPlan, type PatternPlan, planPattern, readingOf } from '../plan/plan-pattern.ts'
export { bucketsOf, queryCost } from '../plan/read/read-cost.ts'
export { readSchema, type SchemaReading } from '../plan/read-schema.ts'
export { valueIn } from '../schema/computed.ts'
export {
  isInIndex,
  keyAttributes,
  keyFromItem,
  matchPart,
  partNames,
  primaryTemplates,
  recoverableNames,
} from '../schema/index-keys.ts'
export { printPath } from '../schema/input-issues.ts'
export { isCounted } from '../schema/is-counted.ts'
export { keyVariables } from '../schema/key-variables.ts'
export type {
  Attribute,
  Codec,
  Copy,
  Counter,
  DerivedItems,
  FilterOperand,
  FilterTest,
  Index,
  KeyPart,
  Model,
  ModelIndex,
  Pattern,
  Schema,
  SchemaParams,
  UniqueRule,
} from '../schema/model.ts'
export type * from '../schema/pattern-definition.ts'
export { askedPattern, RANGE_BOUNDS } from '../schema/pattern-definition.ts'
export { CONTROL_TYPE, GUARD, SEQUENCE } from '../schema/reserved-items.ts'
export type * from '../schema/schema-definition.ts'
export { StoredValueProblem } from '../schema/stored-value-problem.ts'
export { createTableRequest } from '../schema/table-request.ts'
export type { Component } from '../template/component.ts'
export type { KeyTemplate, TemplatePart } from '../template/key-template.ts'
export { keysCanMeet } from '../template/meeting.ts'
export { type Placeholder, readTemplate, type WrittenTemplate } from '../template/read-template.ts'
export { type AttributeValue, type Item, typeOf } from '../values/attribute-value.ts'
export { addDecimals, parseDecimal } from '../values/decimal.ts'
export { type Environment, systemEnvironment } from '../values/environment.ts'
export {
  BATCH_GET_KEYS_MAX,
  BATCH_WRITE_MAX,
  GLOBAL_INDEXES_MAX,
  ITEM_COLLECTION_MAX_BYTES,
  ITEM_SIZE_MAX_BYTES,
  LOCAL_INDEXES_MAX,
  NESTING_DEPTH_MAX,
  PAGE_SIZE_MAX_BYTES,
  PARTITION_KEY_MAX_BYTES,
  PROJECTED_PER_TABLE_MAX,
  SORT_KEY_MAX_BYTES,
  TRANSACTION_ACTIONS_MAX,
} from '../values/limits.ts'
export { getOwn, setOwn } from '../values/own.ts'
export { canonicalText, sameValue } from '../values/same-value.ts'
export { seededRandom } from '../values/seeded-random.ts'
export { itemSizeBytes, valueSizeBytes } from '../values/size.ts'
export { READ_STEP_BYTES, readFactor, unitsToRead, unitsToWrite } from '../values/units.ts'
export { compareUtf8 } from '../values/utf8.ts'
export { judgeFailure, type Verdict } from '../wire/judge-failure.ts'
export type { OperationName, Operations } from '../wire/operations.ts'
export { RetryPolicy } from '../wire/retry-policy.ts'
export { ServiceError } from '../wire/service-error.ts'
export type {
  CreateTableRequest,
  GlobalSecondaryIndex,
  KeySchemaElement,
  LocalSecondaryIndex,
  Projection,
  TableDescription,
} from '../wire/table-operations.ts'
export type { SendOptions, Transport } from '../wire/transport.ts'
