import { createHash } from 'node:crypto'
import type { CountItems } from 'singletable/migrations'
import {
  derivedOf,
  type Item,
  keyFromItem,
  type Rewrite,
  RewriteProblem,
  rewriteItem,
  writesOf,
} from 'singletable/tools'
import { sendPatiently } from '../transfer/send-patiently.ts'
import { type Counts, NO_COUNTS } from './counts.ts'
import { type FailureLog, failureOf } from './failures.ts'
import type { ItemContext } from './migrate-item.ts'
import { printKey } from './print-key.ts'
import { scanPages } from './scan-pages.ts'

export interface CheckContext extends ItemContext {
  readonly signal: AbortSignal
  readonly failures?: FailureLog | undefined
}

const LISTED_MAX = 20
const KEY = 'the key'
/** The kinds of steps that give items another key, or make new ones. */
const MOVES: readonly string[] = ['rekey', 'renameModel', 'splitModel']
/** Two of these find the keys that may be needed twice, however many items there are. */
const FILTER_BYTES = 2 ** 24

/**
 * Looks for items that new copies, unique values and counters can't be made of: those that need the
 * same guard or copy, and those whose parent is missing. Nothing is written. Undefined if it was
 * interrupted.
 */
export async function findViolations(context: CheckContext): Promise<Counts | undefined> {
  const { steps, after } = context.versions
  const moves = context.isDry && steps.some(({ kind }) => MOVES.includes(kind))
  const isMoved = (model: string): boolean =>
    steps.some((step) => ['rekey', 'renameModel'].includes(step.kind) && step.model === model)
  // The parent of an item that is counted can be under its old key, until it has moved.
  const counts = steps.filter((step) => step.kind === 'countItems' && !isMoved(step.model))
  const problems = new Problems()
  if (moves || steps.some(({ kind }) => kind === 'derivedItems')) await findTwice(context)
  if (counts.length > 0) await findOrphans(context, counts as readonly CountItems[], problems)
  return context.signal.aborted ? undefined : problems.counts()

  /** Items that need the same guard or copy, and, before they move, those that need the same key. */
  async function findTwice({ tableName }: CheckContext): Promise<void> {
    const needed = (rewrite: Rewrite | undefined, key: string): readonly string[] => {
      // What no step changes keeps its key.
      if (rewrite === undefined) return moves ? [placed(key)] : []
      return [
        ...rewrite.after.flatMap(({ item }) =>
          moves ? [placed(printKey(keyFromItem(after.primary, item)))] : [],
        ),
        ...writesOf(rewrite, { tableName, now: 0 }).derived.flatMap(({ action: { Put } }) =>
          Put ? [printKey(keyFromItem(after.primary, Put.Item))] : [],
        ),
      ]
    }
    const once = new Uint8Array(FILTER_BYTES)
    const twice = new Uint8Array(FILTER_BYTES)
    let isAny = false
    await eachRewrite(context, (rewrite, item) => {
      for (const key of needed(rewrite, keyOf(item))) {
        const [at, bit] = placeOf(key)
        if (once[at]! & bit) twice[at]! |= bit
        if (once[at]! & bit) isAny = true
        once[at]! |= bit
      }
    })
    if (!isAny) return
    const owners = new Map<string, string>()
    await eachRewrite(context, (rewrite, item) => {
      const key = keyOf(item)
      for (const each of needed(rewrite, key)) {
        const [at, bit] = placeOf(each)
        if (!(twice[at]! & bit)) continue
        const other = owners.get(each)
        if (other === undefined) {
          owners.set(each, key)
          continue
        }
        problems.add(`${[other, key].sort().join(' and ')} both need ${each}`)
        const kinds = each.startsWith(KEY) ? MOVES : ['derivedItems']
        const names = [
          rewrite?.from?.name,
          ...(rewrite?.after ?? []).map(({ model }) => model.name),
        ]
        const step = steps.find(({ kind, model }) => kinds.includes(kind) && names.includes(model))
        const reason = `needs ${each}, as ${other} does`
        context.failures?.add(failureOf(context.versions, item, reason, step))
      }
    })
  }

  function keyOf(item: Item): string {
    return printKey(keyFromItem(after.primary, item))
  }
}

/** Items that are to be counted by a parent that does not exist. */
async function findOrphans(
  context: CheckContext,
  counts: readonly CountItems[],
  problems: Problems,
): Promise<void> {
  const { transport, tableName, versions } = context
  // The children of a parent often follow each other.
  let parent = { text: '', exists: true }
  await eachRewrite(context, async (rewrite, read) => {
    const key = printKey(keyFromItem(versions.after.primary, read))
    for (const { model, item } of rewrite?.after ?? []) {
      for (const write of derivedOf(model, item, { tableName, now: 0 })) {
        if (write.kind !== 'count') continue
        const {
          attribute,
          parent: { name },
        } = write
        const step = counts.find((each) => each.model === name && each.attribute === attribute.name)
        if (step === undefined) continue
        const text = printKey(write.key)
        if (text !== parent.text) {
          const request = { TableName: tableName, Key: write.key, ConsistentRead: true }
          const { Item } = await sendPatiently(transport, 'GetItem', request)
          parent = { text, exists: Item !== undefined }
        }
        if (parent.exists) continue
        const reason = `is counted by ${text}, which does not exist`
        problems.add(`${key} ${reason}`)
        context.failures?.add(failureOf(versions, read, reason, step))
      }
    }
  })
}

/** How many there are, and the first ones in the order of their text. */
class Problems {
  #count = 0
  #first: readonly string[] = []

  add(text: string): void {
    this.#count++
    const last = this.#first[LISTED_MAX - 1]
    if (last === undefined || text < last)
      this.#first = [...this.#first, text].sort().slice(0, LISTED_MAX)
  }

  counts(): Counts {
    return { ...NO_COUNTS, problems: this.#count, examples: this.#first }
  }
}

/** What becomes of every item of the table. */
async function eachRewrite(
  { transport, tableName, versions, signal }: CheckContext,
  visit: (rewrite: Rewrite | undefined, item: Item) => void | Promise<void>,
): Promise<void> {
  await scanPages({ transport, tableName, signal }, async (items) => {
    for (const item of items) {
      try {
        await visit(rewriteItem(versions, item), item)
      } catch (error) {
        // The pass that writes reports it.
        if (!(error instanceof RewriteProblem)) throw error
      }
    }
  })
}

/** Items and what follows from them are claimed apart: a guard is there before its owner moves. */
function placed(key: string): string {
  return `${KEY} ${key}`
}

function placeOf(key: string): readonly [at: number, bit: number] {
  const hash = createHash('sha1').update(key).digest().readUInt32BE()
  return [(hash >>> 3) % FILTER_BYTES, 1 << (hash & 7)]
}
