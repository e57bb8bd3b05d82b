import type { KeyPart, Model, ModelIndex } from '../schema/model.ts'
import { keysCanMeet } from '../template/meeting.ts'
import type { KeyMatch, Reach } from './key-condition.ts'

/** Another model in the same index. */
interface Neighbour {
  readonly model: Model
  readonly use: ModelIndex
  /** Whether its items can have the partition key of some item of ours. */
  readonly meets: boolean
}

const neighboursByUse = new WeakMap<ModelIndex, readonly Neighbour[]>()

/** The other models whose items a query can come upon: they can share its partition, and the range of sort keys it reads. */
export function modelsInReach(model: Model, { use, rawHash, reach }: KeyMatch): readonly Model[] {
  let neighbours = neighboursByUse.get(use)
  if (neighbours === undefined) {
    neighbours = findNeighbours(model, use)
    neighboursByUse.set(use, neighbours)
  }
  return neighbours
    .filter((other) => {
      const shares =
        rawHash?.S === undefined ? other.meets : canBe(other.use.hash[0], 'exact', rawHash.S)
      return shares && canBe(other.use.sort[0], reach.kind, reach.text)
    })
    .map((other) => other.model)
}

function findNeighbours(model: Model, { index, hash }: ModelIndex): readonly Neighbour[] {
  const neighbours: Neighbour[] = []
  for (const other of model.schema.models.values()) {
    const use = other.indexes.find((candidate) => candidate.index === index)
    if (other === model || use === undefined) continue
    const meets = hash.every(({ template }, position) => {
      const otherTemplate = use.hash[position]?.template
      // A key that is an attribute as it is can be any text.
      return !template || !otherTemplate || keysCanMeet(template, otherTemplate)
    })
    neighbours.push({ model: other, use, meets })
  }
  return neighbours
}

/** Whether a key that a model fills in this way can be in reach; yes, if it can't be told. */
function canBe(part: KeyPart | undefined, kind: Reach['kind'], text: string): boolean {
  const template = part?.template
  if (template === undefined || kind === 'any') return true
  if (kind === 'exact') return template.match(text) !== undefined
  return template.prefix.startsWith(text) || text.startsWith(template.prefix)
}
