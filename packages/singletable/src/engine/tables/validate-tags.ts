import type { Tag } from '../../wire/table-operations.ts'
import { TAG_KEY_MAX_LENGTH, TAG_VALUE_MAX_LENGTH, TAGS_MAX } from '../limits/table-limits.ts'
import { validationError } from '../messages/request-messages.ts'
import {
  TOO_MANY_TAGS,
  tagKeyInvalid,
  tagKeyRepeated,
  tagKeyReserved,
  tagValueInvalid,
} from '../messages/tag-messages.ts'

/** Refuses tags that could not be put on any resource; `tags` are those of the request. */
export function validateTags(tags: readonly Partial<Tag>[]): void {
  const keys = new Set<string>()
  for (const { Key: key = '', Value: value } of tags) {
    if (key === '' || key.length > TAG_KEY_MAX_LENGTH) throw validationError(tagKeyInvalid(key))
    if (value === undefined || value.length > TAG_VALUE_MAX_LENGTH) {
      throw validationError(tagValueInvalid(value ?? null))
    }
    if (key.startsWith('aws:')) throw validationError(tagKeyReserved(key))
    if (keys.has(key)) throw validationError(tagKeyRepeated(key))
    keys.add(key)
  }
  validateTagCount(tags)
}

/** Refuses more tags than a resource can have; `tags` are all it would have. */
export function validateTagCount(tags: readonly unknown[]): void {
  if (tags.length > TAGS_MAX) throw validationError(TOO_MANY_TAGS)
}
