import { refuseInput } from '../schema/input-issues.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { base64Text } from '../values/base64.ts'
import { NESTING_DEPTH_MAX } from '../values/limits.ts'
import { setOwn } from '../values/own.ts'
import type { StreamViewType } from '../wire/table-operations.ts'

/**
 * A stream record in any of its spellings: of `GetRecords` on the wire, of an AWS Lambda event, or
 * of the AWS SDK, which has dates and bytes where the others have seconds and base64.
 */
export interface AnyStreamRecord {
  readonly eventID?: string | undefined
  readonly eventName?: string | undefined
  readonly eventSourceARN?: string | undefined
  readonly dynamodb?:
    | {
        readonly ApproximateCreationDateTime?: number | Date | undefined
        readonly Keys?: { readonly [name: string]: object } | undefined
        readonly NewImage?: { readonly [name: string]: object } | undefined
        readonly OldImage?: { readonly [name: string]: object } | undefined
        readonly SequenceNumber?: string | undefined
        readonly SizeBytes?: number | undefined
        readonly StreamViewType?: string | undefined
      }
    | undefined
  readonly userIdentity?: object | undefined
}

/** A stream record as AWS Lambda gives it to a function: the spelling that handlers get from
 * everywhere. */
export interface StreamRecord {
  readonly eventID: string
  readonly eventName: 'INSERT' | 'MODIFY' | 'REMOVE'
  readonly eventVersion?: string
  readonly eventSource?: string
  readonly awsRegion?: string
  readonly eventSourceARN?: string
  readonly dynamodb: {
    /** Seconds since 1970. */
    readonly ApproximateCreationDateTime: number
    readonly Keys: Item
    readonly NewImage?: Item
    readonly OldImage?: Item
    readonly SequenceNumber: string
    readonly SizeBytes?: number
    readonly StreamViewType?: StreamViewType
  }
  /** Present where DynamoDB itself made the change. */
  readonly userIdentity?: { readonly principalId: string; readonly type: string }
}

const EVENTS = ['INSERT', 'MODIFY', 'REMOVE']

/** The record in the spelling of Lambda events; refuses what is not a stream record. */
export function normaliseRecord(record: AnyStreamRecord, where: string): StreamRecord {
  const { eventName, dynamodb, userIdentity } = Object(record) as AnyStreamRecord
  const { Keys, SequenceNumber } = Object(dynamodb) as NonNullable<AnyStreamRecord['dynamodb']>
  const problem =
    typeof dynamodb !== 'object' || typeof Keys !== 'object'
      ? 'the input is not a stream record: it has no dynamodb.Keys'
      : !EVENTS.includes(String(eventName))
        ? 'a stream record has no eventName of INSERT, MODIFY and REMOVE'
        : typeof SequenceNumber !== 'string'
          ? 'a stream record has no sequence number'
          : undefined
  if (problem !== undefined || dynamodb === undefined) {
    return refuseInput(
      String(problem),
      where,
      'give records of GetRecords, or the Records of a Lambda event of a DynamoDB stream',
    )
  }
  const at = dynamodb.ApproximateCreationDateTime ?? 0
  const identity = identityOf(userIdentity)
  const images: { [name: string]: Item } = {}
  for (const name of ['Keys', 'NewImage', 'OldImage'] as const) {
    const image = dynamodb[name]
    if (image) images[name] = wireItem(image, 0, where)
  }
  // The members checked above have their types; all others are passed on as they are.
  return {
    ...record,
    eventID: record.eventID ?? String(SequenceNumber),
    dynamodb: {
      ...dynamodb,
      ...images,
      ApproximateCreationDateTime: at instanceof Date ? at.getTime() / 1000 : at,
    },
    ...(identity && { userIdentity: identity }),
  } as StreamRecord
}

/** Whether DynamoDB removed the item because its time to live ran out. (Developer Guide, time to
 * live, on streams.) */
export function isExpiry({ eventName, userIdentity }: StreamRecord): boolean {
  return (
    eventName === 'REMOVE' &&
    userIdentity?.type === 'Service' &&
    userIdentity.principalId === 'dynamodb.amazonaws.com'
  )
}

/** Lambda writes the members small, the Streams API writes them large. */
function identityOf(identity: unknown): StreamRecord['userIdentity'] {
  const given = Object(identity) as { readonly [name: string]: unknown }
  const principalId = given.principalId ?? given.PrincipalId
  const type = given.type ?? given.Type
  return typeof principalId === 'string' && typeof type === 'string'
    ? { principalId, type }
    : undefined
}

function wireItem(item: object, depth: number, where: string): Item {
  const copy: { [name: string]: AttributeValue } = {}
  for (const [name, value] of Object.entries(item))
    setOwn(copy, name, wireValue(value, depth, where))
  return copy
}

/** An attribute value with base64 text where the SDK has bytes. */
function wireValue(value: unknown, depth: number, where: string): AttributeValue {
  if (depth > NESTING_DEPTH_MAX) {
    return refuseInput('a record is nested too deeply', where)
  }
  const { B, BS, L, M } = Object(value) as { B?: unknown; BS?: unknown; L?: unknown; M?: unknown }
  if (B instanceof Uint8Array) return { B: base64Text(B) }
  if (Array.isArray(BS)) {
    return { BS: BS.map((each) => (each instanceof Uint8Array ? base64Text(each) : String(each))) }
  }
  if (Array.isArray(L)) return { L: L.map((each) => wireValue(each, depth + 1, where)) }
  if (typeof M === 'object' && M !== null) return { M: wireItem(M, depth + 1, where) }
  // What is none of these is the same in all spellings.
  return value as AttributeValue
}
