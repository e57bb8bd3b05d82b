import type { InputIssue } from '../errors/input-error.ts'
import { startCall } from '../execute/call.ts'
import { executeGetByUnique } from '../execute/get-by-unique.ts'
import type { CallOptions } from '../execute/table-context.ts'
import type { Explanation } from '../plan/plan.ts'
import { placeOf } from '../plan/plan-context.ts'
import { explainUnique, planUnique, type UniqueState } from '../plan/plan-unique.ts'
import { NEW_READ } from '../plan/state.ts'
import { nativeParams } from '../request/native-params.ts'
import { ownValue } from '../schema/index-keys.ts'
import { addIssue, encodePart, isObject, notAnObject, refuseInput } from '../schema/input-issues.ts'
import type { Model } from '../schema/model.ts'
import type { BuilderContext } from './builder.ts'
import { SelectingRead } from './read.ts'

/** What `UniqueGetBuilder` promises. */
export class GetByUnique extends SelectingRead<UniqueState> {
  dbParams(): object {
    return nativeParams(planUnique(this.state, this.context).guard)
  }

  params(): object {
    return this.dbParams()
  }

  explain(): Explanation {
    return explainUnique(this.state, this.context)
  }

  async execute(options?: CallOptions): Promise<unknown> {
    const { context, state } = this
    const call = startCall(context, 'getByUnique', state.model.name, options)
    return executeGetByUnique(context, call, planUnique(state, context))
  }
}

/**
 * Reads an item by what is unique; `values` are those that the caller gave, and those of the scope.
 */
export function createGetByUnique(
  context: BuilderContext,
  model: Model,
  given: object,
  values: object,
): GetByUnique {
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
  return new GetByUnique(context, { ...NEW_READ, model, rule, item })
}
