import type { TagResourceRequest } from '../../wire/table-operations.ts'
import { RESOURCE_ARN_MAX_LENGTH } from '../limits/table-limits.ts'
import { validationError } from '../messages/request-messages.ts'
import { TAGS_EMPTY, taggedResourceNotFound } from '../messages/tag-messages.ts'
import { structure, text } from '../shapes/shape.ts'
import { tags } from '../shapes/table-shapes.ts'
import { findTaggedTable } from '../tables/find-tagged-table.ts'
import { validateTagCount, validateTags } from '../tables/validate-tags.ts'
import type { Operation } from './operation.ts'

export const tagResource: Operation<TagResourceRequest, object> = {
  shape: structure({
    ResourceArn: { required: text({ lengthMin: 1, lengthMax: RESOURCE_ARN_MAX_LENGTH }) },
    Tags: { required: tags },
  }),
  async run(context, request) {
    if (request.Tags.length === 0) throw validationError(TAGS_EMPTY)
    validateTags(request.Tags)
    await context.catalog.change((transaction) => {
      const table = findTaggedTable(context, request.ResourceArn)
      if (table === undefined) throw taggedResourceNotFound(request.ResourceArn)
      const merged = new Map(table.record.tags.map((tag) => [tag.Key, tag]))
      for (const tag of request.Tags) merged.set(tag.Key, tag)
      const all = [...merged.values()]
      validateTagCount(all)
      context.catalog.put(transaction, { ...table.record, tags: all })
    })
    return {}
  },
}
