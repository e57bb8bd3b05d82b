/** Capacity units by size: writes are counted in steps of 1 KB, reads of 4 KB, each at least one. */

const WRITE_STEP_BYTES = 1024
const READ_STEP_BYTES = 4096

export function writeUnits(sizeBytes: number): number {
  return sizeBytes <= WRITE_STEP_BYTES ? 1 : Math.ceil(sizeBytes / WRITE_STEP_BYTES)
}

export type ReadConsistency = 'eventual' | 'strong' | 'transactional'

export function readUnits(sizeBytes: number, consistency: ReadConsistency): number {
  const steps = sizeBytes <= READ_STEP_BYTES ? 1 : Math.ceil(sizeBytes / READ_STEP_BYTES)
  return consistency === 'eventual' ? steps / 2 : consistency === 'strong' ? steps : steps * 2
}
