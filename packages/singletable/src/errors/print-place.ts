/** What a call is made on. */
export interface CallPlace {
  readonly table?: string | undefined
  readonly pattern?: string | undefined
  readonly entity?: string | undefined
  /** The method; `collect` has its arguments in it: `collect(Post, User)`. */
  readonly verb?: string | undefined
}

/** Where a call was made, for messages: `table "Blog", pattern "byAuthor", entity "Post",
 * query()`. */
export function printPlace({ table, pattern, entity, verb }: CallPlace): string {
  // Every call makes some, for the message of an error that most never have: without lists on the
  // way, and without looking into the text.
  let text = table === undefined ? '' : `table "${table}"`
  if (pattern !== undefined) text = joined(text, `pattern "${pattern}"`)
  if (entity !== undefined) text = joined(text, `entity "${entity}"`)
  if (verb !== undefined) text = joined(text, verb.endsWith(')') ? verb : `${verb}()`)
  return text
}

function joined(text: string, part: string): string {
  return text === '' ? part : `${text}, ${part}`
}
