import type { KeyTemplate, Schema } from 'singletable/tools'

/** Where a key is, and the entity it is asked for, if it is known. */
export interface KeyTextPlace {
  readonly schema: Schema
  readonly index: string
  readonly entity: string | undefined
}

/** Stands for a value that nothing is known of. */
const ANY = '${…}'
/** What ranges end with: greater than every text, or the first one after another. */
const RANGE_END = /[\u{10FFFF}\0]+$/u

/**
 * A key text, or the beginning of one, with placeholders in place of its values, as the template
 * says that it is made by: `USER#alice` becomes `USER#${username}`. What no template makes is all
 * value.
 */
export function keyTextShape(place: KeyTextPlace, name: string, text: string | undefined): string {
  if (text === undefined) return ANY
  const bare = text.replace(RANGE_END, '')
  for (const template of templatesOf(place, name)) {
    const shape = headShape(template, bare)
    if (shape !== undefined) return shape
  }
  return ANY
}

/** The templates that make a key attribute, that of the entity first. */
function templatesOf({ schema, index, entity }: KeyTextPlace, name: string): KeyTemplate[] {
  const models = [...schema.models.values()]
  const ordered = [
    ...models.filter((model) => model.name === entity),
    ...models.filter((model) => model.name !== entity),
  ]
  return ordered.flatMap((model) =>
    model.indexes
      .filter((use) => use.index.name === index)
      .flatMap(({ hash, sort }) => [...hash, ...sort])
      .flatMap((part) => (part.name === name && part.template ? [part.template] : [])),
  )
}

/** The beginning of a template up to one of its parts: what it looks like, and a pattern of what it
 * makes. */
interface Head {
  readonly shape: string
  readonly pattern: string
  readonly whole: RegExp
}

const headsOf = new WeakMap<KeyTemplate, readonly Head[]>()

/** The longest beginning of a template that makes the text; undefined if none does. */
function headShape(template: KeyTemplate, text: string): string | undefined {
  let heads = headsOf.get(template)
  if (heads === undefined) {
    heads = compileHeads(template)
    headsOf.set(template, heads)
  }
  const found = heads.findLast(({ whole }) => whole.test(text))
  if (found) return found.shape
  // A literal can be cut short by who writes a key condition by hand.
  for (const [at, part] of template.parts.entries()) {
    const head = heads[at]
    if (typeof part !== 'string' || head === undefined) continue
    const [, rest] = new RegExp(`^${head.pattern}(.+)$`, 's').exec(text) ?? []
    if (rest !== undefined && part.startsWith(rest)) return head.shape + rest
  }
  return undefined
}

function compileHeads({ parts, separator, source }: KeyTemplate): readonly Head[] {
  const bodies = [...source.matchAll(/\$\{[^}]*\}/g)].map(([body]) => body)
  const value = `(?:(?!${escapePattern(separator)}).)+`
  let shape = ''
  let pattern = ''
  const heads: Head[] = [{ shape, pattern, whole: /^$/ }]
  for (const part of parts) {
    const isText = typeof part === 'string'
    shape += isText ? part : (bodies.shift() ?? ANY)
    pattern += isText ? escapePattern(part) : part.path ? '.+' : value
    heads.push({ shape, pattern, whole: new RegExp(`^${pattern}$`, 's') })
  }
  return heads
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}
