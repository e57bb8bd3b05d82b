import type { KeyTemplate } from '../template/key-template.ts'

/**
 * The string without the literal directly before its placeholder: `123` for `POST#123` in
 * `POST#${postId}`. A value never contains the separator, so this is what was meant; only reads
 * accept it. Other strings are returned unchanged.
 */
export function withoutPrefix(template: KeyTemplate, name: string, text: string): string {
  const { parts, separator } = template
  if (!text.includes(separator)) return text
  const position = parts.findIndex((part) => typeof part !== 'string' && part.name === name)
  const literal = parts[position - 1]
  if (typeof literal !== 'string') return text
  const prefix = literal.startsWith(separator) ? literal.slice(separator.length) : literal
  return prefix.includes(separator) && text.startsWith(prefix) ? text.slice(prefix.length) : text
}

type Warn = (message: string) => void

const warned = new WeakMap<Warn, Set<string>>()

/** Warns of a value that was taken without its prefix, once for each attribute. */
export function warnOfPrefix(warn: Warn, model: string, name: string): void {
  const attributes = warned.get(warn) ?? new Set()
  const attribute = `${model}.${name}`
  if (attributes.has(attribute)) return
  warned.set(warn, attributes.add(attribute))
  warn(
    `A value of ${attribute} was given with the prefix that its key template adds, and was used without it. Give the bare value.`,
  )
}
