/** Messages about Contributor Insights, which was to be called Key Access Insights. */

export function insightsNeedActive(status: 'TableStatus' | 'IndexStatus'): string {
  return `Table or Index is not in a valid state to update Key Access Insights: ${status} must be ACTIVE to enable ContributorInsights.`
}
