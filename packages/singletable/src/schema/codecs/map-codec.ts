import { didYouMean } from '../../errors/did-you-mean.ts'
import type { InputIssue } from '../../errors/input-error.ts'
import type { AttributeValue } from '../../values/attribute-value.ts'
import { getOwn, setOwn } from '../../values/own.ts'
import { addIssue, addWrongType, encodePart, ISSUES_MAX } from '../input-issues.ts'
import type { Codec } from '../model.ts'
import { refuseStored, StoredValueProblem, within } from '../stored-value-problem.ts'

/** A declared member of a map. */
export interface Member {
  readonly codec: Codec
  readonly required: boolean
  /** Gives what is stored when the member is not given. */
  readonly supply: (() => unknown) | undefined
}

type Members = { [name: string]: AttributeValue }

/** Objects with declared members. */
export function mapCodec(members: ReadonlyMap<string, Member>): Codec {
  const codecs = new Map([...members].map(([name, { codec }]) => [name, codec]))
  const required = [...members].flatMap(([name, member]) => (member.required ? name : []))
  const decoders = [...members].map(([name, { codec, required }]) => ({
    name,
    required,
    decode: codec.decode,
  }))
  const encodeOf = (name: string): Codec['encode'] =>
    codecs.get(name)?.encode ??
    ((_, issues) => addIssue(issues, `is not declared${didYouMean(name, codecs.keys())}`))
  return {
    tag: 'M',
    encode(value, issues, writes) {
      if (!isPlainObject(value)) return addWrongType(issues, value, 'a plain object')
      const M = encodeMap(value, encodeOf, issues, writes)
      for (const [name, { codec, required, supply }] of writes ? members : []) {
        if (Object.hasOwn(M, name)) continue
        const supplied = supply?.()
        if (supplied !== undefined) {
          setOwn(M, name, encodePart(codec.encode, supplied, name, issues, writes))
        } else if (required) addIssue(issues, 'is missing', name)
      }
      return { M }
    },
    decode(value, partial) {
      const map = value.M ?? refuseStored(value, 'M')
      const result: { [name: string]: unknown } = {}
      let current = ''
      try {
        for (const { name, required, decode } of decoders) {
          current = name
          const part = name === '__proto__' ? getOwn(map, name) : map[name]
          // What every object inherits is not an object.
          if (typeof part === 'object') setOwn(result, name, decode(part, partial))
          else if (required && !partial) throw new StoredValueProblem('is missing')
        }
      } catch (error) {
        throw within(current, error)
      }
      return result
    },
    members: codecs,
    required,
  }
}

/** The members of an object. What is undefined is as not given. */
export function encodeMap(
  map: { readonly [name: string]: unknown },
  encodeOf: (name: string) => Codec['encode'],
  issues: InputIssue[],
  writes?: boolean,
): Members {
  const M: Members = {}
  for (const name of Object.keys(map)) {
    const member = issues.length < ISSUES_MAX ? map[name] : undefined
    if (member !== undefined) {
      setOwn(M, name, encodePart(encodeOf(name), member, name, issues, writes))
    }
  }
  return M
}

/** An object literal, or what JSON gives, also of another realm; no instance of a class. */
export function isPlainObject(value: unknown): value is { readonly [name: string]: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
