import type { Path, Projection } from '../../expression/tree.ts'
import { validateAttributeName } from '../attributes/attribute-name.ts'
import { LEGACY_ATTRIBUTES_MAX_COUNT } from '../limits/count-limits.ts'
import { attributeNameDuplicated, tooManyAttributes } from '../messages/legacy-messages.ts'
import { validationError } from '../messages/request-messages.ts'

/** The projection that AttributesToGet stands for: whole top-level attributes, whose names may hold
 * dots. */
export function attributesToGet(names: readonly string[]): Projection {
  if (names.length > LEGACY_ATTRIBUTES_MAX_COUNT) {
    throw validationError(tooManyAttributes(LEGACY_ATTRIBUTES_MAX_COUNT))
  }
  const seen = new Set<string>()
  const projection: Path[] = []
  for (const name of names) {
    validateAttributeName(name)
    if (seen.has(name)) throw validationError(attributeNameDuplicated(name))
    seen.add(name)
    projection.push([name])
  }
  return projection
}
