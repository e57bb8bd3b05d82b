import { GLOBAL_INDEXES_MAX, LOCAL_INDEXES_MAX } from '../../values/limits.ts'
import type {
  CreateTableRequest,
  GlobalSecondaryIndex,
  SSESpecification,
  StreamSpecification,
} from '../../wire/table-operations.ts'
import { validationError } from '../messages/request-messages.ts'
import {
  CREATE_STREAM_WITHOUT_VIEW,
  CREATE_VIEW_WITHOUT_STREAM,
  DEFINITIONS_UNUSED,
  GLOBAL_INDEXES_EMPTY,
  indexDefinitionsUnused,
  indexNameRepeated,
  indexThroughputMissing,
  indexThroughputOnDemand,
  LOCAL_INDEX_NEEDS_RANGE_KEY,
  LOCAL_INDEXES_EMPTY,
  SSE_AES256,
  SSE_KEY_WHILE_DISABLED,
  SSE_TYPE_WHILE_DISABLED,
  THROUGHPUT_MISSING,
  THROUGHPUT_ON_DEMAND,
  tooManyGlobalIndexes,
  tooManyLocalIndexes,
} from '../messages/table-messages.ts'
import { refuseMembers, unsupportedInCreateTable } from '../shapes/unsupported-members.ts'
import {
  validateGlobalIndex,
  validateLocalIndex,
  validateProjectedCount,
} from './index-definition.ts'
import { validateDefinitions, validateTableKeySchema } from './key-schema.ts'
import { validateOnDemandThroughput, validateThroughput } from './table-throughput.ts'
import { validateTags } from './validate-tags.ts'

/** Everything about a new table that can be checked from the request alone, in AWS's order; single
 * members were checked before. */
export function validateTableDefinition(request: CreateTableRequest): void {
  refuseMembers(request, unsupportedInCreateTable)
  validateBilling(request)
  validateDefinitions(request.AttributeDefinitions)
  validateTableKeySchema(request.KeySchema, request.AttributeDefinitions)
  const { LocalSecondaryIndexes: local, GlobalSecondaryIndexes: global } = request
  if (
    local === undefined &&
    global === undefined &&
    request.KeySchema.length !== request.AttributeDefinitions.length
  ) {
    throw validationError(DEFINITIONS_UNUSED)
  }
  validateIndexes(request)
  validateStream(request.StreamSpecification, {
    withoutView: CREATE_STREAM_WITHOUT_VIEW,
    withView: CREATE_VIEW_WITHOUT_STREAM,
  })
  validateEncryption(request.SSESpecification)
  if (request.Tags !== undefined) validateTags(request.Tags)
}

function validateBilling(request: CreateTableRequest): void {
  const mode = request.BillingMode ?? 'PROVISIONED'
  if (mode === 'PAY_PER_REQUEST') {
    if (request.ProvisionedThroughput !== undefined) throw validationError(THROUGHPUT_ON_DEMAND)
  } else {
    if (request.ProvisionedThroughput === undefined) throw validationError(THROUGHPUT_MISSING)
    validateThroughput(request.ProvisionedThroughput)
  }
  validateOnDemandThroughput(request.OnDemandThroughput, { mode, mayRemove: false })
}

function validateIndexes(request: CreateTableRequest): void {
  const { KeySchema: keySchema, AttributeDefinitions: definitions } = request
  const { LocalSecondaryIndexes: local, GlobalSecondaryIndexes: global } = request
  const names = new Set<string>()
  const addName = (name: string) => {
    if (names.has(name)) throw validationError(indexNameRepeated(name))
    names.add(name)
  }
  if (local !== undefined) {
    if (local.length === 0) throw validationError(LOCAL_INDEXES_EMPTY)
    if (keySchema.length < 2) throw validationError(LOCAL_INDEX_NEEDS_RANGE_KEY)
    for (const index of local) {
      validateLocalIndex(index, keySchema, definitions)
      addName(index.IndexName)
    }
    if (local.length > LOCAL_INDEXES_MAX) {
      throw validationError(tooManyLocalIndexes(LOCAL_INDEXES_MAX))
    }
  }
  if (global !== undefined) {
    if (global.length === 0) throw validationError(GLOBAL_INDEXES_EMPTY)
    for (const index of global) {
      validateGlobalIndex(index, definitions)
      validateIndexThroughput(index, request.BillingMode ?? 'PROVISIONED')
      addName(index.IndexName)
    }
    if (global.length > GLOBAL_INDEXES_MAX) {
      throw validationError(tooManyGlobalIndexes(GLOBAL_INDEXES_MAX))
    }
  }
  const indexes = [...(local ?? []), ...(global ?? [])]
  validateProjectedCount(indexes.map((index) => index.Projection.NonKeyAttributes))
  const used = new Set(keySchema.map((element) => element.AttributeName))
  for (const index of indexes) for (const key of index.KeySchema) used.add(key.AttributeName)
  if (used.size < definitions.length) {
    const defined = definitions.map((definition) => definition.AttributeName)
    throw validationError(indexDefinitionsUnused(defined, [...used]))
  }
}

function validateIndexThroughput(
  index: GlobalSecondaryIndex,
  mode: 'PROVISIONED' | 'PAY_PER_REQUEST',
): void {
  const { IndexName: name, ProvisionedThroughput: throughput } = index
  if (mode === 'PAY_PER_REQUEST') {
    if (throughput !== undefined) throw validationError(indexThroughputOnDemand(name))
  } else {
    if (throughput === undefined) throw validationError(indexThroughputMissing(name))
    validateThroughput(throughput, name)
  }
  validateOnDemandThroughput(index.OnDemandThroughput, { mode, mayRemove: false, index: name })
}

/** A stream has a view of the items if it is enabled, and none if not; for the two mistakes each
 * operation has its own messages. */
export function validateStream(
  stream: StreamSpecification | undefined,
  messages: { readonly withoutView: string; readonly withView: string },
): void {
  if (stream === undefined || stream.StreamEnabled === (stream.StreamViewType !== undefined)) return
  throw validationError(stream.StreamEnabled ? messages.withoutView : messages.withView)
}

/** Encryption under a key of the account; without it AWS uses a key of its own and says nothing
 * about it. */
export function validateEncryption(specification: SSESpecification | undefined): void {
  if (specification === undefined) return
  if (specification.Enabled !== true) {
    if (specification.SSEType !== undefined) throw validationError(SSE_TYPE_WHILE_DISABLED)
    if (specification.KMSMasterKeyId !== undefined) throw validationError(SSE_KEY_WHILE_DISABLED)
  }
  if (specification.SSEType === 'AES256') throw validationError(SSE_AES256)
}
