/** Shapes of the operations on Contributor Insights, as JSON on the wire. */

export type ContributorInsightsStatus = 'ENABLING' | 'ENABLED' | 'DISABLING' | 'DISABLED' | 'FAILED'
export type ContributorInsightsMode = 'ACCESSED_AND_THROTTLED_KEYS' | 'THROTTLED_KEYS'

export interface ContributorInsightsSummary {
  TableName: string
  /** Absent for the table itself. */
  IndexName?: string
  ContributorInsightsStatus: ContributorInsightsStatus
  /** Absent until Contributor Insights is enabled for the first time. */
  ContributorInsightsMode?: ContributorInsightsMode
}

export interface DescribeContributorInsightsRequest {
  TableName: string
  IndexName?: string
}
export interface DescribeContributorInsightsResponse extends ContributorInsightsSummary {
  /** Names of the rules in CloudWatch. */
  ContributorInsightsRuleList?: string[]
  /** When the status has changed last, in seconds since 1970. */
  LastUpdateDateTime?: number
  /** Why it is FAILED; the engine never fails. */
  FailureException?: { ExceptionName?: string; ExceptionDescription?: string }
}

export interface UpdateContributorInsightsRequest {
  TableName: string
  IndexName?: string
  ContributorInsightsAction: 'ENABLE' | 'DISABLE'
  ContributorInsightsMode?: ContributorInsightsMode
}

export interface ListContributorInsightsRequest {
  /** Without it, all tables are listed. */
  TableName?: string
  NextToken?: string
  MaxResults?: number
}
export interface ListContributorInsightsResponse {
  /** Those that are not DISABLED. */
  ContributorInsightsSummaries: ContributorInsightsSummary[]
  NextToken?: string
}
