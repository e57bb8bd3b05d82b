import { getOwn } from 'singletable/tools'
import { listNames } from '../../../text/list-names.ts'
import type { DeclaredPattern } from '../../design/declared-pattern.ts'
import type { Design } from '../../design/design.ts'
import type { IndexUse, ModelKey } from '../../design/design-model.ts'
import type { Notice, Rule, Severity } from '../rule.ts'

export const churnedGsiKey: Rule = {
  code: 'I08',
  name: 'churned-gsi-key',
  severity: 'warning',
  source: 'schema',
  title: 'The key of an index has an attribute that changes often.',
  explanation: `An entry of an index can't change its key: when an attribute in it changes, DynamoDB deletes the entry and puts another, and both are paid for. An attribute that changes with every
write, such as updatedAt, a version or a counter, makes every write of the item cost two more in the index.

  wrong   index: { gsi1pk: 'FORUM#\${forumId}', gsi1sk: '\${likes:pad(8)}#\${postId}' }        // each like moves the entry
  right   index: { gsi1pk: 'FORUM#\${forumId}', gsi1sk: '\${score:pad(3)}#\${postId}' }        // a job sets the score once an hour
  wrong   gsi1sk: '\${updatedAt}'
  right   gsi1sk: '\${updatedAt:day}#\${postId}'                                             // changes at most once a day

It is a warning for counters, versions, updatedAt, and for updates that are declared to be as frequent as new items; for other updates, such as a change of status, it is
information about their price.`,
  *check(design) {
    const patterns = design.patterns
    for (const use of design.uses) {
      if (use.index === 'primary') continue
      for (const name of wholeNames([...use.hash, ...use.sort])) {
        const churn = churnOf(design, patterns, use, name)
        if (churn === undefined) continue
        yield {
          message: `Every change of ${name} costs two writes in ${use.index}: ${churn.cause}.`,
          fix:
            churn.severity === 'info'
              ? `this is the cost of the index; if ${name} changes often, keep it out of the key`
              : `take another attribute into the key, or a coarser value than ${name}, which changes less often`,
          place: { model: use.model, index: use.index, attribute: name },
          severity: churn.severity,
        } satisfies Notice
      }
    }
  },
}

/** The attributes whose whole value is in a key; a bucket of time changes less often than the
 * time. */
function wholeNames(keys: readonly ModelKey[]): ReadonlySet<string> {
  return new Set(
    keys.flatMap(({ template, attribute = '' }) =>
      template
        ? template.parts.flatMap((part) =>
            typeof part === 'string' || part.modifiers.some(isUnit) ? [] : [part.name],
          )
        : [attribute],
    ),
  )
}

function isUnit(modifier: string): boolean {
  return /^(?:year|month|day|hour|minute)$/.test(modifier)
}

/** What changes an attribute, and whether that is often. */
function churnOf(
  { definition: schema }: Design,
  patterns: readonly DeclaredPattern[],
  { definition, model, isCopy }: IndexUse,
  name: string,
): { readonly cause: string; readonly severity: Severity } | undefined {
  const attribute = getOwn(definition.attributes ?? {}, name)
  const owner = isCopy
    ? (Object.entries(schema.models).find(([, each]) => each === definition)?.[0] ?? model)
    : model
  if (name === 'updatedAt' && schema.params?.timestamps) {
    return { cause: `every write of ${owner} changes it`, severity: 'warning' }
  }
  if (attribute?.version)
    return { cause: `every write of ${owner} counts it up`, severity: 'warning' }
  if (attribute?.counts !== undefined) {
    const counted = typeof attribute.counts === 'string' ? attribute.counts : attribute.counts.model
    return { cause: `every new ${counted} counts it up`, severity: 'warning' }
  }
  if (attribute?.sums !== undefined) {
    const of = typeof attribute.sums === 'string' ? attribute.sums : attribute.sums.of
    return { cause: `every change of ${of} changes it`, severity: 'warning' }
  }
  const own = patterns.filter(({ entities }) => entities.includes(owner))
  const added = own.filter((pattern) => changes(pattern, ['add']).includes(name))
  const changing = own.filter((pattern) =>
    changes(pattern, ['set', 'add', 'remove']).includes(name),
  )
  if (changing.length === 0) return undefined
  const cause = `${listNames(changing.map((pattern) => pattern.name))} ${changing.length === 1 ? 'changes' : 'change'} it`
  const made = rateOf(own.filter(({ definition: { op } }) => op === 'create' || op === 'put'))
  const changed = rateOf(changing)
  const isOften = added.length > 0 || (changed !== undefined && changed >= (made ?? Infinity))
  return { cause, severity: isOften ? 'warning' : 'info' }
}

function changes(
  { definition }: DeclaredPattern,
  options: readonly ('set' | 'add' | 'remove')[],
): readonly string[] {
  return definition.op === 'update' ? options.flatMap((option) => definition[option] ?? []) : []
}

/** What is declared of them together; undefined if nothing is. */
function rateOf(patterns: readonly DeclaredPattern[]): number | undefined {
  const rates = patterns.flatMap(({ definition }) => definition.expect?.rps ?? [])
  return rates.length === 0 ? undefined : rates.reduce((sum, rate) => sum + rate, 0)
}
