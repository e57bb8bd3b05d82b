import type { UntagResourceRequest } from '../../wire/table-operations.ts'
import { RESOURCE_ARN_MAX_LENGTH } from '../limits/table-limits.ts'
import { validationError } from '../messages/request-messages.ts'
import { TAG_KEYS_EMPTY, taggedResourceNotFound } from '../messages/tag-messages.ts'
import { list, structure, text } from '../shapes/shape.ts'
import { findTaggedTable } from '../tables/find-tagged-table.ts'
import type { Operation } from './operation.ts'

export const untagResource: Operation<UntagResourceRequest, object> = {
  shape: structure({
    ResourceArn: { required: text({ lengthMin: 1, lengthMax: RESOURCE_ARN_MAX_LENGTH }) },
    TagKeys: { required: list(text()) },
  }),
  async run(context, request) {
    if (request.TagKeys.length === 0) throw validationError(TAG_KEYS_EMPTY)
    await context.catalog.change((transaction) => {
      const table = findTaggedTable(context, request.ResourceArn)
      if (table === undefined) throw taggedResourceNotFound(request.ResourceArn)
      const removed = new Set(request.TagKeys)
      const tags = table.record.tags.filter((tag) => !removed.has(tag.Key))
      context.catalog.put(transaction, { ...table.record, tags })
    })
    return {}
  },
}
