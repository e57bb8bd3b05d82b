import { didYouMean } from '../../errors/did-you-mean.ts'
import type { InputIssue } from '../../errors/input-error.ts'
import type { AttributeValue } from '../../values/attribute-value.ts'
import { systemEnvironment } from '../../values/environment.ts'
import { getOwn, setOwn } from '../../values/own.ts'
import { addIssue, addWrongType, encodePart, ISSUES_MAX } from '../input-issues.ts'
import type { Codec, Member, WriteMode } from '../model.ts'
import { refuseStored, StoredValueProblem, within } from '../stored-value-problem.ts'

type Members = { [name: string]: AttributeValue }

/** Objects with declared members. */
export function mapCodec(members: ReadonlyMap<string, Member>): Codec {
  const decoders = Array.from(members, ([name, member]) => ({
    name,
    ...member,
    decode: member.codec.decode,
  }))
  const encodeOf = (name: string): Codec['encode'] =>
    members.get(name)?.codec.encode ??
    ((_, issues) => addIssue(issues, `is not declared${didYouMean(name, members.keys())}`))
  const storedOf = (name: string): string => members.get(name)?.stored ?? name
  return {
    tag: 'M',
    encode(value, issues, writes) {
      if (!isPlainObject(value)) return addWrongType(issues, value, 'a plain object')
      const M = encodeMap(value, encodeOf, issues, writes, storedOf)
      for (const [name, { codec, stored, required, supply }] of writes ? members : []) {
        if (Object.hasOwn(M, stored)) continue
        const supplied = supply?.(typeof writes === 'object' ? writes : systemEnvironment)
        if (supplied !== undefined) {
          setOwn(M, stored, encodePart(codec.encode, supplied, name, issues, writes))
        } else if (required) addIssue(issues, 'is missing', name)
      }
      return { M }
    },
    decode(value, partial, whole) {
      const map = value.M ?? refuseStored(value, 'M')
      const result: { [name: string]: unknown } = {}
      let current = ''
      try {
        for (const { name, stored, required, hidden, decode } of decoders) {
          if (hidden && !whole) continue
          current = name
          const part = stored === '__proto__' ? getOwn(map, stored) : map[stored]
          // What every object inherits is not an object.
          if (typeof part === 'object') setOwn(result, name, decode(part, partial, whole))
          else if (required && !partial) throw new StoredValueProblem('is missing')
        }
      } catch (error) {
        throw within(current, error)
      }
      return result
    },
    members,
    hasReadonly: decoders.some(({ readonly, codec }) => readonly || codec.hasReadonly),
  }
}

/**
 * The members of an object, under the names they are stored under. What is undefined is as not
 * given.
 */
export function encodeMap(
  map: { readonly [name: string]: unknown },
  encodeOf: (name: string) => Codec['encode'],
  issues: InputIssue[],
  writes?: WriteMode,
  storedOf: (name: string) => string = (name) => name,
): Members {
  const M: Members = {}
  for (const name of Object.keys(map)) {
    const member = issues.length < ISSUES_MAX ? map[name] : undefined
    if (member !== undefined) {
      setOwn(M, storedOf(name), encodePart(encodeOf(name), member, name, issues, writes))
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
