/** Operations that answer with an empty body, as AWS's reference says of these alone. */
const EMPTY_ANSWERS: ReadonlySet<string> = new Set(['TagResource', 'UntagResource'])

/**
 * The response in the text of a successful answer; throws if it is none. An empty answer comes from
 * something on the way: of a read it would say that there is nothing, of a write that all is well.
 */
export function readResponse(operation: string, text: string): object {
  if (text === '' && EMPTY_ANSWERS.has(operation)) return {}
  if (text === '') throw new SyntaxError('The answer is empty.')
  const parsed: unknown = JSON.parse(text)
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed
  throw new SyntaxError('The answer is not a JSON object.')
}
