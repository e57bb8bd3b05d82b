/** Shapes of the operations on the time to live, as JSON on the wire. */

export type TimeToLiveStatus = 'ENABLING' | 'ENABLED' | 'DISABLING' | 'DISABLED'

export interface TimeToLiveSpecification {
  Enabled: boolean
  AttributeName: string
}
export interface UpdateTimeToLiveRequest {
  TableName: string
  TimeToLiveSpecification: TimeToLiveSpecification
}
export interface UpdateTimeToLiveResponse {
  TimeToLiveSpecification: TimeToLiveSpecification
}

export interface DescribeTimeToLiveRequest {
  TableName: string
}
export interface DescribeTimeToLiveResponse {
  TimeToLiveDescription: {
    TimeToLiveStatus: TimeToLiveStatus
    /** Absent when the time to live is off. */
    AttributeName?: string
  }
}
