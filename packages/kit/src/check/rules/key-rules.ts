import { keyCollision } from './keys/k01-key-collision.ts'
import { delimiterInjection } from './keys/k02-delimiter-injection.ts'
import { prefixOverlap } from './keys/k03-prefix-overlap.ts'
import { rangeReadsOthers } from './keys/k04-range-reads-others.ts'
import { missingPrefix } from './keys/k05-missing-prefix.ts'
import { inconsistentPrefix } from './keys/k06-inconsistent-prefix.ts'
import { prefixReused } from './keys/k07-prefix-reused.ts'
import { unknownVariable } from './keys/k08-unknown-variable.ts'
import { optionalInKey } from './keys/k09-optional-in-key.ts'
import { unpaddedNumber } from './keys/k10-unpadded-number.ts'
import { dateFormat } from './keys/k11-date-format.ts'
import { mutableInPrimary } from './keys/k12-mutable-in-primary.ts'
import { keyTooLong } from './keys/k13-key-too-long.ts'
import { noEntityType } from './keys/k14-no-entity-type.ts'
import { columnClash } from './keys/k15-column-clash.ts'
import { alreadyPrefixed } from './keys/k16-already-prefixed.ts'
import { caseFold } from './keys/k17-case-fold.ts'
import type { Rule } from './rule.ts'

/** The rules on keys and identity. */
export const KEY_RULES: readonly Rule[] = [
  keyCollision,
  delimiterInjection,
  prefixOverlap,
  rangeReadsOthers,
  missingPrefix,
  inconsistentPrefix,
  prefixReused,
  unknownVariable,
  optionalInKey,
  unpaddedNumber,
  dateFormat,
  mutableInPrimary,
  keyTooLong,
  noEntityType,
  columnClash,
  alreadyPrefixed,
  caseFold,
]
