import { PARTITION_KEY_MAX_BYTES } from '../values/limits.ts'
import { refuseTemplate } from './refuse-template.ts'
import type { Modifier, Placeholder, Template } from './template.ts'

/** The digits of the longest number DynamoDB keeps. */
export const PAD_WIDTH_MAX = 38

/** Each modifier by its name, made from the number in its brackets; `undefined` if that does not suit it. */
const MODIFIERS = new Map<string, (argument: string | undefined) => Modifier | undefined>([
  [
    'pad',
    (argument) =>
      isPadWidth(Number(argument)) ? { kind: 'pad', width: Number(argument) } : undefined,
  ],
  ['lower', (argument) => (argument === undefined ? { kind: 'lower' } : undefined)],
  ['desc', (argument) => (argument === undefined ? { kind: 'desc' } : undefined)],
])

/**
 * Reads a template: `${name}` stands for the value of an attribute, with modifiers after colons; all else is literal.
 *
 * @example
 * parseTemplate('POST#${number:pad(8):desc}', 'model "Post", key sk').names // => ['number']
 */
export function parseTemplate(source: string, where: string): Template {
  const at = { source, where }
  if (typeof source !== 'string' || source === '') {
    refuseTemplate(at, 'it is empty', "give a text such as 'USER#${username}'")
  }
  if (source.length > PARTITION_KEY_MAX_BYTES) {
    refuseTemplate(at, 'it is longer than a key can be', 'shorten its literal text')
  }
  const parts: (string | Placeholder)[] = []
  const names = new Set<string>()
  let position = 0
  while (position < source.length) {
    const start = source.indexOf('${', position)
    const literalEnd = start < 0 ? source.length : start
    if (literalEnd > position) {
      const literal = source.slice(position, literalEnd)
      if (!literal.isWellFormed() || /\p{Cc}/u.test(literal)) {
        refuseTemplate(at, 'it has a control character or half a surrogate pair', 'use plain text')
      }
      parts.push(literal)
    }
    if (start < 0) break
    const end = source.indexOf('}', start)
    const body = source.slice(start + 2, end)
    if (end < 0 || body.includes('${')) {
      refuseTemplate(at, `the "\${" at ${start} is not closed`, 'close it with "}"')
    }
    const placeholder = parsePlaceholder(body, at)
    parts.push(placeholder)
    names.add(placeholder.name)
    position = end + 1
  }
  return { source, parts, names: [...names] }
}

export function isPadWidth(width: number): boolean {
  return Number.isInteger(width) && width >= 1 && width <= PAD_WIDTH_MAX
}

function parsePlaceholder(
  body: string,
  at: { readonly source: string; readonly where: string },
): Placeholder {
  const [name = '', ...texts] = body.split(':')
  if (name === '') {
    refuseTemplate(at, 'a placeholder has no name', 'name an attribute, as in ${username}')
  }
  const modifiers: Modifier[] = []
  for (const text of texts) {
    const [, word = '', argument] = /^(\w+)(?:\((\d+)\))?$/.exec(text) ?? []
    const modifier = MODIFIERS.get(word)?.(argument)
    if (modifier === undefined || modifiers.some((other) => other.kind === modifier.kind)) {
      refuseTemplate(
        at,
        `"${text}" of \${${name}} is ${modifier === undefined ? 'no modifier' : 'there twice'}`,
        `use each of pad(1…${PAD_WIDTH_MAX}), lower and desc once at most`,
      )
    }
    modifiers.push(modifier)
  }
  return { name, modifiers }
}
