import { unserved } from './patterns/p01-unserved.ts'
import { scanPattern } from './patterns/p02-scan-pattern.ts'
import { scanOrBypassInCode } from './patterns/p03-scan-or-bypass-in-code.ts'
import { undeclaredQuery } from './patterns/p04-undeclared-query.ts'
import { unusedPattern } from './patterns/p05-unused-pattern.ts'
import { filterHeavy } from './patterns/p06-filter-heavy.ts'
import { noWritePath } from './patterns/p07-no-write-path.ts'
import { notProjected } from './patterns/p08-not-projected.ts'
import { consistentOnGsi } from './patterns/p09-consistent-on-gsi.ts'
import { readYourWrite } from './patterns/p10-read-your-write.ts'
import { wrongOrder } from './patterns/p11-wrong-order.ts'
import { nPlusOne } from './patterns/p12-n-plus-one.ts'
import { limitWithFilter } from './patterns/p13-limit-with-filter.ts'
import { duplicatePlan } from './patterns/p14-duplicate-plan.ts'
import { uniqueByIndex } from './patterns/p15-unique-by-index.ts'
import { contractFailed } from './patterns/p16-contract-failed.ts'
import { docsStale } from './patterns/p17-docs-stale.ts'
import { incompleteIndex } from './patterns/p18-incomplete-index.ts'
import type { Rule } from './rule.ts'

/** Whether the keys answer what the patterns ask, and at what price. */
export const PATTERN_RULES: readonly Rule[] = [
  unserved,
  scanPattern,
  scanOrBypassInCode,
  undeclaredQuery,
  unusedPattern,
  filterHeavy,
  noWritePath,
  notProjected,
  consistentOnGsi,
  readYourWrite,
  wrongOrder,
  nPlusOne,
  limitWithFilter,
  duplicatePlan,
  uniqueByIndex,
  contractFailed,
  docsStale,
  incompleteIndex,
]
