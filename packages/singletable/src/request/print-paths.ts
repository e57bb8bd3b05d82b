import { PrintedPlaceholders, printProjection } from '../expression/print.ts'
import type { Path } from '../expression/tree.ts'
import type { RequestProjection } from '../plan/plan.ts'

/** A projection in a request's own words. DynamoDB refuses a path next to one that contains it, and
 * the same path twice. */
export function printPaths(
  paths: readonly Path[],
  placeholders: PrintedPlaceholders = new PrintedPlaceholders(),
): RequestProjection {
  const apart = paths.filter(
    (path, position) =>
      !paths.some(
        (other, before) =>
          (other.length < path.length || (other.length === path.length && before < position)) &&
          other.every((component, depth) => component === path[depth]),
      ),
  )
  const ProjectionExpression = printProjection(apart, placeholders)
  return { ProjectionExpression, ExpressionAttributeNames: placeholders.names() ?? {} }
}
