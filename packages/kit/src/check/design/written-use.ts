import { getOwn, type ModelDefinition, type WhenDefinition } from 'singletable/tools'
import type { Design } from './design.ts'
import type { WrittenKey } from './written-keys.ts'

/** An index as a model, or a copy of one, is in it: as the schema says it, also where it can't be used. */
export interface WrittenUse {
  /** The name of the model, or of the copy. */
  readonly model: string
  readonly index: string
  readonly hash: readonly WrittenKey[]
  readonly sort: readonly WrittenKey[]
  /** Of the model; of a copy, that of the model it is of. */
  readonly definition: ModelDefinition
  readonly isCopy: boolean
  /** The items are in it only while these hold. */
  readonly when: WhenDefinition | undefined
}

/** All uses, in the order of the schema. */
export function writtenUses({ definition, keys }: Design): readonly WrittenUse[] {
  const groups = new Map<string, WrittenKey[]>()
  for (const key of keys) {
    // A schema that can't be used may have a copy that is called as a model is.
    const id = JSON.stringify([key.copyOf ?? null, key.model, key.index])
    const group = groups.get(id)
    if (group === undefined) groups.set(id, [key])
    else group.push(key)
  }
  return [...groups.values()].flatMap((group): WrittenUse[] => {
    const { model, copyOf, index } = group[0]!
    const owner = getOwn(definition.models, copyOf ?? model)
    if (owner === undefined) return []
    return [
      {
        model,
        index,
        hash: group.filter(({ role }) => role === 'hash'),
        sort: group.filter(({ role }) => role === 'sort'),
        definition: owner,
        isCopy: copyOf !== undefined,
        when:
          copyOf === undefined
            ? getOwn(owner.when ?? {}, index)
            : getOwn(owner.copies ?? {}, model)?.when,
      },
    ]
  })
}

/** The partition key as it is written: `USER#${username}`; an attribute that is a key as it is stands in braces. */
export function printPartition({ hash }: Pick<WrittenUse, 'hash'>): string {
  return hash
    .map(({ template, keyAttribute }) => template?.source ?? `\${${keyAttribute}}`)
    .join(' + ')
}
