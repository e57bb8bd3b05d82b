import { getOwn } from 'singletable/tools'
import type { Design } from '../../design/design.ts'
import { keptModels } from '../../design/design-changes.ts'
import type { Notice, Rule } from '../rule.ts'

export const irreversible: Rule = {
  code: 'M07',
  name: 'irreversible',
  severity: 'warning',
  source: 'before',
  title: "The change deletes data that can't be restored.",
  explanation: `An attribute that is no longer declared is still stored, until something puts its item: a put replaces the whole item, and what the schema does not know is gone.
The items of a model that is no longer declared are no longer read, and sooner or later somebody deletes them.

  wrong   Post: { attributes: { …, legacyId: { type: String } } }   becomes   Post: { attributes: { … } }
  right   table: { pointInTimeRecovery: true }                      // first; and legacyId goes when nobody needs its values

With point-in-time recovery the table as it was can be restored for up to 35 days, so the rule only informs then. What counts is what the schema declares.`,
  *check(design) {
    const { before, definition } = design
    if (before?.schema === undefined) return
    for (const name of Object.keys(before.schema.definition.models)) {
      if (getOwn(definition.models ?? {}, name) !== undefined) continue
      yield notice(
        design,
        `${name} is no longer declared: nothing reads its items, and deleting them`,
        {
          model: name,
        },
      )
    }
    for (const { before: old, now } of keptModels(design)) {
      // A copy has what its model has.
      if (now.source) continue
      const stored = new Set([...now.attributes.values()].map((attribute) => attribute.stored))
      for (const attribute of old.attributes.values()) {
        if (stored.has(attribute.stored)) continue
        yield notice(
          design,
          `${now.name}.${attribute.name} is no longer declared: the next put of an item drops its value, which`,
          { model: now.name, attribute: attribute.name },
        )
      }
    }
  },
}

function notice({ definition }: Design, what: string, place: Notice['place']): Notice {
  const isOn = definition.table?.pointInTimeRecovery
  const state = isOn ? 'on' : isOn === false ? 'off' : 'not declared'
  return {
    message: `${what} cannot be undone; point-in-time recovery is ${state}.`,
    fix: isOn
      ? 'keep it declared until nobody needs the data'
      : 'keep it declared until nobody needs the data, and switch on table: { pointInTimeRecovery: true } first',
    place,
    ...(isOn && { severity: 'info' }),
  }
}
