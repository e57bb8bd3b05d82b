import { conditionPaths } from '../../expression/condition-paths.ts'
import type { Item } from '../../values/attribute-value.ts'
import type { QueryRequest, ReadPageResponse } from '../../wire/item-operations.ts'
import { normaliseItem } from '../attributes/normalise-value.ts'
import type { Index, Table } from '../catalog/table.ts'
import { bindExpressions } from '../expressions/bind-expressions.ts'
import { validateKeyPaths } from '../items/key-paths.ts'
import { attributesToGet as legacyProjection } from '../legacy/attributes-to-get.ts'
import { filterCondition, keyConditionsCondition } from '../legacy/legacy-conditions.ts'
import { validateKeyConditions } from '../legacy/legacy-key-conditions.ts'
import { refuseMixed } from '../legacy/refuse-mixed.ts'
import {
  filterOnKey,
  KEY_CONDITION_MISSING,
  legacyFilterOnKey,
  QUERY_LIMIT_TOO_SMALL,
  SINGLE_ITEM_NOT_RESTARTABLE,
  START_KEY_INVALID,
  START_KEY_NOT_IN_RANGE,
  START_KEY_OUTSIDE,
  startKeyOfHashOnlyTable,
} from '../messages/query-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import { answerPage } from '../read/answer-page.ts'
import { filteredKey, refuseUnprojectedFilter } from '../read/filter-keys.ts'
import { keyTests } from '../read/key-condition.ts'
import { type KeyRange, keyRange } from '../read/key-range.ts'
import { refuseConsistentRead, requireIndex } from '../read/require-index.ts'
import { selectAttributes, validateSelect } from '../read/select-attributes.ts'
import { startKey } from '../read/start-key.ts'
import { dump } from '../shapes/dump.ts'
import { legacyConditions, readPageMembers } from '../shapes/item-shapes.ts'
import { attributeMap, boolean, integer, structure, text } from '../shapes/shape.ts'
import { requireTable } from '../tables/require-table.ts'
import type { Operation } from './operation.ts'

export const query: Operation<QueryRequest, ReadPageResponse> = {
  shape: structure({
    ...readPageMembers,
    Limit: integer(),
    KeyConditionExpression: text(),
    ScanIndexForward: boolean,
    KeyConditions: legacyConditions,
    QueryFilter: legacyConditions,
  }),
  run(context, request) {
    if (request.Limit !== undefined && request.Limit < 1) {
      throw validationError(QUERY_LIMIT_TOO_SMALL)
    }
    refuseMixed(request)
    const legacyFilter = filterCondition(request.QueryFilter, request.ConditionalOperator)
    const attributes = request.AttributesToGet && legacyProjection(request.AttributesToGet)
    const exclusiveStartKey = request.ExclusiveStartKey && normaliseItem(request.ExclusiveStartKey)
    validateSelect('Query', request)
    if (request.KeyConditions === undefined && request.KeyConditionExpression === undefined) {
      throw validationError(KEY_CONDITION_MISSING)
    }
    const bound = bindExpressions(context, request, [
      'FilterExpression',
      'ProjectionExpression',
      'KeyConditionExpression',
    ])
    // An empty map next to the expression counts as absent.
    const legacyKeys = bound.keyCondition === undefined ? request.KeyConditions : undefined
    const keyCondition = bound.keyCondition ?? keyConditionsCondition(legacyKeys ?? {})
    const expressionTests = legacyKeys === undefined ? keyTests(keyCondition) : undefined
    const filter = bound.filter ?? legacyFilter
    const projection = bound.projection ?? attributes

    const table = requireTable(context, request.TableName)
    const index = requireIndex(context, table, request.IndexName)
    refuseConsistentRead(index, request.ConsistentRead)
    const startAfter = exclusiveStartKey && requireStartKey(table, index, exclusiveStartKey)
    if (legacyKeys !== undefined) validateKeyConditions(index, legacyKeys)
    const selected = keyRange(index, expressionTests ?? keyTests(keyCondition))
    if (startAfter !== undefined) validateStart(selected, startAfter)
    const filterPaths = filter === undefined ? [] : conditionPaths(filter)
    const filtered = filter && filteredKey(index, filter)
    if (filtered !== undefined) {
      throw validationError(
        bound.filter === undefined ? legacyFilterOnKey(filtered) : filterOnKey(filtered),
      )
    }
    const returns = selectAttributes(index, request.Select, projection)
    validateKeyPaths(table, filterPaths)
    if (projection !== undefined) validateKeyPaths(table, projection)
    refuseUnprojectedFilter(index, filterPaths)
    return answerPage(context, request, {
      table,
      index,
      range: selected.range,
      reverse: request.ScanIndexForward === false,
      limit: request.Limit ?? Number.POSITIVE_INFINITY,
      returns,
      consistent: request.ConsistentRead === true,
      isSingle: selected.isSingle,
      startAfter,
      filter,
      projection,
    })
  },
}

function requireStartKey(table: Table, index: Index, key: Item): string {
  if (index.kind === 'primary' && index.sort.length === 0) {
    throw validationError(startKeyOfHashOnlyTable(dump(attributeMap, key)))
  }
  const storageKey = startKey(table, index, key)
  if (storageKey === undefined) throw validationError(START_KEY_INVALID)
  return storageKey
}

function validateStart({ partition, range, isSingle }: KeyRange, startAfter: string): void {
  if (startAfter < partition.start || startAfter >= partition.end) {
    throw validationError(START_KEY_OUTSIDE)
  }
  if (isSingle) throw validationError(SINGLE_ITEM_NOT_RESTARTABLE)
  if (startAfter < range.start || startAfter >= range.end) {
    throw validationError(START_KEY_NOT_IN_RANGE)
  }
}
