import { PrintedPlaceholders, printProjection } from '../expression/print.ts'
import type { Path } from '../expression/tree.ts'
import type { Index, Model } from '../schema/model.ts'
import type { RequestProjection } from './plan.ts'
import type { Reference } from './reference.ts'

/** The key attributes of an index and of the table: what it always has, and what a cursor is made of. */
export function keyNamesOf({ schema }: Model, index: Index): string[] {
  const { primary } = schema
  return [...new Set([...primary.hash, ...primary.sort, ...index.hash, ...index.sort])]
}

/** Whether an index has an attribute; those of the table's key, which every index has, are left aside. */
export function isProjected({ project, hash, sort }: Index, name: string): boolean {
  return (
    project === 'all' ||
    (project !== 'keys' && project.includes(name)) ||
    hash.includes(name) ||
    sort.includes(name)
  )
}

/** What is read besides the attributes asked for: keys, the type, and the time to live where it is looked at, as far as the index has them. */
export function internalNames(model: Model, index: Index, includeExpired: boolean): string[] {
  const names = keyNamesOf(model, index)
  const { typeField } = model.schema.params
  if (isProjected(index, typeField)) names.push(typeField)
  const { ttl } = model
  if (ttl !== undefined && !includeExpired && isProjected(index, ttl.stored)) names.push(ttl.stored)
  return names
}

/** The attributes that are read though nobody asked for them, and so are not given. */
export function unaskedNames(
  model: Model,
  select: readonly Reference[],
  internal: readonly string[],
): string[] {
  const asked = select.map(({ path }) => path[0])
  const names: string[] = []
  for (const { name, stored } of model.attributes.values()) {
    if (internal.includes(stored) && !asked.includes(stored)) names.push(name)
  }
  return names
}

/** The paths of a projection, each once: DynamoDB refuses a path beside one that contains it. */
export function projectionPaths(
  select: readonly Reference[],
  internal: readonly string[],
): readonly Path[] {
  const paths = new Map<string, Path>()
  for (const name of internal) paths.set(JSON.stringify([name]), [name])
  for (const { path } of select) paths.set(JSON.stringify(path), path)
  return [...paths.values()].filter((path) => {
    for (let length = 1; length < path.length; length++) {
      if (paths.has(JSON.stringify(path.slice(0, length)))) return false
    }
    return true
  })
}

/** A projection that is all a request has to say. */
export function createProjection(
  select: readonly Reference[],
  internal: readonly string[],
): RequestProjection {
  const placeholders = new PrintedPlaceholders()
  const ProjectionExpression = printProjection(projectionPaths(select, internal), placeholders)
  return { ProjectionExpression, ExpressionAttributeNames: placeholders.names() ?? {} }
}
