import { projectItem } from '../../expression/evaluate/project-item.ts'
import type { Projection } from '../../expression/tree.ts'
import type { Item } from '../../values/attribute-value.ts'
import type { EngineContext } from '../context/context.ts'
import { copyForCaller, type StoredItem } from '../storage/stored-item.ts'

/** What an answer has of a stored item: all of it, or what the projection names. */
export function showItem(
  context: EngineContext,
  stored: StoredItem,
  projection: Projection | undefined,
): Item {
  return projection === undefined
    ? context.copyForCaller(stored)
    : projectItem(projection, partsOf(context, stored))
}

/** An item whose parts an answer has: the caller's own, unless the answer becomes text. */
export function partsOf(context: EngineContext, stored: StoredItem): Item {
  return context.nextTurn === undefined ? copyForCaller(stored) : stored.item
}
