import { SingletableError } from '../errors/singletable-error.ts'
import type { Item } from '../values/attribute-value.ts'
import { sameValue } from '../values/same-value.ts'
import { type Merge, type Rewrite, rewriteItem, type Versions } from './rewrite-item.ts'
import { RewriteProblem } from './rewrite-problem.ts'

/**
 * The keys that the item can have that another one becomes part of: by the newer schema, or still
 * by the older.
 */
export function mergeKeys(
  { before, after, steps }: Versions,
  { step, part }: Merge,
): readonly Item[] {
  const renamed = steps.find((each) => each.kind === 'renameModel' && each.to === step.into)
  const models = [after.models.get(step.into), before.models.get(renamed?.model ?? step.into)]
  const keys: Item[] = []
  for (const model of models) {
    if (model === undefined) continue
    try {
      const key = model.encodeKey({ ...step.key(part) }, `migration, mergeModel of ${step.model}`)
      if (!keys.some((each) => sameValue(each, key))) keys.push(key)
    } catch (error) {
      throw new RewriteProblem(
        `has no item to be merged into: ${SingletableError.is(error) ? error.what : error}`,
      )
    }
  }
  return keys
}

/** What becomes of the item that another one becomes part of. */
export function mergeItem(versions: Versions, { step, part }: Merge, target: Item): Rewrite {
  const change = (values: Readonly<Record<string, unknown>>) => step.merge(values, part)
  // What is added is removed by the way back of the merge, so that nothing of the target is lost.
  const added = { kind: 'custom', model: step.into, change, back: change } as const
  const steps = [...versions.steps, added]
  const rewrite = rewriteItem({ ...versions, steps }, target)
  if (rewrite && rewrite.after.length > 0) return rewrite
  throw new RewriteProblem(`belongs to an item of ${step.into} that is deleted or unknown`)
}
