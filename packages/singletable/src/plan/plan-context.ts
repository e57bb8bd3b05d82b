import type { Environment } from '../schema/environment.ts'
import type { Model } from '../schema/model.ts'

/** What planners know of the table. */
export interface PlanContext {
  /** The table's name in DynamoDB. */
  readonly tableName: string
  readonly environment: Environment
  /** The access pattern that calls are planned for, if they are. */
  readonly pattern?: string | undefined
  /** Is told once of keys given in a form that is accepted and not meant. */
  readonly warn?: ((message: string) => void) | undefined
}

/** For messages: `table "Blog", entity "Post", put()`. */
export function placeOf(context: PlanContext, model: Model, verb: string): string {
  const { tableName, pattern } = context
  const of = pattern === undefined ? '' : `, pattern "${pattern}"`
  return `table "${tableName}"${of}, entity "${model.name}", ${verb}()`
}
