import { BoundEntity } from '../builder/bound-entity.ts'
import type { BuilderContext } from '../builder/builder.ts'
import { assert } from '../errors/assert.ts'
import { SingletableError } from '../errors/singletable-error.ts'
import type { CallOptions } from '../execute/table-context.ts'
import { ownValue } from '../schema/index-keys.ts'
import type { Attribute, Model } from '../schema/model.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { setOwn } from '../values/own.ts'
import { sameValue } from '../values/same-value.ts'
import { type CopyGroup, copyGroups } from './copy-groups.ts'
import { eachLimited } from './each-limited.ts'

type Output = Record<string, unknown>
type Options = CallOptions | undefined

const CONCURRENCY = 16

/**
 * Brings copies in line with their sources. What is written is always what the source has now, not
 * what it had at some change; and after writing, the source is read once more, because a slower run
 * could have written over the work of a later one. So the order in which runs end makes no
 * difference, and a run can be repeated at any time.
 */
export class Propagation {
  readonly groups: readonly CopyGroup[]
  readonly #context: BuilderContext

  constructor(context: BuilderContext, where: string, findsCopies = true) {
    this.#context = context
    this.groups = copyGroups(context.schema, where, findsCopies)
  }

  /** Updates all copies of one item; the result is how many there were to update. */
  async updateCopies(groups: readonly CopyGroup[], key: Output, options: Options): Promise<number> {
    let updated = 0
    for (const group of groups) {
      let source = await this.#sourceOf(group, key, options)
      while (source !== undefined) {
        const current: Output = source
        await eachLimited(this.#copiesOf(group, key, options), CONCURRENCY, async (item) => {
          if (await this.#update(group, item, current, options)) updated++
        })
        source = await this.#sourceOf(group, key, options)
        if (source && differences(group, current, source).length === 0) break
      }
    }
    return updated
  }

  /**
   * Brings one item in line with its sources, as it may have been made with an old value, or linked
   * to another source. It is given as it was at some time, and read again before anything is
   * written.
   */
  async updateItem(model: Model, item: Output, options: Options): Promise<number> {
    let updated = 0
    for (const group of this.groups) {
      const key = group.model === model ? sourceKey(group, item) : undefined
      if (key === undefined) continue
      let known: Output | undefined = item
      let source = await this.#sourceOf(group, key, options)
      while (source !== undefined && differences(group, known, source, true).length > 0) {
        known = await this.read(model, keyOf(model, item), options)
        // What is linked to another source by now has a change of its own that says so.
        if (known === undefined || !isLinkedTo(group, known, key)) break
        if (await this.#update(group, known, source, options)) updated++
        source = await this.#sourceOf(group, key, options)
      }
    }
    return updated
  }

  /** What an item's copies should be and are not; `undefined` if it has no source, or its source is
   * gone. */
  async staleCopies(
    group: CopyGroup,
    item: Output,
    options: Options,
  ): Promise<readonly string[] | undefined> {
    const key = sourceKey(group, item)
    const source = key && (await this.#sourceOf(group, key, options))
    return source && differences(group, item, source, true)
  }

  /** An item as it is now. */
  async read(model: Model, key: Output, options: Options): Promise<Output | undefined> {
    const get = new BoundEntity(this.#context, model).get(key).consistentRead()
    // A get gives an output, or nothing.
    return (await get.execute(options)) as Output | undefined
  }

  #sourceOf({ source }: CopyGroup, key: Output, options: Options): Promise<Output | undefined> {
    return this.read(source, key, options)
  }

  #copiesOf(group: CopyGroup, key: Output, options: Options): AsyncIterable<Output> {
    const { model, links } = group
    const index = group.index?.index
    assert(index !== undefined, 'copies are looked for only with an index that finds them')
    const values: Output = {}
    for (const [name, link] of links) setOwn(values, link, ownValue(key, name))
    let query = new BoundEntity(this.#context, model).query(values).useIndex(index.name)
    if (index.type !== 'global') query = query.consistentRead()
    if (index.project !== 'all') query = query.hydrate()
    // A query gives outputs.
    return query.iterate(options) as AsyncIterable<Output>
  }

  /** Writes what differs, if the item is still there and linked to that source. */
  async #update(
    group: CopyGroup,
    item: Output,
    source: Output,
    options: Options,
  ): Promise<boolean> {
    const { model, links } = group
    const names = differences(group, item, source, true)
    if (names.length === 0) return false
    const values = copiedValues(group, source)
    let update = new BoundEntity(this.#context, model).update(keyOf(model, item)).returning('NONE')
    for (const name of names) {
      const value = ownValue(values, name)
      update = value === undefined ? update.remove(name) : update.set(name, value)
    }
    for (const link of links.values()) {
      if (model.primary.names.includes(link)) continue
      update = update.where((attr, op) => {
        // References and operators of the model, whose types only its interface has.
        const { eq } = op as { eq(reference: unknown, value: unknown): unknown }
        return eq(ownValue(attr, link), ownValue(item, link))
      })
    }
    try {
      await update.execute(options)
      return true
    } catch (error) {
      if (SingletableError.is(error) && /^(CONDITION_FAILED|ITEM_NOT_FOUND)$/.test(error.code)) {
        return false
      }
      throw error
    }
  }
}

/** The key of the source that an item is linked to; `undefined` if an attribute of the link has no
 * value. */
export function sourceKey({ links }: CopyGroup, item: Output): Output | undefined {
  const key: Output = {}
  for (const [name, link] of links) {
    const value = ownValue(item, link)
    if (value === undefined || value === null) return undefined
    setOwn(key, name, value)
  }
  return key
}

function isLinkedTo(group: CopyGroup, item: Output, key: Output): boolean {
  const own = sourceKey(group, item) ?? {}
  return [...group.links.keys()].every((name) => {
    const attribute = group.source.attributes.get(name)!
    return sameValue(stored(attribute, ownValue(own, name)), stored(attribute, ownValue(key, name)))
  })
}

export function keyOf({ primary }: Model, item: Output): Output {
  return Object.fromEntries(primary.names.map((name) => [name, ownValue(item, name)]))
}

function copiedValues({ pairs }: CopyGroup, source: Output): Output {
  const values: Output = {}
  for (const { attribute, copy } of pairs) {
    setOwn(values, copy.name, ownValue(source, attribute.name))
  }
  return values
}

/** The copies whose values differ: of an item from its source, or of a source from itself at
 * another time. */
function differences(
  { pairs }: CopyGroup,
  item: Output,
  source: Output,
  isCopy = false,
): readonly string[] {
  return pairs
    .filter(({ attribute, copy }) => {
      const own = ownValue(item, (isCopy ? copy : attribute).name)
      return !sameValue(stored(copy, own), stored(copy, ownValue(source, attribute.name)))
    })
    .map(({ copy }) => copy.name)
}

function stored({ codec }: Attribute, value: unknown): AttributeValue | undefined {
  return value === undefined ? undefined : codec.encode(value, [])
}
