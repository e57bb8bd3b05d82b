import { startCall } from '../execute/call.ts'
import type { CallOptions } from '../execute/table-context.ts'
import type { UpdateState } from '../plan/state.ts'
import { ownValue } from '../schema/index-keys.ts'
import { refuseInput } from '../schema/input-issues.ts'
import type { Attribute, Model } from '../schema/model.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { setOwn } from '../values/own.ts'
import { sameValue } from '../values/same-value.ts'
import { Update } from './update.ts'

interface SaveState extends UpdateState {
  /** What was read. */
  readonly original: object
}

/** An update that is made of a difference, and sends nothing where there is none. */
export class Save extends Update {
  override async execute(options?: CallOptions): Promise<unknown> {
    // It is started with this state.
    const { assignments, original, model } = this.state as SaveState
    if (assignments.length > 0) return super.execute(options)
    startCall(this.context, 'save', model.name, options)
    return original
  }
}

/** The update that makes one item of another. It holds only for the item as it was read. */
export function changeTo(save: Save, model: Model, changed: object, original: object): Save {
  const given: Record<string, unknown> = {}
  const set: Record<string, unknown> = {}
  const removed: string[] = []
  for (const attribute of model.attributes.values()) {
    const { name } = attribute
    const before: unknown = ownValue(original, name)
    const after: unknown = ownValue(changed, name)
    if (attribute === model.version || attribute === model.updatedAt) continue
    if (isSame(attribute, before, after)) continue
    if (after === undefined) removed.push(name)
    else setOwn(set, name, after)
    if (!model.primary.names.includes(name)) setOwn(given, name, before)
  }
  if (Object.keys(set).length + removed.length === 0) return save
  const update = save
    .set(set)
    .remove(...removed)
    .given(given)
  const version = model.version && ownValue(original, model.version.name)
  return typeof version === 'number' ? update.ifVersion(version) : update
}

/** Values are compared as they are stored: dates, sets and bytes have no equality of their own. */
function isSame({ codec }: Attribute, before: unknown, after: unknown): boolean {
  if (before === after) return true
  if (before === undefined || after === undefined) return false
  const encode = (value: unknown): AttributeValue | undefined => {
    const issues: never[] = []
    const encoded = codec.encode(value, issues)
    return issues.length > 0 ? undefined : encoded
  }
  const stored = encode(after)
  // What can't be stored is refused where it is set.
  return stored !== undefined && sameValue(encode(before), stored)
}

/** Refuses what is no item. */
export function requireItem(item: object, place: string): object {
  if (typeof item === 'object' && item !== null) return item
  return refuseInput(
    'save() needs two items',
    place,
    'give the changed item and the one that was read',
  )
}
