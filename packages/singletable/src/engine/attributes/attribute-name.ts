import { ATTRIBUTE_NAME_MAX_BYTES } from '../../values/limits.ts'
import { utf8Length } from '../../values/utf8.ts'
import { validationError } from '../messages/request-messages.ts'
import { NAME_EMPTY, NAME_TOO_LONG } from '../messages/value-messages.ts'

/** Refuses a name that no attribute can have. */
export function validateAttributeName(name: string): void {
  if (name === '') throw validationError(NAME_EMPTY)
  if (isAttributeNameTooLong(name)) throw validationError(NAME_TOO_LONG)
}

export function isAttributeNameTooLong(name: string): boolean {
  // A name of at most a third of the limit can't exceed it in UTF-8.
  return name.length > ATTRIBUTE_NAME_MAX_BYTES / 3 && utf8Length(name) > ATTRIBUTE_NAME_MAX_BYTES
}
