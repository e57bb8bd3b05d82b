import type { PatternPlan } from 'singletable/tools'
import type { DeclaredPattern } from '../../design/declared-pattern.ts'
import type { Rule } from '../rule.ts'

export const duplicatePlan: Rule = {
  code: 'P14',
  name: 'duplicate-plan',
  severity: 'info',
  source: 'schema',
  title: 'Two patterns send the same request.',
  explanation: `Two names for one question make the list longer and say nothing new; and when one of them is changed, the other is forgotten.

  wrong   postsOf: { op: 'query', entity: 'Post', by: ['username'] }
          userPosts: { op: 'query', entity: 'Post', index: 'primary', by: ['username'], order: 'asc' }
  right   one of them

Patterns are the same when their plans are: operation, index, keys, order, limit, filter, projection and what follows. Titles and rates don't count.`,
  *check({ patterns, plans }) {
    const first = new Map<string, string>()
    for (const pattern of patterns) {
      const plan = pattern.transaction === undefined ? plans.get(pattern.name) : undefined
      if (plan === undefined || plan.op === 'none') continue
      const request = requestOf(pattern, plan)
      const same = first.get(request)
      if (same === undefined) first.set(request, pattern.name)
      else {
        yield {
          message: `${same} and ${pattern.name} issue the same request.`,
          fix: `keep one of them; rename calls of the other`,
          place: { pattern: pattern.name },
        }
      }
    }
  },
}

/** The lists that patterns can have, each of some kinds. */
interface Lists {
  readonly select?: readonly string[]
  readonly given?: readonly string[]
  readonly set?: readonly string[]
  readonly add?: readonly string[]
  readonly remove?: readonly string[]
}

/** What distinguishes one request from another, as text. */
function requestOf({ definition }: DeclaredPattern, plan: PatternPlan): string {
  const {
    index,
    entities,
    key,
    order,
    limit,
    filter,
    consistency,
    then,
    steps,
    gives,
    in: listed,
  } = plan
  // A pattern has those of its kind, and none of the others.
  const { select, given, set, add, remove } = definition as Lists
  const lists = [select, given, set, add, remove].map((names) => names?.toSorted() ?? null)
  return JSON.stringify([
    // Creating and putting differ in what they take for granted.
    [definition.op, 'creates' in definition],
    [index, entities, key, order, limit, filter, consistency, then, gives, listed],
    lists,
    // The names of the steps are part of what callers give.
    steps && stepsOf(definition),
  ])
}

function stepsOf(definition: DeclaredPattern['definition']): object {
  return definition.op === 'transact' ? definition.steps : {}
}
