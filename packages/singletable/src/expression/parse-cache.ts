import { ExpressionError } from './expression-error.ts'

/**
 * Remembers what a parser made of the expressions used last, errors too. Applications send the same
 * few expressions again and again, and binding reads the syntax without changing it.
 */
export function createParseCache<T extends object>(
  parse: (text: string) => T,
  capacity: number,
): (text: string) => T {
  // A Map keeps the order of insertion: the first key is the one used longest ago.
  const results = new Map<string, T | ExpressionError>()
  let latestText: string | undefined
  let latest: T | undefined
  return (text) => {
    // The same text twice in a row, as in a loop of writes, needs no change of the order.
    if (text === latestText && latest !== undefined) return latest
    let result = results.get(text)
    if (result === undefined) {
      result = attempt(parse, text)
      if (results.size >= capacity) {
        for (const oldest of results.keys()) {
          results.delete(oldest)
          break
        }
      }
    } else {
      results.delete(text)
    }
    results.set(text, result)
    if (result instanceof ExpressionError) throw result
    latestText = text
    latest = result
    return result
  }
}

function attempt<T>(parse: (text: string) => T, text: string): T | ExpressionError {
  try {
    return parse(text)
  } catch (error) {
    if (error instanceof ExpressionError) return error
    throw error
  }
}
