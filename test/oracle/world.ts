import type { Model } from 'singletable/tools'
import {
  holdsWhen,
  storedForm,
  type Values,
} from '../../packages/kit/src/check/exercise/item-values.ts'
import { sameValue } from '../../packages/kit/src/check/exercise/same-value.ts'
import { guardsOf, hasCopy } from './followers.ts'

/** What was written: an item of a model that is no copy. */
export interface Fact {
  readonly model: Model
  readonly values: Values
}

/** An item that should be in the table, as it should be read: a fact, or a copy of one. */
export interface Entry {
  readonly model: Model
  readonly values: Values
}

/**
 * All that was written to a table, as plain values. What reading has to give is computed from it without any key: a fact is its values, a copy has some of
 * them, a counter counts.
 */
export class World {
  private readonly facts: Fact[] = []

  add(model: Model, values: Values): void {
    this.facts.push({ model, values: canonical(model, values) })
  }

  /** Takes a fact away that has this primary key. */
  remove(model: Model, key: Values): Fact | undefined {
    const found = this.find(model, key)
    if (found) this.facts.splice(this.facts.indexOf(found), 1)
    return found
  }

  find(model: Model, key: Values): Fact | undefined {
    return this.facts.find(
      (fact) =>
        fact.model === model &&
        model.primary.names.every((name) => sameValue(fact.values.get(name), key.get(name))),
    )
  }

  get size(): number {
    return this.facts.length
  }

  /** The items of a model or of a copy. */
  entriesOf(model: Model): Entry[] {
    const { source } = model
    if (source === undefined) {
      return this.facts
        .filter((fact) => fact.model === model)
        .map(({ values }) => ({ model, values: this.counted(model, values) }))
    }
    const copy = source.derivedItems?.copies.find((each) => each.model === model)
    return this.facts
      .filter((fact) => fact.model === source && copy && hasCopy(copy, fact.values))
      .map(({ values }) => ({
        model,
        values: new Map([...values].filter(([name]) => model.attributes.has(name))),
      }))
  }

  /** How many values have to be kept from being there twice. */
  get guardCount(): number {
    return this.facts.reduce((sum, { model, values }) => sum + guardsOf(model, values).length, 0)
  }

  private counted(model: Model, values: Values): Values {
    const { counted = [] } = model.derivedItems ?? {}
    return new Map([
      ...values,
      ...counted.map(({ name }) => [name, this.count(model, name, values)] as const),
    ])
  }

  private count(parent: Model, attribute: string, key: Values): number {
    return this.facts.reduce((sum, { model, values }) => {
      const counters = (model.derivedItems?.counters ?? []).filter(
        (counter) =>
          counter.parent === parent &&
          counter.attribute.name === attribute &&
          holdsWhen(counter.when, values) &&
          [...counter.links].every(([name, link]) => sameValue(values.get(link), key.get(name))),
      )
      return sum + counters.length
    }, 0)
  }
}

/** Values as they are after they were stored: in their Unicode form, a time to live in whole seconds. */
function canonical(model: Model, values: Values): Values {
  return new Map(
    [...values].flatMap(([name, value]) => {
      const attribute = model.attributes.get(name)
      return attribute && value !== undefined ? [[name, storedForm(attribute, value)]] : []
    }),
  )
}
