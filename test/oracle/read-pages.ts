import type { LoosePattern, LooseResult, Output } from './exercise-table.ts'

/** One result, and the entity that the answer says it is of, where it says so. */
export interface Result {
  readonly output: Output
  readonly entity: string | undefined
}

/** The results of one page after the other. */
export type Pages = readonly (readonly Result[])[]

export function resultsOf({ items = [], groups }: LooseResult): readonly Result[] {
  return groups
    ? Object.entries(groups).flatMap(([entity, outputs]) =>
        outputs.map((output) => ({ output, entity })),
      )
    : items.flatMap((output) => (output ? [{ output, entity: undefined }] : []))
}

/** Reads to the last page, by the cursors; undefined if there are more pages than there can be. */
export async function readPages(
  pattern: LoosePattern,
  input: object,
  options: { readonly limit?: number },
  pagesMax: number,
): Promise<Pages | undefined> {
  const pages: (readonly Result[])[] = []
  let cursor: string | undefined
  do {
    const page = await pattern(input, { ...options, cursor }).page()
    pages.push(resultsOf(page))
    cursor = page.cursor
  } while (cursor !== undefined && pages.length < pagesMax)
  return cursor === undefined ? pages : undefined
}

/** Reads result after result; patterns over several entities say which each is of. */
export async function readAll(
  pattern: LoosePattern,
  input: object,
  isGrouped: boolean,
  resultsMax: number,
): Promise<readonly Result[] | undefined> {
  const results: Result[] = []
  for await (const each of pattern.all(input)) {
    if (results.length === resultsMax) return undefined
    const { entity, item } = each
    results.push(
      isGrouped
        ? // This is how they are given.
          { output: item as Output, entity: entity as string | undefined }
        : { output: each, entity: undefined },
    )
  }
  return results
}
