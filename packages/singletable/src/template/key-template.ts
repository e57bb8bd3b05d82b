import { DefinitionError } from '../errors/definition-error.ts'
import { PARTITION_KEY_MAX_BYTES } from '../values/limits.ts'
import { getOwn, setOwn } from '../values/own.ts'
import { type Component, type ComponentKind, createComponent } from './component.ts'
import { splitTemplate } from './read-template.ts'
import type { Shape } from './shape.ts'
import type { ShardComponent } from './shard-component.ts'
import { patternOf, UNPRINTABLE } from './text-codec.ts'

/** Literal text, or a placeholder; one with `by` is not an attribute, but made from some. */
export type TemplatePart = string | TemplateComponent
type TemplateComponent = Component & Partial<Pick<ShardComponent, 'by' | 'count'>>

/** A template whose placeholders know their values: makes keys and takes them apart. */
export interface KeyTemplate {
  readonly source: string
  /** The attributes it needs, each once, in the order of their first place. */
  readonly names: readonly string[]
  /** Those of them whose values can be read from a key in full. */
  readonly recoverable: readonly string[]
  readonly parts: readonly TemplatePart[]
  /** The parts that are not literal. */
  readonly components: readonly TemplateComponent[]
  /** Has a shard or a bucket of time: the keys of other values can be counted up. */
  readonly enumerable: boolean
  /** The literal head, which all its keys start with. */
  readonly prefix: string
  readonly separator: string
  /** A key ends before the first placeholder that has no value. */
  readonly isShort: boolean
  /**
   * The key text, or `undefined` when a placeholder has no value: the item is then simply not in
   * that index. Throws a KeyComponentError for a value that can't be part of a key.
   */
  render(values: object): string | undefined
  /** The values whose key this is, or `undefined` if no values have it. */
  match(text: string): Record<string, unknown> | undefined
}

export interface CompileOptions {
  kindOf(name: string): ComponentKind
  /** Whether a name in plain braces must be a placeholder that lacks its `$`; none is if
   * undefined. */
  isAttribute?(name: string): boolean
  readonly separator: string
  /** The placeholder that is not an attribute. */
  readonly shard?: ShardComponent | undefined
  /** Keys end before the first placeholder that has no value. */
  readonly isShort?: boolean
  /** The definition it belongs to, for messages. */
  readonly where: string
}

/**
 * What can separate: printable ASCII that no number, boolean or escape is made of. Keys are taken
 * apart by looking for the separator, so no component may contain or complete one.
 */
const SEPARATOR = /^[ -#%-/:-@[-`{-~]{1,8}$/
export const SEPARATOR_FIX =
  'choose one to eight of the ASCII characters other than letters, digits and $'

export function isSeparator(separator: unknown): boolean {
  return typeof separator === 'string' && SEPARATOR.test(separator)
}

/**
 * Reads a template: `${name}` stands for the value of an attribute, with modifiers after colons;
 * all else is literal.
 *
 * @example
 * compileTemplate('POST#${id}', { kindOf: () => ({ type: 'text', encode: false }), separator: '#', where: 'key' }).names // => ['id']
 */
export function compileTemplate(source: string, options: CompileOptions): KeyTemplate {
  const { separator, shard, where, isShort = false } = options
  const refuse = (what: string, fix: string, rule?: string): never => {
    const parts = { what: `Template "${source}": ${what}.`, where, fix }
    throw new DefinitionError('TEMPLATE_INVALID', parts, { rule })
  }
  if (!isSeparator(separator)) refuse(`"${separator}" can't be the separator`, SEPARATOR_FIX)
  if (typeof source !== 'string' || source === '' || source.length > PARTITION_KEY_MAX_BYTES) {
    refuse('it is empty or longer than a key can be', "give a text such as 'USER#${username}'")
  }
  if (UNPRINTABLE.test(source)) {
    refuse('it has a control character or half a surrogate pair', 'use plain text')
  }
  const parts: TemplatePart[] = []
  const pieces = splitTemplate(source)
  let pattern = ''
  // The part of variable width since the last separator.
  let variable: string | undefined
  for (const [index, text] of pieces.entries()) {
    if (text.includes('${')) refuse('it has a "${" that is not closed', 'close it with "}"')
    if (index % 2 === 0) {
      // As text, it would give all items the same key: each would replace the one before.
      for (const [braced, name = ''] of text.matchAll(/\{\s*([^{}:]*[^{}:\s])[^{}]*\}/g)) {
        if (options.isAttribute?.(name) || name === shard?.name) {
          refuse(
            `${braced} is text, not the value of "${name}"`,
            `write $${braced.replaceAll(/\s/g, '')}`,
          )
        }
      }
      if (text.includes(separator)) variable = undefined
      if (text !== '') parts.push(text)
      pattern += patternOf(text)
      continue
    }
    const following = pieces[index + 1]!
    const next = following.slice(0, 1) || (index + 2 < pieces.length ? '\uffff' : '')
    const component =
      text === shard?.name ? shard : createComponent(text, { ...options, source, next, refuse })
    const { name, width, path } = component
    if (path && next !== '') refuse(`the path "${name}" is not at its end`, 'move it to the end')
    if (width === undefined) {
      if (variable !== undefined) {
        refuse(
          `different values of \${${variable}} and \${${name}} could give the same key`,
          `put the separator "${separator}" between them`,
        )
      }
      variable = name
    }
    // Only a path contains separators.
    const unit = path || component.raw ? '[^]' : `(?:(?!${patternOf(separator)})[^])`
    // A fixed width of any characters could take those of the literal before it.
    pattern +=
      width === undefined
        ? `(${unit}${component.raw ? '*' : '+'})`
        : `(${fixedPattern(component.shape)})`
    parts.push(component)
  }
  const components = parts.filter((part) => typeof part !== 'string')
  const attributes = components.flatMap((part) => part.by ?? part)
  // Of one raw component the rest of the key shows the end; of two nothing does.
  const isAmbiguous = components.filter(({ raw }) => raw).length > 1
  const recoverable = components.filter(
    ({ lossy, by, raw }) => !lossy && !by && !(raw && isAmbiguous),
  )
  const expression = new RegExp(`^${pattern}$`)

  const join = (
    values: object,
    method: 'encode' | 'print',
    shardText?: string,
  ): string | undefined => {
    let text = ''
    for (const part of parts) {
      if (typeof part === 'string') text += part
      else if (part.by) {
        const printed = shardText ?? part.print(values)
        // Printing again says what is wrong with a value.
        if (printed === undefined && method === 'encode') part.encode(values)
        if (printed === undefined) return undefined
        text += printed
      } else {
        // Own members only: an attribute may have the name of something every object inherits.
        // Reading so is sound for any object.
        const value = getOwn(values as { readonly [name: string]: unknown }, part.name)
        const isMissing = value === undefined || (isShort && value === null)
        if (isMissing && isShort) return text
        const printed = isMissing ? undefined : part[method](value)
        if (printed === undefined) return undefined
        text += printed
      }
    }
    return text
  }
  return {
    source,
    names: namesOf(attributes),
    recoverable: namesOf(recoverable),
    parts,
    components,
    enumerable: components.some(({ by, unit }) => by || unit),
    prefix: pieces[0]!,
    separator,
    isShort,
    render: (values) => join(values, 'encode'),
    match(text) {
      // No key is longer, and long strings take long.
      const found = text.length > PARTITION_KEY_MAX_BYTES ? null : expression.exec(text)
      if (found === null) return undefined
      const values: Record<string, unknown> = {}
      let shardText: string | undefined
      let index = 0
      for (const { name, lossy, by, read, print } of components) {
        const part = found[++index]!
        // What the shard is made of may be in another key; here it can only be one that there is.
        if (by) shardText = print(read(part))
        // Another component of the same attribute knows the value better than a lossy one.
        else if (!lossy || !Object.hasOwn(values, name)) setOwn(values, name, read(part))
      }
      // Many strings read as the same values; only one is written for them.
      return join(values, 'print', shardText) === text ? values : undefined
    },
  }
}

/** The strings of a component of fixed width. */
function fixedPattern(shape: Shape): string {
  const alternatives = shape.map((runs) =>
    runs.map(({ letters }) => (typeof letters === 'string' ? `[${patternOf(letters)}]` : '[^]')),
  )
  return alternatives.map((each) => each.join('')).join('|')
}

/** Each name once. */
function namesOf(components: readonly Component[]): readonly string[] {
  return [...new Set(components.map(({ name }) => name))]
}
