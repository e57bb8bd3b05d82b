import type { Model } from 'singletable/tools'
import {
  holdsWhen,
  storedForm,
  type Values,
} from '../../packages/kit/src/check/exercise/item-values.ts'
import { sameValue } from '../../packages/kit/src/check/exercise/same-value.ts'
import { guardsOf, hasCopy } from './followers.ts'

/** What was written: an item of a model that is not a copy. */
export interface WrittenItem {
  readonly model: Model
  readonly values: Values
}

/** An item that should be in the table, as it should be read: a item, or a copy of one. */
export interface Entry {
  readonly model: Model
  readonly values: Values
}

/**
 * All that was written to a table, as plain values. What reading has to give is computed from it
 * without any key: a item is its values, a copy has some of them, a counter counts.
 */
export class WrittenItems {
  private readonly items: WrittenItem[] = []

  add(model: Model, values: Values): void {
    this.items.push({ model, values: canonical(model, values) })
  }

  /** Takes a item away that has this primary key. */
  remove(model: Model, key: Values): WrittenItem | undefined {
    const found = this.find(model, key)
    if (found) this.items.splice(this.items.indexOf(found), 1)
    return found
  }

  find(model: Model, key: Values): WrittenItem | undefined {
    return this.items.find(
      (item) =>
        item.model === model &&
        model.primary.names.every((name) => sameValue(item.values.get(name), key.get(name))),
    )
  }

  get size(): number {
    return this.items.length
  }

  /** The items of a model or of a copy. */
  entriesOf(model: Model): Entry[] {
    const { source } = model
    if (source === undefined) {
      return this.items
        .filter((item) => item.model === model)
        .map(({ values }) => ({ model, values: this.counted(model, values) }))
    }
    const copy = source.derivedItems?.copies.find((each) => each.model === model)
    return this.items
      .filter((item) => item.model === source && copy && hasCopy(copy, item.values))
      .map(({ values }) => ({
        model,
        values: new Map([...values].filter(([name]) => model.attributes.has(name))),
      }))
  }

  /** How many values have to be kept from being there twice. */
  get guardCount(): number {
    return this.items.reduce((sum, { model, values }) => sum + guardsOf(model, values).length, 0)
  }

  private counted(model: Model, values: Values): Values {
    const { counted = [] } = model.derivedItems ?? {}
    return new Map([
      ...values,
      ...counted.map(({ name }) => [name, this.count(model, name, values)] as const),
    ])
  }

  private count(parent: Model, attribute: string, key: Values): number {
    return this.items.reduce((sum, { model, values }) => {
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

/** Values as they are after they were stored: in their Unicode form, a time to live in whole
 * seconds. */
function canonical(model: Model, values: Values): Values {
  return new Map(
    [...values].flatMap(([name, value]) => {
      const attribute = model.attributes.get(name)
      return attribute && value !== undefined ? [[name, storedForm(attribute, value)]] : []
    }),
  )
}
