import type { Model } from '../schema/model.ts'
import { warnOfPrefix, withoutPrefix } from '../schema/without-prefix.ts'
import type { Component } from '../template/component.ts'
import type { KeyTemplate } from '../template/key-template.ts'
import type { Conjunct, Conjuncts } from './conjuncts.ts'

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
  /** Where the template goes on: the first placeholder without a value, or its end. */
  readonly end: number
  /** Conjuncts of whole segments. */
  readonly taken: readonly Conjunct[]
  /** Conjuncts of the segment that goes on after the head. */
  readonly open: readonly Conjunct[]
  /**
   * The open segment has a component of variable length already, so other values can start with the same text: `new` is the start of `news`,
   * and only a separator behind it would tell them apart.
   */
  readonly variable: boolean
}

/** What equalities make of a template, up to the first placeholder that has none. */
export function readHead(template: KeyTemplate, { equal }: Conjuncts, place: KeyPlace): Head {
  const { parts, separator } = template
  const taken: Conjunct[] = []
  let open: Conjunct[] = []
  let variable = false
  let text = ''
  let end = 0
  for (; end < parts.length; end++) {
    const part = parts[end]!
    if (typeof part === 'string') {
      text += part
      if (!part.includes(separator)) continue
      taken.push(...open)
      open = []
      variable = false
      continue
    }
    const conjunct = equal.get(part.name)
    if (conjunct === undefined) break
    text += componentText(template, end, conjunct.value, place)
    open.push(conjunct)
    variable ||= part.width === undefined
  }
  return { text, end, taken, open, variable }
}

/** The text of a value at a placeholder's position, in the Unicode form it would be stored in. */
export function componentText(
  template: KeyTemplate,
  position: number,
  value: unknown,
  { model, warn }: KeyPlace,
): string {
  // Callers give the position of a component.
  const component = template.parts[position] as Component
  const { name } = component
  if (typeof value !== 'string') return component.encode(value)
  const { encode, normalize } = model.attributes.get(name)?.definition ?? {}
  // A component that escapes its text can contain the separator, so the value is meant as it is.
  const bare = encode ? value : withoutPrefix(template, name, value)
  if (bare !== value && warn !== undefined) warnOfPrefix(warn, model.name, name)
  return component.encode(normalize === undefined ? bare : bare.normalize(normalize))
}
