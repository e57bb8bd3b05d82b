import type { KeyPart, Model, ModelIndex } from '../../schema/model.ts'
import { keysCanMeet } from '../../template/meeting.ts'
import { compareUtf8 } from '../../values/utf8.ts'
import type { Where } from '../where.ts'
import { type TextRange, textRange } from './common-range.ts'
import type { KeyMatch, PartMatch } from './key-condition.ts'
import { LAST } from './key-range.ts'

/** The other models whose items a query can come upon: they can have its partition key, and a sort key in the range it reads. */
export function modelsInReach(
  members: readonly Model[],
  { use, parts, fan }: KeyMatch,
  sort: readonly Where[],
): readonly Model[] {
  const [first] = members as [Model]
  return othersIn(first, use)
    .filter(
      ([other, { hash, sort: keys }]) =>
        !members.includes(other) &&
        hash.every((part, at) => isPartition(part, parts[at], fan !== undefined)) &&
        keys.every((part, at) => isInRange(part, textRange(sort[at]))),
    )
    .map(([other]) => other)
}

const others = new WeakMap<ModelIndex, readonly (readonly [Model, ModelIndex])[]>()

/** The other models of an index, each with its keys there. */
function othersIn(model: Model, use: ModelIndex): readonly (readonly [Model, ModelIndex])[] {
  let found = others.get(use)
  if (found === undefined) {
    found = [...model.schema.models.values()].flatMap((other) => {
      const theirs = other !== model && other.indexes.find(({ index }) => index === use.index)
      return theirs ? [[other, theirs] as const] : []
    })
    others.set(use, found)
  }
  return found
}

/** Whether a model can make the partition key; yes, if it can't be told. */
function isPartition(
  { template }: KeyPart,
  own: PartMatch | undefined,
  isOneOfSeveral: boolean,
): boolean {
  if (template === undefined || own === undefined) return true
  // A key that is another one in each partition is known by its template alone.
  return isOneOfSeveral && own.template?.enumerable
    ? keysCanMeet(own.template, template)
    : template.match(own.text) !== undefined
}

/** Whether a sort key that a model makes can be in the range; yes, if it can't be told. */
function isInRange({ template }: KeyPart, { low, high }: TextRange): boolean {
  if (template === undefined) return true
  const { prefix } = template
  if (low !== undefined && low === high) return template.match(low) !== undefined
  return (
    (high === undefined || compareUtf8(prefix, high) <= 0) &&
    (low === undefined || compareUtf8(prefix + LAST, low) >= 0)
  )
}
