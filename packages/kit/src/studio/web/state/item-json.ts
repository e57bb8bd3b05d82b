import type { StoredItem } from '../../api/contract.ts'

const LINE_CHARACTERS_MAX = 90

/** An item in DynamoDB's JSON with an attribute on each line; long values take more. */
export function printItem(item: StoredItem): string {
  const lines = Object.entries(item).map(([name, value]) => {
    const short = JSON.stringify(value)
    const text =
      short.length <= LINE_CHARACTERS_MAX
        ? short
        : JSON.stringify(value, undefined, 2).replaceAll('\n', '\n  ')
    return `  ${JSON.stringify(name)}: ${text}`
  })
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n}`
}

/** An item that was typed, or why it is none yet. What is inside is for the server to judge. */
export function parseItem(text: string): { readonly item?: StoredItem; readonly problem?: string } {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { item: value as StoredItem }
    }
    return { problem: 'The item is not an object.' }
  } catch (error) {
    // Browsers say which line.
    return { problem: `${(error as Error).message}.` }
  }
}
