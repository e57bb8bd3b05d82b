import { PrintedPlaceholders, printProjection } from '../expression/print.ts'
import type { Path } from '../expression/tree.ts'
import type { Index } from '../schema/model.ts'
import type { RequestProjection } from './plan.ts'
import type { ReadState } from './state.ts'

/** Whether an index has an attribute. */
export function isProjected({ project, keyNames }: Index, name: string): boolean {
  return (
    project === 'all' || (project !== 'keys' && project.includes(name)) || keyNames.includes(name)
  )
}

/**
 * What a call that selects attributes reads of an index: besides them keys, the type, and the time to live where it is looked at, as far as the
 * index has them. Those that nobody asked for are named, so that they are not given.
 */
export function createProjection(
  { model, includeExpired }: ReadState,
  select: NonNullable<ReadState['select']>,
  index: Index,
  placeholders?: PrintedPlaceholders,
): { readonly request: RequestProjection; readonly unasked: readonly string[] } {
  const internal = [...index.keyNames]
  for (const name of [
    model.schema.params.typeField,
    ...(model.ttl && !includeExpired ? [model.ttl.stored] : []),
  ]) {
    if (isProjected(index, name)) internal.push(name)
  }
  const asked = select.map(({ path }) => path)
  const paths: Path[] = [...internal.map((name): Path => [name]), ...asked]
  const unasked = [...model.attributes.values()].filter(
    ({ stored }) => internal.includes(stored) && !asked.some(([name]) => name === stored),
  )
  return {
    request: printPaths(paths, placeholders),
    unasked: unasked.map(({ name }) => name),
  }
}

/** A projection in a request's own words. DynamoDB refuses a path beside one that contains it, and beside itself. */
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
