import { conditionPaths } from '../../expression/condition-paths.ts'
import type { ReadPageResponse, ScanRequest } from '../../wire/item-operations.ts'
import { normaliseItem } from '../attributes/normalise-value.ts'
import { bindExpressions } from '../expressions/bind-expressions.ts'
import { validateKeyPaths } from '../items/key-paths.ts'
import { attributesToGet as legacyProjection } from '../legacy/attributes-to-get.ts'
import { filterCondition } from '../legacy/legacy-conditions.ts'
import { refuseMixed } from '../legacy/refuse-mixed.ts'
import {
  SCAN_START_KEY_INVALID,
  SEGMENT_MISSING,
  START_KEY_INVALID,
  segmentTooLarge,
  startKeyInOtherSegment,
  TOTAL_SEGMENTS_MISSING,
} from '../messages/query-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import { answerPage } from '../read/answer-page.ts'
import { refuseConsistentRead, requireIndex } from '../read/require-index.ts'
import { scanRange } from '../read/scan-range.ts'
import { selectAttributes, validateSelect } from '../read/select-attributes.ts'
import { startKey } from '../read/start-key.ts'
import { legacyConditions, readPageMembers } from '../shapes/item-shapes.ts'
import { integer, structure } from '../shapes/shape.ts'
import { requireTable } from '../tables/require-table.ts'
import type { Operation } from './operation.ts'

export const TOTAL_SEGMENTS_MAX = 1_000_000

export const scan: Operation<ScanRequest, ReadPageResponse> = {
  shape: structure({
    ...readPageMembers,
    Limit: integer({ min: 1 }),
    Segment: integer({ min: 0, max: TOTAL_SEGMENTS_MAX - 1 }),
    TotalSegments: integer({ min: 1, max: TOTAL_SEGMENTS_MAX }),
    ScanFilter: legacyConditions,
  }),
  run(context, request) {
    refuseMixed(request)
    const attributes = request.AttributesToGet && legacyProjection(request.AttributesToGet)
    const legacyFilter = filterCondition(request.ScanFilter, request.ConditionalOperator)
    const exclusiveStartKey = request.ExclusiveStartKey && normaliseItem(request.ExclusiveStartKey)
    validateSegments(request)
    validateSelect('Scan', request)
    const bound = bindExpressions(context, request, ['FilterExpression', 'ProjectionExpression'])
    const filter = bound.filter ?? legacyFilter
    const projection = bound.projection ?? attributes

    const table = requireTable(context, request.TableName)
    const index = requireIndex(context, table, request.IndexName)
    refuseConsistentRead(index, request.ConsistentRead)
    const { Segment: segment = 0, TotalSegments: total = 1 } = request
    const range = scanRange(index, segment, total)
    let startAfter: string | undefined
    if (exclusiveStartKey !== undefined) {
      startAfter = startKey(table, index, exclusiveStartKey)
      if (startAfter === undefined) {
        throw validationError(index.kind === 'primary' ? SCAN_START_KEY_INVALID : START_KEY_INVALID)
      }
      if (startAfter < range.start || startAfter >= range.end) {
        throw validationError(startKeyInOtherSegment(segment, total))
      }
    }
    const returns = selectAttributes(index, request.Select, projection)
    if (filter !== undefined) validateKeyPaths(table, conditionPaths(filter))
    if (projection !== undefined) validateKeyPaths(table, projection)
    return answerPage(context, request, {
      table,
      index,
      range,
      reverse: false,
      limit: request.Limit ?? Number.POSITIVE_INFINITY,
      returns,
      consistent: request.ConsistentRead === true,
      startAfter,
      filter,
      projection,
    })
  },
}

function validateSegments({ Segment: segment, TotalSegments: total }: ScanRequest): void {
  if (segment !== undefined && total === undefined) throw validationError(TOTAL_SEGMENTS_MISSING)
  if (segment === undefined && total !== undefined) throw validationError(SEGMENT_MISSING)
  if (segment !== undefined && total !== undefined && segment >= total) {
    throw validationError(segmentTooLarge(segment, total))
  }
}
