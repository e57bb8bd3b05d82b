import type { Item } from '../../values/attribute-value.ts'
import { copyItem } from '../../values/copy.ts'
import type { StreamRecord } from '../../wire/stream-operations.ts'
import { checksum } from '../context/checksum.ts'
import type { StreamState } from './stream-state.ts'

/** A change as a stream keeps it: only what its readers will see. */
export interface StoredStreamRecord {
  readonly sequence: number
  readonly createdMs: number
  readonly event: 'INSERT' | 'MODIFY' | 'REMOVE'
  readonly key: Item
  readonly before?: Item
  readonly after?: Item
  readonly sizeBytes: number
  readonly origin?: 'expiry'
}

const EVENT_VERSION = '1.1'
const EVENT_SOURCE = 'aws:dynamodb'

/** How the service names itself where it deleted an item because its time to live ran out. */
const EXPIRY_IDENTITY = { PrincipalId: 'dynamodb.amazonaws.com', Type: 'Service' } as const

/** The record as GetRecords shows it. */
export function wireRecord(
  stream: StreamState,
  stored: StoredStreamRecord,
  region: string,
): StreamRecord {
  return {
    eventID: eventId(stream.seed, stored.sequence),
    eventName: stored.event,
    eventVersion: EVENT_VERSION,
    eventSource: EVENT_SOURCE,
    awsRegion: region,
    dynamodb: {
      // The wire has whole seconds here, unlike the other times of the service.
      ApproximateCreationDateTime: Math.floor(stored.createdMs / 1000),
      Keys: copyItem(stored.key),
      ...(stored.after === undefined ? {} : { NewImage: copyItem(stored.after) }),
      ...(stored.before === undefined ? {} : { OldImage: copyItem(stored.before) }),
      SequenceNumber: sequenceText(stored.sequence),
      SizeBytes: stored.sizeBytes,
      StreamViewType: stream.viewType,
    },
    ...(stored.origin === 'expiry' ? { userIdentity: { ...EXPIRY_IDENTITY } } : {}),
  }
}

const SEQUENCE_DIGITS = 21
/** The first digit is fixed, so that all sequence numbers have the same length and order as
 * strings, too. */
const SEQUENCE_LEAD = '1'

export function sequenceText(sequence: number): string {
  return SEQUENCE_LEAD + String(sequence).padStart(SEQUENCE_DIGITS - SEQUENCE_LEAD.length, '0')
}

/** The number behind a sequence number's text, or undefined if no stream can have given it out. */
export function parseSequence(text: string): number | undefined {
  if (text.length !== SEQUENCE_DIGITS || !/^1\d+$/.test(text)) return undefined
  const sequence = Number(text.slice(SEQUENCE_LEAD.length))
  return Number.isSafeInteger(sequence) ? sequence : undefined
}

/** 32 hexadecimal digits that are the same at every reading and differ from those of any other
 * record. */
export function eventId(seed: string, sequence: number): string {
  return checksum(`${seed}${sequence}`) + checksum(`${sequence}:${seed}`)
}
