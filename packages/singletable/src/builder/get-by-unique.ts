import type { InputIssue } from '../errors/input-error.ts'
import { startCall } from '../execute/call.ts'
import { executeGetByUnique } from '../execute/get-by-unique.ts'
import { placeOf } from '../plan/plan-context.ts'
import { ownValue } from '../schema/index-keys.ts'
import { addIssue, encodePart, isObject, notAnObject, refuseInput } from '../schema/input-issues.ts'
import type { Model } from '../schema/model.ts'
import type { BuilderContext } from './builder.ts'
import { type LazyPromise, lazyCall } from './lazy-call.ts'

/**
 * Reads an item by what is unique; `values` are those that the caller gave, and those of the scope.
 */
export function createGetByUnique(
  context: BuilderContext,
  model: Model,
  given: object,
  values: object,
): LazyPromise<unknown> {
  const place = placeOf(context, model, 'getByUnique')
  const names = Object.keys(isObject(given) ? given : refuseInput(notAnObject(given), place))
  const rules = model.derivedItems?.unique ?? []
  const rule = rules.find(({ determinedBy }) => {
    const isGiven = determinedBy.every((name) => ownValue(values, name) !== undefined)
    return isGiven && names.every((name) => determinedBy.includes(name))
  })
  if (rule === undefined) {
    const choices = rules.map(({ determinedBy }) => `{ ${determinedBy.join(', ')} }`)
    return refuseInput(
      `${model.name} has no rule that makes { ${names.join(', ')} } unique`,
      place,
      choices.length > 0
        ? `give a value for each of ${choices.join(', or ')}`
        : 'declare unique: true for an attribute, or read an index with query()',
    )
  }
  const issues: InputIssue[] = []
  const item = Object.fromEntries(
    rule.attributes.map(({ name, stored, codec }) => {
      const value = ownValue(values, name)
      if (value === null) addIssue(issues, 'is null, and only values are unique', name)
      return [stored, encodePart(codec.encode, value, name, issues)]
    }),
  )
  if (issues.length > 0) refuseInput(issues, place)
  return lazyCall(
    async (options) =>
      executeGetByUnique(
        context,
        startCall(context, 'getByUnique', model.name, options),
        model,
        rule,
        item,
      ),
    true,
  )
}
