import type {
  ListContributorInsightsRequest,
  ListContributorInsightsResponse,
} from '../../wire/contributor-insights-operations.ts'
import { checksum } from '../context/checksum.ts'
import type { EngineContext } from '../context/context.ts'
import { summarizeInsights } from '../contributor-insights/describe-insights.ts'
import { type Monitored, monitoredOf } from '../contributor-insights/monitored.ts'
import { LIST_INSIGHTS_RESULTS_MAX } from '../limits/table-limits.ts'
import { NEXT_TOKEN_INVALID } from '../messages/partiql-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import { checkConstraints } from '../shapes/check-constraints.ts'
import { integer, structure, text } from '../shapes/shape.ts'
import { validateTableName } from '../shapes/table-name.ts'
import { requireTableByName } from '../tables/require-table.ts'
import type { Operation } from './operation.ts'

/** Only what is not DISABLED is listed. Pages over all tables leave out what is DISABLED after they
 * were cut, so that some are empty and still have a token, as was seen on AWS. */
export const listContributorInsights: Operation<
  ListContributorInsightsRequest,
  ListContributorInsightsResponse
> = {
  shape: structure({
    TableName: text(),
    NextToken: text(),
    MaxResults: integer({ max: LIST_INSIGHTS_RESULTS_MAX }),
  }),
  check(shape, request) {
    if (request.TableName !== undefined) validateTableName(request.TableName)
    checkConstraints(shape, request)
  },
  run(context, request) {
    const { TableName: name, MaxResults: asked = 0, NextToken: token } = request
    // AWS documents no minimum, and a page of nothing would never end.
    const limit = asked > 0 ? asked : LIST_INSIGHTS_RESULTS_MAX
    const isListed = (monitored: Monitored): boolean =>
      summarizeInsights(context, monitored).ContributorInsightsStatus !== 'DISABLED'
    const candidates =
      name === undefined
        ? monitoredOfAll(context)
        : monitoredOf(context, requireTableByName(context, name).record).filter(isListed)
    const start = token === undefined ? '' : decodeToken(token)
    const rest = candidates.filter((monitored) => positionOf(monitored) > start)
    const page = rest.slice(0, limit)
    const last = page.at(-1)
    return {
      ContributorInsightsSummaries: page
        .filter(isListed)
        .map((monitored) => summarizeInsights(context, monitored)),
      ...(rest.length > page.length && last && { NextToken: encodeToken(positionOf(last)) }),
    }
  },
}

function monitoredOfAll(context: EngineContext): Monitored[] {
  return context.catalog
    .tables()
    .flatMap(({ record }) => monitoredOf(context, record))
    .sort((one, other) => (positionOf(one) < positionOf(other) ? -1 : 1))
}

/** Orders a table before its indexes, and is not lost when what it names is deleted: no name has a
 * slash. */
function positionOf({ table, index }: Monitored): string {
  return `${table.name}/${index?.name ?? ''}`
}

function encodeToken(position: string): string {
  return btoa(`${checksum(position)}|${position}`)
}

function decodeToken(token: string): string {
  const [sum, position] = decodeBase64(token).split('|')
  if (position === undefined || sum !== checksum(position))
    throw validationError(NEXT_TOKEN_INVALID)
  return position
}

function decodeBase64(text: string): string {
  try {
    return atob(text)
  } catch {
    return ''
  }
}
