import type { BuilderContext } from '../builder/builder.ts'
import { SingletableError } from '../errors/singletable-error.ts'
import type { CallOptions } from '../execute/table-context.ts'
import { isExpired } from '../plan/is-expired.ts'
import type { Model } from '../schema/model.ts'
import type { Item } from '../values/attribute-value.ts'
import { plainItem } from './changes-of.ts'
import type { Finding } from './finding.ts'
import { type CountedModel, countersOf, inspectCounter } from './inspect-counters.ts'
import { inspectCopy, inspectGuard, inspectItem } from './inspect-derived-items.ts'
import { modelOf } from './model-of.ts'
import { keyOf, Propagation } from './propagation.ts'
import { Repair } from './repair.ts'

type Found = Omit<Finding, 'entity' | 'key'>

/** An item that can't be judged is reported as such, so that one of them does not end the whole
 * verification. */
const UNREADABLE = /^(DECODE_FAILED|INPUT_INVALID|ENTITY_MISMATCH|KEY_COMPONENT_INVALID)$/

/** Looks at items one by one, and repairs what is wrong if that is wanted. */
export class Inspection {
  /** Counters that can't be checked, each with the reason. */
  readonly skipped: readonly string[]
  readonly #repair: Repair
  readonly #propagation: Propagation
  readonly #counters: readonly CountedModel[]
  readonly #options: CallOptions

  constructor(
    context: BuilderContext,
    options: { readonly repair: boolean; readonly signal: AbortSignal | undefined },
    where: string,
  ) {
    this.#options = { signal: options.signal }
    this.#repair = new Repair(context, options.repair, options.signal)
    this.#propagation = new Propagation(context, where, false)
    const { counters, skipped } = countersOf(context.schema)
    this.#counters = counters
    this.skipped = skipped
  }

  /** What is wrong with an item that was just read. */
  async inspect(item: Item, key: Item): Promise<readonly Finding[]> {
    const model = modelOf(this.#repair.context.schema, item)
    const entity = typeof model === 'string' ? undefined : model.name
    let found: readonly Found[]
    try {
      found = await this.#look(model, item, key)
    } catch (error) {
      if (!SingletableError.is(error) || !UNREADABLE.test(error.code)) throw error
      found = [{ kind: 'unreadable', message: error.message, repaired: false }]
    }
    return found.map((each) => ({ ...each, entity, key: plainItem(key) }))
  }

  async #look(model: ReturnType<typeof modelOf>, item: Item, key: Item): Promise<readonly Found[]> {
    const repair = this.#repair
    if (model === 'unique') return repair.settle(item, key, (now) => inspectGuard(repair, now, key))
    if (typeof model === 'string' || isExpired(model, item, repair.context)) return []
    if (model.source) {
      return repair.settle(item, key, (now) => inspectCopy(repair, model, now, key))
    }
    const found: Found[] = []
    if (model.derivedItems) {
      found.push(...(await repair.settle(item, key, (now) => inspectItem(repair, model, now, key))))
    }
    for (const counted of this.#counters) {
      if (counted.counter.parent !== model) continue
      const wrong = await inspectCounter(repair, counted, item, this.#options)
      if (wrong) found.push(wrong)
    }
    return [...found, ...(await this.#copiesOf(model, item))]
  }

  /** Attributes that repeat those of other items. What differs is looked at twice, as others may be
   * writing. */
  async #copiesOf(model: Model, item: Item): Promise<readonly Found[]> {
    const found: Found[] = []
    const options = this.#options
    const propagation = this.#propagation
    for (const group of propagation.groups) {
      if (group.model !== model) continue
      const output = model.decode(item, false)
      if (!(await propagation.staleCopies(group, output, options))?.length) continue
      const now = await propagation.read(model, keyOf(model, output), options)
      const stale = now && (await propagation.staleCopies(group, now, options))
      if (!now || !stale?.length) continue
      const { isWanted: repaired } = this.#repair
      if (repaired) await propagation.updateItem(model, now, options)
      const names = stale.map((name) => `"${name}"`).join(', ')
      const message = `${names} differs from ${group.source.name}`
      found.push({ kind: 'copy-of-stale', message, repaired })
    }
    return found
  }
}
