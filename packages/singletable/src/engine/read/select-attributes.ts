import type { Projection } from '../../expression/tree.ts'
import type { Select } from '../../wire/item-operations.ts'
import type { Index } from '../catalog/table.ts'
import {
  allAttributesNotProjected,
  attributesNotProjected,
  PROJECTED_ATTRIBUTES_WITHOUT_INDEX,
  projectionWithSelect,
  SPECIFIC_ATTRIBUTES_MISSING,
} from '../messages/query-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import type { PageRequest } from './read-page.ts'

interface SelectRequest {
  readonly Select?: Select
  readonly IndexName?: string
  readonly ProjectionExpression?: string
  readonly AttributesToGet?: readonly string[]
}

/** Refuses combinations of Select and projection that contradict each other. */
export function validateSelect(operation: 'Query' | 'Scan', request: SelectRequest): void {
  const { Select: select } = request
  const parameter =
    request.ProjectionExpression !== undefined
      ? 'ProjectionExpression'
      : request.AttributesToGet !== undefined
        ? 'AttributesToGet'
        : undefined
  const refuse = (message: string) =>
    validationError(operation === 'Query' ? `1 validation error detected: ${message}` : message)
  if (select === 'SPECIFIC_ATTRIBUTES' && parameter === undefined) {
    throw refuse(SPECIFIC_ATTRIBUTES_MISSING)
  }
  if (select !== undefined && select !== 'SPECIFIC_ATTRIBUTES' && parameter !== undefined) {
    throw validationError(projectionWithSelect(parameter, select))
  }
  if (select === 'ALL_PROJECTED_ATTRIBUTES' && request.IndexName === undefined) {
    throw validationError(PROJECTED_ATTRIBUTES_WITHOUT_INDEX)
  }
}

/** What a page returns of each entry; refuses attributes that a global index doesn't hold. */
export function selectAttributes(
  index: Index,
  select: Select | undefined,
  projection: Projection | undefined,
): PageRequest['returns'] {
  if (select === 'COUNT') return 'count'
  if (index.projected === undefined) return 'entry'
  if (select === 'ALL_ATTRIBUTES') {
    if (index.kind === 'global') throw validationError(allAttributesNotProjected(index.name ?? ''))
    return 'item'
  }
  if (projection === undefined) return 'entry'
  const missing = new Set<string>()
  for (const [name] of projection) if (!index.projected.has(name)) missing.add(name)
  if (missing.size === 0) return 'entry'
  if (index.kind === 'global') {
    throw validationError(attributesNotProjected(index.name ?? '', [...missing]))
  }
  return 'item'
}
