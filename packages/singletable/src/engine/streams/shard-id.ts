import type { Environment } from '../../values/environment.ts'
import { randomHexadecimal } from '../context/uuid.ts'
import type { Shard } from './stream-state.ts'

/**
 * A shard id in AWS's form, `shardId-00000001414576573621-f55eea83`: the time of opening, then
 * something random. Consumers order shards by their ids, so the time must be greater than that of
 * the shard before, even where the clock stops or goes back.
 */
export function newShardId(environment: Environment, nowMs: number, parent?: Shard): string {
  const timeMs = parent === undefined ? nowMs : Math.max(nowMs, timeOf(parent.id) + 1)
  const suffix = randomHexadecimal(environment, SUFFIX_DIGITS)
  return `shardId-${String(timeMs).padStart(TIME_DIGITS, '0')}-${suffix}`
}

const PREFIX_LENGTH = 'shardId-'.length
const TIME_DIGITS = 20
const SUFFIX_DIGITS = 8

function timeOf(shardId: string): number {
  return Number(shardId.slice(PREFIX_LENGTH, PREFIX_LENGTH + TIME_DIGITS))
}
