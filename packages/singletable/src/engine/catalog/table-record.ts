import type { KeyType } from '../../values/attribute-value.ts'

/** A table as it is stored: plain data, replaced as a whole when anything about the table
 * changes. */
export interface TableRecord {
  /** Short number that stands for the table in storage keys; never used again after the table is
   * gone. */
  readonly id: number
  readonly name: string
  readonly arn: string
  /** The uuid AWS shows as `TableId`. */
  readonly uuid: string
  readonly createdMs: number
  readonly keySchema: readonly KeySchemaElement[]
  readonly attributeDefinitions: readonly AttributeDefinition[]
  readonly billing: Billing
  /** A change of state that is under way until `endsMs`; without one the table is ACTIVE. */
  readonly transition?: Transition
  /** Items of a backup are still being put into it. */
  readonly filling?: true
  /** The backup into which items are still being copied, as they were when it was asked for. */
  readonly backingUp?: number
  readonly indexes: readonly IndexRecord[]
  /** Indexes whose deletion is under way: their entries are gone, only DescribeTable still shows
   * them. */
  readonly indexesLeaving?: readonly IndexRecord[]
  /** The id the next index gets; ids are not used again, so entries of a deleted index can't come
   * back. */
  readonly indexIdNext: number
  readonly stream?: StreamReference
  readonly timeToLive?: TimeToLive
  readonly contributorInsights?: ContributorInsights
  readonly tags: readonly Tag[]
  readonly deletionProtection: boolean
  readonly tableClass?: { readonly name: string; readonly updatedMs: number }
  readonly encryption?: { readonly type: string; readonly keyArn?: string }
  readonly onDemandThroughput?: OnDemandThroughput
  readonly warmThroughput?: WarmThroughput
  readonly replicas?: Replicas
  readonly pointInTimeRecovery?: { readonly enabledMs: number; readonly days: number }
  readonly restored?: {
    readonly backupArn?: string
    readonly sourceArn: string
    readonly ms: number
  }
}

/**
 * The other regions of a global table. They are remembered and shown; the engine has one region.
 */
export interface Replicas {
  readonly regions: readonly string[]
  readonly witnesses: readonly string[]
  readonly consistency: 'EVENTUAL' | 'STRONG'
}

export interface IndexRecord {
  readonly id: number
  readonly name: string
  readonly kind: 'global' | 'local'
  readonly keySchema: readonly KeySchemaElement[]
  readonly projection: {
    readonly type: 'ALL' | 'KEYS_ONLY' | 'INCLUDE'
    readonly attributes?: readonly string[]
  }
  readonly transition?: Transition
  /** Items that were there before are still being put into it. */
  readonly filling?: true
  readonly throughput?: Throughput
  readonly onDemandThroughput?: OnDemandThroughput
  readonly warmThroughput?: WarmThroughput
  readonly contributorInsights?: ContributorInsights
}

export interface KeySchemaElement {
  readonly AttributeName: string
  readonly KeyType: 'HASH' | 'RANGE'
}
export interface AttributeDefinition {
  readonly AttributeName: string
  readonly AttributeType: KeyType
}
export interface Tag {
  readonly Key: string
  readonly Value: string
}
export interface Transition {
  readonly status: 'CREATING' | 'UPDATING' | 'DELETING'
  readonly endsMs: number
}
export interface Throughput {
  readonly read: number
  readonly write: number
  readonly decreasedMs?: number
  readonly increasedMs?: number
}
/** Upper bounds of an on-demand table or index; `-1` is none. */
export interface OnDemandThroughput {
  readonly read: number
  readonly write: number
}
export interface WarmThroughput {
  readonly read: number
  readonly write: number
}
export interface Billing extends Throughput {
  readonly mode: 'PROVISIONED' | 'PAY_PER_REQUEST'
  /** Whether the mode was named when the table was made; AWS shows BillingModeSummary only then. */
  readonly named: boolean
  readonly onDemandMs?: number
}
export interface StreamReference {
  readonly id: number
  readonly arn: string
  readonly label: string
  readonly enabled: boolean
  readonly viewType: 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES'
}
export interface TimeToLive {
  readonly attribute: string
  readonly enabled: boolean
  readonly changedMs: number
  /** The entries of items that expire are still being made, or removed. */
  readonly filling?: true
}
/** Contributor Insights of a table or a global index, from the first time that it is enabled. */
export interface ContributorInsights {
  readonly enabled: boolean
  readonly mode: 'ACCESSED_AND_THROTTLED_KEYS' | 'THROTTLED_KEYS'
  /** When its rules were created, which is a part of their names. */
  readonly rulesMs: number
  readonly changedMs: number
  /** Until then it is being enabled or disabled, if that takes any time. */
  readonly endsMs?: number
}
