import type { InputIssue } from '../../errors/input-error.ts'
import { getOwn } from '../../values/own.ts'
import { addIssue, addWrongType } from '../input-issues.ts'
import type { Codec, Member } from '../model.ts'
import { refuseStored, StoredValueProblem } from '../stored-value-problem.ts'
import { isPlainObject, mapCodec } from './map-codec.ts'

/**
 * Objects of several shapes: the value of one member, the discriminator, says which. `variants` has
 * the members of each, the discriminator among them.
 */
export function unionCodec(
  discriminator: string,
  variants: ReadonlyMap<string, ReadonlyMap<string, Member>>,
): Codec {
  const codecs = new Map(Array.from(variants, ([name, members]) => [name, mapCodec(members)]))
  // Conditions name members of any variant, and a projection may leave out the discriminator.
  const members = mergeMembers([...variants.values()])
  const anyVariant = mapCodec(members)
  const choices = [...variants.keys()].map((name) => `"${name}"`).join(', ')
  return {
    tag: 'M',
    encode(value, issues, writes) {
      if (!isPlainObject(value)) return addWrongType(issues, value, 'a plain object')
      const codec = codecs.get(String(getOwn(value, discriminator)))
      return codec
        ? codec.encode(value, issues, writes)
        : addIssue(issues, `is not one of ${choices}`, discriminator)
    },
    decode(value, partial, whole) {
      const { M = refuseStored(value, 'M') } = value
      const kind = getOwn(M, discriminator)
      const codec = partial && !kind ? anyVariant : codecs.get(kind?.S ?? '')
      if (codec) return codec.decode(value, partial, whole)
      const problem = new StoredValueProblem(kind ? `is not one of ${choices}` : 'is missing')
      problem.path.push(discriminator)
      throw problem
    },
    members,
    union: true,
    hasReadonly: [...codecs.values()].some(({ hasReadonly }) => hasReadonly),
  }
}

/** The members of all variants, none of which is required. */
function mergeMembers(
  variants: readonly ReadonlyMap<string, Member>[],
): ReadonlyMap<string, Member> {
  const merged = new Map<string, Member>()
  for (const [name, member] of variants.flatMap((members) => [...members])) {
    const before = merged.get(name)
    const codec = before ? eitherCodec(before.codec, member.codec) : member.codec
    merged.set(name, { ...member, codec, required: false, supply: undefined })
  }
  return merged
}

/** Values that either of two codecs takes; both store them under one type. */
function eitherCodec(first: Codec, second: Codec): Codec {
  return {
    ...first,
    encode(value, issues, writes) {
      const found: InputIssue[] = []
      const encoded = first.encode(value, found, writes)
      return found.length === 0 ? encoded : second.encode(value, issues, writes)
    },
    decode(value, partial, whole) {
      try {
        return first.decode(value, partial, whole)
      } catch {
        return second.decode(value, partial, whole)
      }
    },
  }
}
