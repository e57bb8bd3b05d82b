import { getOwn } from '../values/own.ts'
import { valueSizeBytes } from '../values/size.ts'
import { utf8Length } from '../values/utf8.ts'
import { tokenize } from './lexer.ts'
import type { PlaceholderMembers } from './placeholders.ts'

/** The size of an expression and of all that its placeholders stand for, each as often as it is
 * used. */
export function boundSizeBytes(text: string, { names, values }: PlaceholderMembers): number {
  let size = utf8Length(text)
  const valueSizes = new Map<string, number>()
  for (const { kind, start, end } of tokenize(text)) {
    if (kind === '#') size += utf8Length(getOwn(names ?? {}, text.slice(start, end)) ?? '')
    if (kind !== ':') continue
    const name = text.slice(start, end)
    let valueSize = valueSizes.get(name)
    if (valueSize === undefined) {
      const value = getOwn(values ?? {}, name)
      valueSize = value === undefined ? 0 : valueSizeBytes(value)
      valueSizes.set(name, valueSize)
    }
    size += valueSize
  }
  return size
}
