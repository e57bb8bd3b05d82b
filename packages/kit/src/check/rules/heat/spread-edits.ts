import type { Design } from '../../design/design.ts'
import type { IndexUse } from '../../design/design-model.ts'
import { separatorOf } from '../../design/key-strings.ts'
import type { Notice } from '../rule.ts'

/**
 * A shard at the end of a partition key, in the source of the schema; nothing for copies, whose
 * keys are written elsewhere.
 */
export function spreadEdits(design: Design, use: IndexUse): Pick<Notice, 'edits'> {
  const [key] = use.hash
  if (key?.template === undefined || use.isCopy || use.hash.length > 1) return {}
  const part = use.index === 'primary' ? 'key' : 'index'
  const source = `${key.template.source}${separatorOf(design)}\${shard}`
  return {
    edits: [
      { path: ['models', use.model, part, key.keyAttribute], code: `'${source}'` },
      { path: ['models', use.model, 'shard'], code: '{ count: 10 }' },
    ],
  }
}
