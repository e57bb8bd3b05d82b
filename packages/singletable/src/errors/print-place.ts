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
  const names = Object.entries({ table, pattern, entity }).flatMap(([word, name]) =>
    name === undefined ? [] : [`${word} "${name}"`],
  )
  return [...names, ...(verb === undefined ? [] : [verb.endsWith(')') ? verb : `${verb}()`])].join(
    ', ',
  )
}
