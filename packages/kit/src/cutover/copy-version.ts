/** Where a write comes in the order of all writes: the newest wins. */
export interface CopyVersion {
  /** Grows whenever the copy begins again, so that what an earlier one wrote is older. */
  readonly epoch: number
  /** The time of the stream record, in seconds. A backfill has none: every record is newer. */
  readonly seconds?: number | undefined
  /** Orders the records of one second. */
  readonly sequenceNumber?: string | undefined
}

const EPOCH_DIGITS = 6
const SECONDS_DIGITS = 12
/** AWS: sequence numbers have at most 40 digits. */
const SEQUENCE_DIGITS = 40

/** As text of fixed width, which DynamoDB compares in this order. */
export function versionText({ epoch, seconds = 0, sequenceNumber = '' }: CopyVersion): string {
  return [
    String(epoch).padStart(EPOCH_DIGITS, '0'),
    String(Math.floor(seconds)).padStart(SECONDS_DIGITS, '0'),
    sequenceNumber.padStart(SEQUENCE_DIGITS, '0'),
  ].join('#')
}
