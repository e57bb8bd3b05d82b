import type {
  ListTagsOfResourceRequest,
  ListTagsOfResourceResponse,
} from '../../wire/table-operations.ts'
import { RESOURCE_ARN_MAX_LENGTH } from '../limits/table-limits.ts'
import { taggedResourceDenied } from '../messages/tag-messages.ts'
import { structure, text } from '../shapes/shape.ts'
import { findTaggedTable } from '../tables/find-tagged-table.ts'
import type { Operation } from './operation.ts'

/** All tags come in one answer: a resource has few, so there is no second page and never a
 * NextToken. */
export const listTagsOfResource: Operation<ListTagsOfResourceRequest, ListTagsOfResourceResponse> =
  {
    shape: structure({
      ResourceArn: { required: text({ lengthMin: 1, lengthMax: RESOURCE_ARN_MAX_LENGTH }) },
      NextToken: text(),
    }),
    run(context, request) {
      const table = findTaggedTable(context, request.ResourceArn)
      if (table === undefined) {
        throw taggedResourceDenied(request.ResourceArn, context.settings.accountId)
      }
      return { Tags: table.record.tags.map(({ Key, Value }) => ({ Key, Value })) }
    },
  }
