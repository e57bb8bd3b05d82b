import { contextOf, type TableLike } from '../builder/context-of.ts'
import type { CallOptions } from '../execute/table-context.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { AnyChange } from './change.ts'
import { type HandlerOptions, handleChanges } from './handle-changes.ts'
import { Propagation } from './propagation.ts'
import type { StreamHandler } from './stream-handler.ts'

const PLACE = 'propagateCopies()'

/**
 * A handler of stream events that keeps attributes with `copyOf` in line with their sources: after
 * a change of a source it updates all copies, and after a change of an item with copies it looks
 * whether they are right. Handling a record twice, or in another order than others, does no harm.
 * Items whose source is gone keep what they have.
 *
 * A schema whose copies no index finds by their source is refused here.
 */
export function propagateCopies(
  table: TableLike<SchemaDefinition>,
  options: HandlerOptions & Pick<CallOptions, 'signal'> = {},
): StreamHandler {
  const context = contextOf(table, PLACE)
  const propagation = new Propagation(context, PLACE)
  const { groups } = propagation
  const { signal, ...handling } = options
  const handle = async (change: AnyChange): Promise<void> => {
    const { entity, type, keys, after, changed } = change
    const model = context.schema.models.get(entity ?? '')
    if (model === undefined || type === 'remove') return
    // A stream without images has no attributes, so that all may have changed.
    const touches = (names: readonly string[]): boolean =>
      changed.length === 0 || names.some((name) => changed.includes(name))
    const sources = groups.filter(
      ({ source, pairs }) =>
        source === model && touches(pairs.map(({ attribute }) => attribute.name)),
    )
    await propagation.updateCopies(sources, keys, { signal })
    const isCopy = groups.some(
      (group) =>
        group.model === model &&
        touches([...group.links.values(), ...group.pairs.map(({ copy }) => copy.name)]),
    )
    if (!isCopy) return
    const item = after ?? (await propagation.read(model, keys, { signal }))
    if (item) await propagation.updateItem(model, item, { signal })
  }
  return handleChanges(context.schema, handle, PLACE, handling)
}
