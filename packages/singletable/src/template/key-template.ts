import { getOwn, setOwn } from '../values/own.ts'
import { type Component, type ComponentKind, createComponent } from './component.ts'
import { refuseTemplate } from './refuse-template.ts'
import type { Template } from './template.ts'

/** A template whose placeholders know their values: makes keys and takes them apart. */
export interface KeyTemplate {
  readonly source: string
  readonly names: readonly string[]
  readonly parts: readonly (string | Component)[]
  /** The literal head, which all its keys start with. */
  readonly prefix: string
  readonly separator: string
  /** The parts between separators. A path stands in the last one, and can go on into more. */
  readonly segments: readonly (readonly (string | Component)[])[]
  /**
   * The key text, or `undefined` when a placeholder has no value: the item is then simply not in that index.
   * Throws a KeyComponentError for a value that can't be part of a key.
   */
  render(values: object): string | undefined
  /** The values whose key this is, or `undefined` if no values have it. */
  match(text: string): Record<string, unknown> | undefined
}

export interface CompileOptions {
  kindOf(name: string): ComponentKind
  readonly separator: string
  /** The definition it belongs to, for messages. */
  readonly where: string
}

/**
 * What can separate: printable ASCII that no number, boolean or escape is made of. Keys are taken apart by looking for the
 * separator, so no component may contain or complete one.
 */
const SEPARATOR = /^[ -#%-/:-@[-`{-~]{1,8}$/

export function compileTemplate(template: Template, options: CompileOptions): KeyTemplate {
  const { separator, where } = options
  const { source, names } = template
  const at = { source, where }
  if (!SEPARATOR.test(separator)) {
    refuseTemplate(
      at,
      `"${separator}" can't be the separator`,
      'choose one to eight of the ASCII signs other than letters, digits and $',
    )
  }
  const parts = template.parts.map((part, index) => {
    if (typeof part === 'string') return part
    const following = template.parts[index + 1] ?? ''
    const next = typeof following === 'string' ? following.slice(0, 1) : '\uffff'
    const kind = options.kindOf(part.name)
    if (kind.type === 'path' && following !== '') {
      refuseTemplate(at, `the path "${part.name}" is not at its end`, 'move it to the end')
    }
    return createComponent(part, { ...at, kind, separator, next })
  })
  const segments = splitSegments(parts, separator)
  for (const segment of segments) {
    const variable = segment.filter(
      (part): part is Component => typeof part !== 'string' && part.width === undefined,
    )
    if (variable.length > 1) {
      const both = variable.map(({ name }) => `\${${name}}`).join(' and ')
      refuseTemplate(
        at,
        `different values of ${both} could give the same key`,
        `put the separator "${separator}" between them`,
      )
    }
  }
  const [head] = parts
  return {
    source,
    names,
    parts,
    prefix: typeof head === 'string' ? head : '',
    separator,
    segments,
    render: createRender(parts),
    match: createMatch(segments, separator),
  }
}

function splitSegments(
  parts: readonly (string | Component)[],
  separator: string,
): (string | Component)[][] {
  let segment: (string | Component)[] = []
  const segments = [segment]
  for (const part of parts) {
    const pieces = typeof part === 'string' ? part.split(separator) : [part]
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) {
        segment = []
        segments.push(segment)
      }
      if (piece !== '') segment.push(piece)
    }
  }
  return segments
}

/** Own members only: an attribute may have the name of something every object inherits. */
function ownValue(values: object, name: string): unknown {
  // Reading through getOwn is sound for any object.
  return getOwn(values as { readonly [name: string]: unknown }, name)
}

function createRender(parts: readonly (string | Component)[]): KeyTemplate['render'] {
  const [head, second] = parts
  if (parts.length === 1 && typeof head === 'string') return () => head
  if (parts.length === 2 && typeof head === 'string' && typeof second === 'object') {
    const { name, encode } = second
    return (values) => {
      const value = ownValue(values, name)
      return value === undefined ? undefined : head + encode(value)
    }
  }
  return (values) => {
    let text = ''
    for (const part of parts) {
      if (typeof part === 'string') {
        text += part
      } else {
        const value = ownValue(values, part.name)
        if (value === undefined) return undefined
        text += part.encode(value)
      }
    }
    return text
  }
}

/** Where in its segment a part stands: for `slice`, so counted from the end after the part of variable width. */
interface Step {
  readonly part: string | Component
  readonly start: number
  readonly end: number | undefined
}

function createMatch(segments: KeyTemplate['segments'], separator: string): KeyTemplate['match'] {
  const plans = segments.map(planSegment)
  const open = segments.at(-1)?.some((part) => typeof part !== 'string' && part.path) === true
  return (text) => {
    const texts = text.split(separator)
    if (open && texts.length > plans.length) {
      texts.push(texts.splice(plans.length - 1).join(separator))
    }
    if (texts.length !== plans.length) return undefined
    const values: Record<string, unknown> = {}
    const again: [Component, unknown][] = []
    for (const [index, { steps, length, fixed }] of plans.entries()) {
      const segment = texts[index] ?? ''
      if (fixed ? segment.length !== length : segment.length <= length) return undefined
      for (const { part, start, end } of steps) {
        const piece = segment.slice(start, end)
        if (typeof part === 'string') {
          if (piece !== part) return undefined
          continue
        }
        const value = part.decode(piece)
        if (value === undefined) return undefined
        if (part.lossy || Object.hasOwn(values, part.name)) again.push([part, value])
        else setOwn(values, part.name, value)
      }
    }
    // Lossy components come last: another one of the same attribute knows the value better.
    for (const [{ name, lossy }, value] of again) {
      const known = getOwn(values, name)
      if (known === undefined) setOwn(values, name, value)
      else if (!agrees(known, value, lossy)) return undefined
    }
    return values
  }
}

function planSegment(parts: readonly (string | Component)[]): {
  readonly steps: readonly Step[]
  readonly length: number
  readonly fixed: boolean
} {
  const widths = parts.map((part) => (typeof part === 'string' ? part.length : part.width))
  const length = widths.reduce((sum: number, width = 0) => sum + width, 0)
  let start = 0
  const steps = parts.map((part, index) => {
    const width = widths[index]
    // The rest of the segment is as long as all widths not yet passed.
    const end = width === undefined ? start - length : start + width
    const step = { part, start, end: end === 0 ? undefined : end }
    start = end
    return step
  })
  return { steps, length, fixed: !widths.includes(undefined) }
}

function agrees(known: unknown, value: unknown, lossy: boolean): boolean {
  if (known instanceof Date && value instanceof Date) return known.getTime() === value.getTime()
  return known === value || (lossy && String(known).toLowerCase() === value)
}
