import type { AttributeValue, Item } from 'singletable/tools'

/**
 * A stored item as plain values, for where no schema says what they mean. Numbers that JavaScript
 * can't hold stay text.
 */
export function plainItem(item: Item): Record<string, unknown> {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, plainValue(value)]))
}

function plainValue(value: AttributeValue): unknown {
  const { S, N, B, BOOL, L, M, SS, NS, BS } = value
  if (N !== undefined) return plainNumber(N)
  if (L !== undefined) return L.map(plainValue)
  if (M !== undefined) return plainItem(M)
  if (NS !== undefined) return NS.map(plainNumber)
  return S ?? B ?? BOOL ?? SS ?? BS ?? null
}

function plainNumber(text: string): number | string {
  const number = Number(text)
  return String(number) === text ? number : text
}
