import type { KeyPart, Model } from '../schema/model.ts'
import { keysCanMeet } from '../template/meeting.ts'
import type { KeyMatch, PartMatch } from './key-condition.ts'

/** The other models whose items a query can come upon: they can have its partition key, and a sort key in the range it reads. */
export function modelsInReach(model: Model, { use, parts, fan }: KeyMatch): readonly Model[] {
  return [...model.schema.models.values()].filter((other) => {
    const theirs = other !== model && other.indexes.find(({ index }) => index === use.index)
    return (
      theirs &&
      [...theirs.hash, ...theirs.sort].every((part, at) => {
        const own = fan && parts[at]?.template
        // What is asked of a key that is another one in each partition is known by its template alone.
        return own?.enumerable && at < use.hash.length && part.template
          ? keysCanMeet(own, part.template)
          : canBe(part, parts[at])
      })
    )
  })
}

/** Whether a key that a model fills in this way can be in reach; yes, if it can't be told. */
function canBe({ template }: KeyPart, reach: PartMatch | undefined): boolean {
  if (template === undefined || reach === undefined) return true
  const { text, exact } = reach
  if (text.startsWith(template.prefix)) return !exact || template.match(text) !== undefined
  return !exact && template.prefix.startsWith(text)
}
