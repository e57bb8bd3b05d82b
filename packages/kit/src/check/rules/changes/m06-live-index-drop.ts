import { getOwn, type PatternPlan, planPattern } from 'singletable/tools'
import type { Design } from '../../design/design.ts'
import { indexDifferences } from '../../design/design-changes.ts'
import type { Rule } from '../rule.ts'

export const liveIndexDrop: Rule = {
  code: 'M06',
  name: 'live-index-drop',
  severity: 'error',
  source: 'before',
  title: 'An index is removed that live patterns use.',
  explanation: `As soon as an index is deleted, every query of it fails. That is an error where the schema still has the pattern and nothing else serves it, or where the index is
deleted and created again under the same name: it is missing until it has been filled. It is a warning where another index serves the pattern, or the pattern goes with the index: the
code that is running while the change is deployed still queries it.

  wrong   one change that removes the index byStatus and the pattern openOrders
  right   openOrders: { op: 'query', …, index: 'byStatus', status: 'deprecated' }     // deployed first; the index goes in the next change

Mark the pattern as deprecated, or let another index serve it; deploy that; and drop the index in the next change. An index with other keys gets another name, so
that both are there for a while.`,
  *check(design) {
    const { before, definition, plans } = design
    if (before?.schema === undefined) return
    for (const { name, kind } of indexDifferences(design)) {
      if (kind === 'create') continue
      for (const [pattern, old] of before.schema.patterns) {
        const { status = 'live' } = old.definition
        if (status !== 'live' || !uses(planPattern(old), name)) continue
        const now = getOwn(definition.patterns ?? {}, pattern)
        const nowPlan = plans.get(pattern)
        if (now?.status === 'planned' || now?.status === 'deprecated') continue
        const isBroken = now !== undefined && (nowPlan === undefined || uses(nowPlan, name))
        const what =
          kind === 'replace' ? 'has to be deleted and created again' : 'is no longer in the schema'
        yield {
          message: isBroken
            ? `${pattern} uses ${name}, which ${what}.`
            : `${pattern} used ${name} until now, which ${what}; code that is still running will fail.`,
          fix:
            kind === 'replace'
              ? `create the index under another name, let ${pattern} use that, and drop ${name} in a later change`
              : `keep ${name} until nothing calls ${pattern} any more: mark it with status: 'deprecated' first`,
          place: placeOf(design, pattern, name),
          ...(!isBroken && { severity: 'warning' }),
        }
      }
    }
  },
}

function uses({ index, steps }: PatternPlan, name: string): boolean {
  return index === name || Object.values(steps ?? {}).some((step) => step.index === name)
}

function placeOf({ definition }: Design, pattern: string, index: string) {
  const isThere = getOwn(definition.patterns ?? {}, pattern) !== undefined
  return isThere ? { pattern, index } : { index }
}
