import type { KeyPart, Model, ModelIndex } from '../schema/model.ts'
import { keysCanMeet } from '../template/meeting.ts'
import type { KeyMatch, PartMatch } from './key-condition.ts'

/** The other models whose items a query can come upon: they can have its partition key, and a sort key in the range it reads. */
export function modelsInReach(model: Model, { use, parts, fan }: KeyMatch): readonly Model[] {
  const reached: Model[] = []
  for (const [other, keys] of othersIn(model, use)) {
    const isInReach = keys.every((part, at) => {
      const own = fan && parts[at]?.template
      // What is asked of a key that is another one in each partition is known by its template alone.
      return own?.enumerable && at < use.hash.length && part.template
        ? keysCanMeet(own, part.template)
        : canBe(part, parts[at])
    })
    if (isInReach) reached.push(other)
  }
  return reached
}

const others = new WeakMap<ModelIndex, readonly (readonly [Model, readonly KeyPart[]])[]>()

/** The other models of an index, each with its keys there. */
function othersIn(
  model: Model,
  use: ModelIndex,
): readonly (readonly [Model, readonly KeyPart[]])[] {
  let found = others.get(use)
  if (found === undefined) {
    found = [...model.schema.models.values()].flatMap((other) => {
      const theirs = other !== model && other.indexes.find(({ index }) => index === use.index)
      return theirs ? [[other, [...theirs.hash, ...theirs.sort]] as const] : []
    })
    others.set(use, found)
  }
  return found
}

/** Whether a key that a model fills in this way can be in reach; yes, if it can't be told. */
function canBe({ template }: KeyPart, reach: PartMatch | undefined): boolean {
  if (template === undefined || reach === undefined) return true
  const { text, exact } = reach
  if (text.startsWith(template.prefix)) return !exact || template.match(text) !== undefined
  return !exact && template.prefix.startsWith(text)
}
