import type { Migration } from 'singletable/migrations'
import { guardFormsOf, isIndexStep, MOVING, type Schema } from 'singletable/tools'

/** What to know of a migration before programs of both schemas run at the same time. */
export function deployNotes(
  id: string,
  { before, after }: { readonly before: Schema; readonly after: Schema },
  { steps }: Migration,
): readonly string[] {
  const moving = steps.find(({ kind }) => MOVING.includes(kind))
  const link = { id, before, steps: steps.filter((step) => !isIndexStep(step)) }
  const { problems, forms } = guardFormsOf([link], after)
  return [
    ...(moving
      ? [`upgradeOnRead refuses it: the step ${moving.kind} moves or deletes items.`]
      : []),
    ...problems.map(
      ({ model, unique, why }) =>
        `Older programs can't see which values of unique "${unique}" of ${model} are taken, so that upgradeOnRead refuses it: ${why}. Carry it out while no older program runs.`,
    ),
    ...forms.map(
      ([now, was]) =>
        `Guards under "${was}" move to "${now}". Replace programs without upgradeOnRead first: they would not see which values are taken.`,
    ),
  ]
}
