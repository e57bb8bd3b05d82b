import type { Environment } from '../schema/environment.ts'
import type { Model } from '../schema/model.ts'

/** What planners know of the table. */
export interface PlanContext {
  /** The table's name in DynamoDB. */
  readonly tableName: string
  readonly environment: Environment
  /** Is told once of keys given in a form that is accepted and not meant. */
  readonly warn?: ((message: string) => void) | undefined
}

/** For messages: `table "Blog", entity "Post", put()`. */
export function placeOf(context: PlanContext, model: Model, verb: string): string {
  return `table "${context.tableName}", entity "${model.name}", ${verb}()`
}
