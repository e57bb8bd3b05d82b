import type { Path } from '../expression/tree.ts'
import type { Index } from '../schema/model.ts'
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
export function projectedPaths(
  { model, includeExpired }: ReadState,
  select: NonNullable<ReadState['select']>,
  index: Index,
): { readonly paths: readonly Path[]; readonly unasked: readonly string[] } {
  const internal = [...index.keyNames]
  for (const name of [
    model.schema.params.typeField,
    ...(model.ttl && !includeExpired ? [model.ttl.stored] : []),
  ]) {
    if (isProjected(index, name)) internal.push(name)
  }
  const asked = select.map(({ path, reads = path }) => reads)
  const unasked = [...model.attributes.values()].filter(
    ({ stored }) => internal.includes(stored) && !asked.some(([name]) => name === stored),
  )
  return {
    // Two positions of a tuple read the same.
    paths: [
      ...internal.map((name): Path => [name]),
      ...new Map(asked.map((path) => [JSON.stringify(path), path])).values(),
    ],
    unasked: unasked.map(({ name }) => name),
  }
}
