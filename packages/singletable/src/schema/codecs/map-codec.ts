import type { InputIssue } from '../../errors/input-error.ts'
import type { AttributeValue } from '../../values/attribute-value.ts'
import { setOwn } from '../../values/own.ts'
import { didYouMean } from '../did-you-mean.ts'
import { addWrongType, placeIssues } from '../input-issues.ts'
import type { Codec } from '../model.ts'
import { problemAt, refuseStored } from '../stored-value-problem.ts'

/** A declared member of a map. */
export interface Member {
  readonly codec: Codec
  readonly required: boolean
  /** Gives what is stored when the member is not given. */
  readonly supply: (() => unknown) | undefined
}

/** Objects with declared members. */
export function mapCodec(members: ReadonlyMap<string, Member>): Codec {
  const codecs = new Map([...members].map(([name, { codec }]) => [name, codec]))
  const encode = (value: unknown, issues: InputIssue[], writes: boolean): AttributeValue => {
    if (!isPlainObject(value)) return addWrongType(issues, value, 'a plain object')
    const M: { [name: string]: AttributeValue } = {}
    const add = (name: string, codec: Codec, member: unknown): void => {
      const from = issues.length
      setOwn(M, name, ((writes && codec.write) || codec.encode)(member, issues))
      if (issues.length > from) placeIssues(issues, from, name)
    }
    for (const name of Object.keys(value)) {
      const member = value[name]
      if (member === undefined) continue
      const codec = codecs.get(name)
      if (codec !== undefined) add(name, codec, member)
      else {
        const message = `is not declared${didYouMean(name, codecs.keys())}`
        issues.push({ path: [name], message })
      }
    }
    if (!writes) return { M }
    for (const [name, { codec, required, supply }] of members) {
      if (Object.hasOwn(M, name)) continue
      const supplied = supply?.()
      if (supplied !== undefined) add(name, codec, supplied)
      else if (required) issues.push({ path: [name], message: 'is missing' })
    }
    return { M }
  }
  return {
    tag: 'M',
    encode: (value, issues) => encode(value, issues, false),
    write: (value, issues) => encode(value, issues, true),
    decode(value) {
      const map = value.M ?? refuseStored(value, 'M')
      const result: { [name: string]: unknown } = {}
      for (const name of Object.keys(map)) {
        const codec = codecs.get(name)
        if (codec === undefined) continue
        try {
          setOwn(result, name, codec.decode(map[name]!))
        } catch (error) {
          throw problemAt(error, name)
        }
      }
      return result
    },
    members: codecs,
  }
}

/** An object literal, or what JSON gives, also of another realm; no instance of a class. */
export function isPlainObject(value: unknown): value is { readonly [name: string]: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
