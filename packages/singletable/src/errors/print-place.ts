/** What a call is made on. */
export interface CallPlace {
  readonly table?: string | undefined
  readonly pattern?: string | undefined
  readonly entity?: string | undefined
  /** The method; `collect` has its arguments in it: `collect(Post, User)`. */
  readonly verb?: string | undefined
}

/** Where a call was made, for messages: `table "Blog", pattern "byAuthor", entity "Post", query()`. */
export function printPlace({ table, pattern, entity, verb }: CallPlace): string {
  // Every call makes one, for the message of an error that most never have: without lists on the way.
  let text = table === undefined ? '' : `, table "${table}"`
  if (pattern !== undefined) text += `, pattern "${pattern}"`
  if (entity !== undefined) text += `, entity "${entity}"`
  if (verb !== undefined) text += verb.endsWith(')') ? `, ${verb}` : `, ${verb}()`
  return text.slice(2)
}
