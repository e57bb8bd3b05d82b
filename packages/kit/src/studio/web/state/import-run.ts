import type { ImportKey, ImportMapping, ImportOutcome } from '../../api/contract.ts'
import { CallError, call } from './api.ts'
import { splitRecords } from './split-records.ts'

/** Keys that are remembered to find two rows with one key; a page has memory for these. */
export const KEYS_MAX = 1_000_000
/** How many messages are listed for a whole file. */
const LISTED_MAX = 20

/** What is imported: items, or rows with a mapping. */
export interface ImportInput {
  readonly name: string
  readonly format: 'dynamodb' | 'csv' | 'json'
  readonly text: () => AsyncIterable<string>
  readonly mapping?: ImportMapping | undefined
}

export interface ImportOptions {
  readonly replaces: boolean
  readonly isDryRun: boolean
  /** What was typed to confirm writes on AWS. */
  readonly table: string
}

/** How far an import is, and what became of the records so far. */
export interface ImportProgress extends ImportOptions {
  readonly state: 'running' | 'stopped' | 'done'
  /** Of the text of the file. */
  readonly characters: number
  readonly sum: ImportOutcome
  /** Two rows that take one key, the first of them. */
  readonly collisions: readonly string[]
  readonly collisionCount: number
}

/** Sends a file part by part, until it ends or the signal says to stop. */
export async function* importParts(
  { name, format, text, mapping }: ImportInput,
  options: ImportOptions,
  signal: AbortSignal,
): AsyncGenerator<ImportProgress, void, undefined> {
  const taken = new Map<string, string>()
  const collisions: string[] = []
  let collisionCount = 0
  let sum = NOTHING
  let characters = 0
  const progress = (state: ImportProgress['state']): ImportProgress => ({
    ...{ ...options, state, characters, sum, collisions: [...collisions], collisionCount },
  })
  for await (const part of splitRecords(text(), format === 'csv')) {
    if (signal.aborted) {
      yield progress('stopped')
      return
    }
    const outcome = await call('/api/import', { name, format, mapping, ...part, ...options })
    for (const each of outcome.keys) {
      const first = taken.get(each.key)
      taken.set(each.key, first ?? each.at)
      if (first === undefined) continue
      collisionCount++
      if (collisions.length < LISTED_MAX) collisions.push(collisionText(first, each))
    }
    if (taken.size > KEYS_MAX) throw tooManyKeys()
    sum = add(sum, outcome)
    characters += part.text.length
    yield progress('running')
  }
  yield progress('done')
}

function collisionText(first: string, { key, what, at }: ImportKey): string {
  // The file itself is known.
  return `${first} and ${at.replace(/^.*:/, '')} give the same ${what}: ${key}`
}

function tooManyKeys(): CallError {
  return new CallError(
    {
      code: 'FILE_LARGE',
      what: `The file has more than ${KEYS_MAX.toLocaleString('en-US')} keys.`,
      where: null,
      fix: 'import it with singletable import, which keeps them on disk',
    },
    0,
  )
}

const NOTHING: ImportOutcome = {
  ...{ read: 0, created: 0, replaced: 0, same: 0, conflicts: 0, skipped: 0, refused: 0 },
  ...{ conflictKeys: [], problems: [], unmapped: [], keys: [], preview: [] },
  spent: { units: 0, itemsRead: 0, itemsReturned: 0, requests: 0, ms: 0, index: null },
}

function add(sum: ImportOutcome, next: ImportOutcome): ImportOutcome {
  const { spent } = next
  return {
    read: sum.read + next.read,
    created: sum.created + next.created,
    replaced: sum.replaced + next.replaced,
    same: sum.same + next.same,
    conflicts: sum.conflicts + next.conflicts,
    skipped: sum.skipped + next.skipped,
    refused: sum.refused + next.refused,
    conflictKeys: [...sum.conflictKeys, ...next.conflictKeys].slice(0, LISTED_MAX),
    problems: [...sum.problems, ...next.problems].slice(0, LISTED_MAX),
    unmapped: [...new Set([...sum.unmapped, ...next.unmapped])],
    keys: [],
    preview: [...sum.preview, ...next.preview].slice(0, LISTED_MAX),
    // What the whole import took, as for any other action.
    spent: {
      units: Math.round((sum.spent.units + spent.units) * 10) / 10,
      itemsRead: sum.spent.itemsRead + spent.itemsRead,
      itemsReturned: sum.spent.itemsReturned + spent.itemsReturned,
      requests: sum.spent.requests + spent.requests,
      ms: Math.round((sum.spent.ms + spent.ms) * 10) / 10,
      index: null,
    },
  }
}
