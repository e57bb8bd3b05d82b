import {
  type Attribute,
  type Environment,
  isCounted,
  keyVariables,
  type Model,
} from 'singletable/tools'
import { acceptsValue } from '../../seed/accepts-value.ts'
import type { SeedItem } from '../../seed/make-items.ts'
import { makeValue, UnseedableError } from '../../seed/make-value.ts'
import type { SeededRandom } from '../../seed/seeded-random.ts'
import type { Values } from './item-values.ts'
import { NotRunError } from './not-run-error.ts'
import { sameValue } from './same-value.ts'

/** Makes items with some values given. */
export class ItemMaker {
  private readonly random: SeededRandom
  private readonly environment: Environment
  private readonly fixtures: readonly SeedItem[]
  private number = 0

  constructor(random: SeededRandom, environment: Environment, fixtures: readonly SeedItem[]) {
    this.random = random
    this.environment = environment
    this.fixtures = fixtures
  }

  /** All that can be given for an item; what is fixed as undefined is left out. A copy has the
   * values of the item it is of. */
  make(model: Model, fixed: Values): Map<string, unknown> {
    const source = model.source ?? model
    this.number++
    const values = new Map<string, unknown>()
    for (const attribute of source.attributes.values()) {
      const { name } = attribute
      if (!isGiven(source, attribute)) continue
      const value = fixed.has(name) ? fixed.get(name) : this.value(source, attribute)
      if (value !== undefined) values.set(name, value)
    }
    const { each } = source.derivedItems?.copies.find((copy) => copy.model === model) ?? {}
    if (each) {
      const { list, element } = each
      const one = fixed.get(element.name) ?? this.value(model, element)
      values.set(list.name, list.definition.type === Set ? new Set([one]) : [one])
      values.set(element.name, one)
    }
    return values
  }

  /** A value that no other item has, as far as its type has that many. */
  value(model: Model, attribute: Attribute): unknown {
    const { name, definition } = attribute
    if (attribute.from) {
      throw new NotRunError(`${model.name}.${name} is computed, so its values can't be chosen`)
    }
    const { random, environment, number } = this
    const keys = keyVariables([...model.primary.hash, ...model.primary.sort])
    const isOwnKey =
      keys.includes(name) ||
      definition.unique !== undefined ||
      model.derivedItems?.unique.some(({ attributes }) => attributes.includes(attribute)) === true
    try {
      return makeValue(attribute, { model, random, environment, number, isOwnKey })
    } catch (error) {
      const example = error instanceof UnseedableError ? this.example(model, attribute) : undefined
      if (example === undefined) throw error
      return example
    }
  }

  /** One of the values that items of the project's own have. */
  private example(model: Model, attribute: Attribute): unknown {
    const values = this.fixtures
      .filter(({ entity }) => entity === model.name)
      .map(({ input }) => input[attribute.name])
      .filter((value) => value !== undefined && acceptsValue(attribute, model, value))
    const distinct = values.filter(
      (value, at) => values.findIndex((other) => sameValue(value, other)) === at,
    )
    return distinct[this.number % distinct.length]
  }
}

/** Whether an item can be without the attribute: nothing asks for it, and nothing makes it. */
export function canBeLeftOut(model: Model, attribute: Attribute): boolean {
  const { createdAt, primary } = model
  return (
    !attribute.definition.required &&
    attribute.supply === undefined &&
    attribute !== createdAt &&
    !primary.names.includes(attribute.name)
  )
}

/** Whether a caller can give the attribute of a new item. */
function isGiven(model: Model, attribute: Attribute): boolean {
  const { version, updatedAt } = model
  return (
    attribute !== version &&
    attribute !== updatedAt &&
    !isCounted(attribute.definition) &&
    attribute.from === undefined
  )
}
