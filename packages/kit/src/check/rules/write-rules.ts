import type { Rule } from './rule.ts'
import { staleCopy } from './writes/w01-stale-copy.ts'
import { transactShape } from './writes/w02-transact-shape.ts'
import { batchShape } from './writes/w03-batch-shape.ts'
import { unprocessedIgnored } from './writes/w04-unprocessed-ignored.ts'
import { unconditionalPut } from './writes/w05-unconditional-put.ts'
import { ttlType } from './writes/w06-ttl-type.ts'
import { droppedCall } from './writes/w07-dropped-call.ts'

/** Whether what is written stays whole. */
export const WRITE_RULES: readonly Rule[] = [
  staleCopy,
  transactShape,
  batchShape,
  unprocessedIgnored,
  unconditionalPut,
  ttlType,
  droppedCall,
]
