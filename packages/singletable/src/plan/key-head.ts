import type { Model } from '../schema/model.ts'
import { warnOfPrefix, withoutPrefix } from '../schema/without-prefix.ts'
import type { Component } from '../template/component.ts'
import type { KeyTemplate } from '../template/key-template.ts'
import { type Conjunct, type Conjuncts, equalityOf } from './conjuncts.ts'

/** The call that keys are made for. */
export interface KeyPlace {
  readonly model: Model
  /** For messages. */
  readonly text: string
  readonly warn: ((message: string) => void) | undefined
}

/** The part of a key that equalities fix. */
export interface Head {
  readonly text: string
  /** The first placeholder without a value; none if the whole key is fixed. */
  readonly open: Component | undefined
  /** The literal that follows that placeholder; `undefined` if it is the last part. */
  readonly next: string | undefined
  /** How many conjuncts took part. */
  readonly count: number
  /** Those of them that the head answers in full. */
  readonly absorbed: readonly Conjunct[]
}

/** What equalities make of a template, up to the first placeholder that has none. */
export function readHead(template: KeyTemplate, conjuncts: Conjuncts, place: KeyPlace): Head {
  const { parts, separator } = template
  const taken: Conjunct[] = []
  // Of the segment that goes on after the head. If it has a component of variable length, other values can start with the same text: `new` is
  // the start of `news`, and only a separator behind it would tell them apart.
  let segment: Conjunct[] = []
  let variable = false
  let text = ''
  for (const [position, part] of parts.entries()) {
    if (typeof part === 'string') {
      text += part
      if (!part.includes(separator)) continue
      taken.push(...segment)
      segment = []
      variable = false
      continue
    }
    const conjunct = equalityOf(conjuncts, part.name)
    if (conjunct === undefined) {
      const following = parts[position + 1]
      return {
        text,
        open: part,
        next: typeof following === 'object' ? '' : following,
        count: taken.length + segment.length,
        absorbed: variable ? taken : [...taken, ...segment],
      }
    }
    text += componentText(template, part, conjunct.operands[1], place)
    segment.push(conjunct)
    variable ||= part.width === undefined
  }
  taken.push(...segment)
  return { text, open: undefined, next: undefined, count: taken.length, absorbed: taken }
}

/** The text of a value for a placeholder, in the Unicode form it would be stored in. */
export function componentText(
  template: KeyTemplate,
  { name, encode }: Component,
  value: unknown,
  { model, warn }: KeyPlace,
): string {
  if (typeof value !== 'string') return encode(value)
  const { encode: escapes, normalize } = model.attributes.get(name)?.definition ?? {}
  // A component that escapes its text can contain the separator, so the value is meant as it is.
  const bare = escapes ? value : withoutPrefix(template, name, value)
  if (bare !== value && warn !== undefined) warnOfPrefix(warn, model.name, name)
  return encode(normalize === undefined ? bare : bare.normalize(normalize))
}
