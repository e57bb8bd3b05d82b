import { CHANGE_FIXTURES } from './fixtures/change-fixtures.ts'
import { DATA_FIXTURES } from './fixtures/data-fixtures.ts'
import { HEAT_FIXTURES } from './fixtures/heat-fixtures.ts'
import { INDEX_FIXTURES } from './fixtures/index-fixtures.ts'
import { KEY_FIXTURES } from './fixtures/key-fixtures.ts'
import { PATTERN_FIXTURES } from './fixtures/pattern-fixtures.ts'
import { SIZE_FIXTURES } from './fixtures/size-fixtures.ts'
import { WRITE_FIXTURES } from './fixtures/write-fixtures.ts'
import type { RuleFixture } from './rule-fixture.ts'

/** Of all rules; one list per family. */
export const ALL_FIXTURES: readonly RuleFixture[] = [
  ...KEY_FIXTURES,
  ...PATTERN_FIXTURES,
  ...INDEX_FIXTURES,
  ...SIZE_FIXTURES,
  ...HEAT_FIXTURES,
  ...WRITE_FIXTURES,
  ...DATA_FIXTURES,
  ...CHANGE_FIXTURES,
]
