import type { Copy, Model } from 'singletable/tools'
import {
  hasValue,
  holdsWhen,
  type Values,
} from '../../packages/kit/src/check/exercise/item-values.ts'
import { sameValue } from '../../packages/kit/src/check/exercise/same-value.ts'

/** Whether a write that makes one item of another, of none, or none of one, has to write anything
 * else. */
export function isFollowed(
  model: Model,
  before: Values | undefined,
  after: Values | undefined,
): boolean {
  const versions = [before, after].filter((values): values is Values => values !== undefined)
  if (versions.some((values) => copiesOf(model, values).length > 0)) return true
  const [first, second] = versions.map((values) => [
    guardsOf(model, values),
    countsOf(model, values),
  ])
  // Copies are put again whenever the item changes; the others are written where they change.
  return second === undefined
    ? first?.some((each) => each.length > 0) === true
    : !sameValue(first, second)
}

/** Whether an item has everything that can be written next to one of its model, each in a write of
 * its own: counts of the same parent are one. */
export function hasAllFollowers(model: Model, values: Values): boolean {
  const { copies = [], unique = [], counters = [] } = model.derivedItems ?? {}
  const counts = countsOf(model, values)
  const isShared = counts.some(({ parent, key }, at) =>
    counts.slice(at + 1).some((other) => other.parent === parent && sameValue(other.key, key)),
  )
  return (
    !isShared &&
    counts.length === counters.length &&
    copiesOf(model, values).length === copies.length &&
    guardsOf(model, values).length === unique.length
  )
}

function copiesOf({ derivedItems }: Model, values: Values): readonly Copy[] {
  return (derivedItems?.copies ?? []).filter((copy) => hasCopy(copy, values))
}

export function hasCopy({ model, when }: Copy, values: Values): boolean {
  return holdsWhen(when, values) && model.primary.names.every((name) => hasValue(values, name))
}

/** The values that have to be kept from being there twice, and how long. */
export function guardsOf({ derivedItems, ttl }: Model, values: Values): readonly unknown[] {
  return (derivedItems?.unique ?? [])
    .filter(({ attributes }) => attributes.every(({ name }) => hasValue(values, name)))
    .map(({ name, attributes }) => [
      name,
      attributes.map((attribute) => values.get(attribute.name)),
      ttl && values.get(ttl.name),
    ])
}

interface Count {
  readonly parent: string
  readonly attribute: string
  readonly key: readonly unknown[]
}

/** The counters that count an item, each with the key of its parent. */
function countsOf({ derivedItems }: Model, values: Values): readonly Count[] {
  return (derivedItems?.counters ?? [])
    .filter(
      ({ links, when }) =>
        holdsWhen(when, values) && [...links.values()].every((name) => hasValue(values, name)),
    )
    .map(({ parent, attribute, links }) => ({
      parent: parent.name,
      attribute: attribute.name,
      key: parent.primary.names.map((name) => values.get(links.get(name) ?? '')),
    }))
}
