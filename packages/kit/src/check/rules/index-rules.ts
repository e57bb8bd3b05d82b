import { unusedIndex } from './indexes/i01-unused-index.ts'
import { overIndexing } from './indexes/i02-over-indexing.ts'
import { mergeable } from './indexes/i03-mergeable.ts'
import { projectionWaste } from './indexes/i04-projection-waste.ts'
import { projectionConflict } from './indexes/i05-projection-conflict.ts'
import { quota } from './indexes/i06-quota.ts'
import { lsiPresent } from './indexes/i07-lsi-present.ts'
import { churnedGsiKey } from './indexes/i08-churned-gsi-key.ts'
import { partialKeyUpdate } from './indexes/i09-partial-key-update.ts'
import { multiAttributeMisuse } from './indexes/i10-multi-attribute-misuse.ts'
import { multiAttributeCandidate } from './indexes/i11-multi-attribute-candidate.ts'
import { denseForFew } from './indexes/i12-dense-for-few.ts'
import type { Rule } from './rule.ts'

/** Rules on indexes: what they cost, what they hold, how they are kept. */
export const INDEX_RULES: readonly Rule[] = [
  unusedIndex,
  overIndexing,
  mergeable,
  projectionWaste,
  projectionConflict,
  quota,
  lsiPresent,
  churnedGsiKey,
  partialKeyUpdate,
  multiAttributeMisuse,
  multiAttributeCandidate,
  denseForFew,
]
