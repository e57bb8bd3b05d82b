import { printPlace } from '../errors/print-place.ts'
import type { Model } from '../schema/model.ts'
import type { Environment } from '../values/environment.ts'

/** What planners know of the table. */
export interface PlanContext {
  /** The table's name in DynamoDB. */
  readonly tableName: string
  readonly environment: Environment
  /** The access pattern that calls are planned for, if they are. */
  readonly pattern?: string | undefined
  /**
   * Whether a put keeps attributes that the schema does not declare; if undefined, once some were
   * read.
   */
  readonly keepUndeclared?: boolean | undefined
  /** For models of which items were read with such attributes. */
  readonly undeclared?: Map<Model, Undeclared> | undefined
  /** Called once for keys given in a form that is accepted and not meant. */
  readonly warn?: ((message: string) => void) | undefined
}

/** What was found in items that the schema does not declare. */
export interface Undeclared {
  /** One of the attributes. */
  readonly name?: string
  /** One of the members of objects, as `profile.nick`. */
  readonly inside?: string
  isReported: boolean
}

/** Where and when a write is planned. */
export interface WriteSite {
  readonly tableName: string
  /** Milliseconds since 1970. */
  readonly now: number
}

export function siteOf({ tableName, environment }: PlanContext): WriteSite {
  return { tableName, now: environment.now() }
}

/** For messages: `table "Blog", entity "Post", put()`. */
export function placeOf(context: PlanContext, model: Model, verb: string): string {
  const { tableName: table, pattern } = context
  return printPlace({ table, pattern, entity: model.name, verb })
}
