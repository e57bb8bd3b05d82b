import type { EntityView, KeySegment, StoredItem, StoredValue } from '../../api/contract.ts'
import { visible } from './format.ts'

/** A piece of a stored key: text of the template, or a value with the attribute it is of. */
interface KeyPiece {
  readonly text: string
  readonly attribute?: string
}

/**
 * A piece as it is shown: what the template adds is dim, values are bright and say whose they are.
 */
export interface ShownPiece {
  readonly text: string
  readonly look: 'key-text' | 'key-value'
  readonly title: string
}

/** The key of an item in an index, in pieces. */
export function keyPieces(
  item: StoredItem,
  entity: EntityView | undefined,
  index: string,
  names: readonly string[],
): readonly ShownPiece[] {
  return names.flatMap((name, at): ShownPiece[] => {
    const segments = segmentsOf(entity, index, name)
    const title = segments ? `${name}: ${templateText(segments)}` : name
    const pieces = splitKey(keyText(item[name]), segments).map(
      ({ text, attribute }): ShownPiece => ({
        text: visible(text),
        look: attribute === undefined && segments ? 'key-text' : 'key-value',
        title: attribute === undefined ? title : `${attribute} in ${title}`,
      }),
    )
    return at === 0 ? pieces : [{ text: ' · ', look: 'key-text', title }, ...pieces]
  })
}

/** A key as it is stored, as a text. */
export function keyText(value: StoredValue | undefined): string {
  return value?.S ?? value?.N ?? value?.B ?? ''
}

/** The text of several key attributes. */
export function joinedKey(item: StoredItem, names: readonly string[]): string {
  return names.map((name) => keyText(item[name])).join(' · ')
}

/** Takes a key apart as its template says; all of it is one value where that can't be done. */
export function splitKey(
  text: string,
  segments: readonly KeySegment[] | undefined,
): readonly KeyPiece[] {
  if (segments === undefined) return [{ text }]
  const pieces: KeyPiece[] = []
  let at = 0
  for (const [position, segment] of segments.entries()) {
    if ('text' in segment) {
      if (!text.startsWith(segment.text, at)) return [{ text }]
      pieces.push({ text: segment.text })
      at += segment.text.length
      continue
    }
    const next = segments.slice(position + 1).find((each) => 'text' in each)
    const end = next && 'text' in next ? text.indexOf(next.text, at) : text.length
    if (end < 0) return [{ text }]
    pieces.push({ text: text.slice(at, end), attribute: segment.attribute })
    at = end
  }
  return at === text.length ? pieces : [{ text }]
}

/** The template of a key attribute of an entity in an index. */
function segmentsOf(
  entity: EntityView | undefined,
  index: string,
  name: string,
): readonly KeySegment[] | undefined {
  const use = entity?.indexes.find((each) => each.index === index)
  return [...(use?.hash ?? []), ...(use?.sort ?? [])].find((part) => part.name === name)?.segments
}

/** A template as people write it. */
export function templateText(segments: readonly KeySegment[]): string {
  return segments
    .map((each) =>
      'text' in each ? each.text : `\${${each.attribute}${each.format ? `:${each.format}` : ''}}`,
    )
    .join('')
}
