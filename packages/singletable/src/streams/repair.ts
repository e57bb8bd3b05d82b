import type { BuilderContext } from '../builder/builder.ts'
import { type Call, startCall } from '../execute/call.ts'
import { READ, send } from '../execute/send.ts'
import { sendWrites } from '../execute/transact-write.ts'
import { isExpired } from '../plan/is-expired.ts'
import type { WritePlan } from '../plan/plan.ts'
import { siteOf } from '../plan/plan-context.ts'
import { planDerivedItems } from '../plan/write/plan-derived-items.ts'
import { planWrite } from '../plan/write/plan-write.ts'
import { assertItem } from '../plan/write/stage-write.ts'
import type { KnownValues } from '../plan/write/write-condition.ts'
import type { Model } from '../schema/model.ts'
import type { Item } from '../values/attribute-value.ts'
import type { Finding } from './finding.ts'

/** Something that does not agree, and what repairs it, all at once; nothing if it can't be
 * repaired. */
export interface Problem extends Pick<Finding, 'kind' | 'message'> {
  readonly writes: readonly WritePlan[]
}

/** An item that is written again and again is left to the next verification. */
const ATTEMPTS_MAX = 5

/** Reads items as they are stored, and writes what repairs them. */
export class Repair {
  readonly context: BuilderContext
  readonly isWanted: boolean
  readonly place: string
  readonly #call: Call

  constructor(context: BuilderContext, isWanted: boolean, signal: AbortSignal | undefined) {
    this.context = context
    this.isWanted = isWanted
    this.#call = startCall(context, 'verifyCopies', undefined, { signal })
    this.place = this.#call.place
  }

  async read(Key: Item): Promise<Item | undefined> {
    const request = { TableName: this.context.name, Key, ConsistentRead: true }
    return (await send(this.context, this.#call, 'GetItem', request, READ)).Item
  }

  /** Whether the writes were made; not if one of their conditions did not hold. */
  async write(writes: readonly WritePlan[]): Promise<boolean> {
    if (writes.length === 0) return false
    const owners = writes.map(() => 0)
    return (await sendWrites(this.context, this.#call, { writes, owners }, undefined)) === undefined
  }

  /**
   * Looks for problems until two looks in a row agree: others may have been writing in between.
   * Then repairs them, each on the condition that what decides has not changed. The result is what
   * was found, and whether it was repaired.
   */
  async settle(
    item: Item,
    key: Item,
    look: (item: Item) => Promise<readonly Problem[]>,
  ): Promise<readonly Omit<Finding, 'entity' | 'key'>[]> {
    let now: Item | undefined = item
    let before: string | undefined
    for (let attempt = 0; now && attempt < ATTEMPTS_MAX; attempt++) {
      const problems: readonly Problem[] = await look(now)
      if (problems.length === 0) break
      const found = problems.map(({ message }) => message).join()
      if (found === before) {
        const written = await Promise.all(
          problems.map(({ writes }) => this.isWanted && this.write(writes)),
        )
        // A repair was refused because of a change; everything is checked again.
        const isRefused = (position: number): boolean =>
          this.isWanted && !written[position] && problems[position]!.writes.length > 0
        if (!problems.some((_, position) => isRefused(position))) {
          return problems.map(({ kind, message }, position) => {
            return { kind, message, repaired: written[position] === true }
          })
        }
      }
      before = found
      now = await this.read(key)
    }
    return []
  }

  /** The writes that would make an item's copies and guards again. */
  expected(model: Model, item: Item, key: Item): readonly WritePlan[] {
    const { context, place } = this
    if (!model.derivedItems || isExpired(model, item, context)) return []
    const keys = [key, key] as const
    const site = siteOf(context)
    const transition = { site, model, place, keys, before: undefined, after: item, whole: true }
    return planDerivedItems(transition).filter((each): each is WritePlan => each.kind === 'write')
  }

  /** The condition that an item is as it was read, or still not there. */
  unchanged(model: Model, key: Item, item: Item | undefined): WritePlan {
    return planWrite({ model }, siteOf(this.context), {
      action: 'ConditionCheck',
      verb: 'check',
      place: this.place,
      key,
      version: undefined,
      known: assertItem(model, item, []),
    })
  }

  remove(model: Model, key: Item, known?: KnownValues): WritePlan {
    return planWrite({ model }, siteOf(this.context), {
      action: 'Delete',
      verb: 'delete',
      place: this.place,
      key,
      version: undefined,
      ...(known && { known }),
    })
  }
}
