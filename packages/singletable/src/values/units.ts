/** Reads are charged in steps of this size. (AWS Developer Guide, read and write request units.) */
export const READ_STEP_BYTES = 4096
/** Writes are charged in steps of this size. */
export const WRITE_STEP_BYTES = 1024

export type ReadConsistency = 'eventual' | 'strong' | 'transactional'

/** What a step of a read costs: in transactions twice, eventually consistent half. */
export function readFactor(consistency: ReadConsistency): 0.5 | 1 | 2 {
  return consistency === 'eventual' ? 0.5 : consistency === 'strong' ? 1 : 2
}

/** Read units of this many bytes; what is empty costs a step as well. */
export function unitsToRead(sizeBytes: number, consistency: ReadConsistency): number {
  const steps = sizeBytes <= READ_STEP_BYTES ? 1 : Math.ceil(sizeBytes / READ_STEP_BYTES)
  return steps * readFactor(consistency)
}

/** Write units of this many bytes outside of a transaction, where they cost twice as much. */
export function unitsToWrite(sizeBytes: number): number {
  return sizeBytes <= WRITE_STEP_BYTES ? 1 : Math.ceil(sizeBytes / WRITE_STEP_BYTES)
}
