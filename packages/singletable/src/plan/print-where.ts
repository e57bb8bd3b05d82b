import { type PrintedPlaceholders, printCondition } from '../expression/print.ts'
import type { Model } from '../schema/model.ts'
import { compileWhere } from './compile-where.ts'
import type { Where } from './where.ts'

/** The text of a condition, in parentheses where it could not stand beside others. `place` says in errors where the condition stands. */
export function printWhere(
  where: Where,
  model: Model,
  place: string,
  placeholders: PrintedPlaceholders,
): string {
  const condition = compileWhere(where, model, place)
  const text = printCondition(condition, placeholders)
  return condition.kind === 'or' ? `(${text})` : text
}
