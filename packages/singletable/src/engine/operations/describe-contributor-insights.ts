import type {
  DescribeContributorInsightsRequest,
  DescribeContributorInsightsResponse,
} from '../../wire/contributor-insights-operations.ts'
import { describeInsights } from '../contributor-insights/describe-insights.ts'
import { requireMonitored } from '../contributor-insights/monitored.ts'
import { tableNameShape } from '../shapes/item-shapes.ts'
import { structure } from '../shapes/shape.ts'
import { indexName } from '../shapes/table-shapes.ts'
import type { Operation } from './operation.ts'

export const describeContributorInsights: Operation<
  DescribeContributorInsightsRequest,
  DescribeContributorInsightsResponse
> = {
  shape: structure({ TableName: { required: tableNameShape }, IndexName: indexName }),
  run(context, request) {
    return describeInsights(context, requireMonitored(context, request))
  },
}
