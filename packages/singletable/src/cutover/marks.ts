import type { AttributeValue, Item } from '../values/attribute-value.ts'
import type { Environment } from '../values/environment.ts'
import { hexText } from '../values/hex.ts'
import type { ControlItems, ControlKey } from './control-items.ts'

/** One of the two stores of a move. */
export type Side = 'old' | 'new'

/** Something that the stores may hold differently, because one of them missed a write. */
export interface MissedWrite {
  /** The `repository` of `dualWrite`; empty unless it has one. */
  readonly repository: string
  /** What it is about, as `writes` of `dualWrite` names it. */
  readonly key: string
  /** The store that is to be repaired from the other one. */
  readonly side: Side
  /** The method that was called last. */
  readonly method: string
  readonly reason: string
  readonly at: number
}

/** The part of one call in a mark. */
export interface Hold {
  readonly key: string
  readonly token: string
  /** The store that has the truth about this key until the mark is removed. */
  readonly leads: Side
  readonly method: string
  /** No other call had marked the key. */
  readonly isAlone: boolean
}

/** A mark as it is in the table. */
interface Mark {
  readonly key: string
  readonly leads: Side
  readonly method: string
  /** Why the stores may differ; undefined while calls are under way and none has failed. */
  readonly reason?: string | undefined
  readonly at: number
  /** When calls that have not ended began, by token. */
  readonly holders: ReadonlyMap<string, number>
  /** The token of the call that began last: it changes with every call. */
  readonly last: string
}

/** A call that takes longer counts as ended by a crash. */
const HOLD_MS = 60_000
/** One partition takes 1,000 writes a second, and each write of the application makes two. */
const PARTITIONS = 32
const HOLDER = 'holder '

/**
 * Each write of the application marks what it is about before it begins, and removes the mark when
 * both stores have it. What is left after a failure, a crash or an overlap with another write is to
 * be repaired. A mark names the store that leads, so that a change of the phase meanwhile does not
 * take the other one for the truth.
 */
export class Marks {
  readonly #items: ControlItems
  readonly #name: string
  readonly #environment: Pick<Environment, 'now' | 'randomBytes'>

  constructor(
    items: ControlItems,
    name: string,
    environment: Pick<Environment, 'now' | 'randomBytes'>,
  ) {
    this.#items = items
    this.#name = name
    this.#environment = environment
  }

  /** Marks a key. `side` leads, unless the key is marked already. */
  async hold(key: string, side: Side, method: string): Promise<Hold> {
    const token = this.#token()
    const stored = await this.#items.update(
      this.#keyOf(key),
      {
        update:
          'SET #holder = :now, #last = :token, #method = :method, #at = :now, #leads = if_not_exists(#leads, :side)',
        names: {
          '#holder': HOLDER + token,
          '#last': 'last',
          '#method': 'method',
          '#at': 'at',
          '#leads': 'leads',
        },
        values: {
          ':now': this.#now(),
          ':token': { S: token },
          ':method': { S: method },
          ':side': { S: side },
        },
      },
      { isRepeatable: true },
    )
    const { leads, holders, reason } = readMark(key, stored ?? {})
    return { key, token, method, leads, isAlone: holders.size === 1 && reason === undefined }
  }

  /** Removes the mark; false if another call has marked the key meanwhile. */
  async remove({ key, token }: Pick<Hold, 'key' | 'token'>): Promise<boolean> {
    return this.#items.delete(this.#keyOf(key), {
      condition: '#last = :token',
      names: { '#last': 'last' },
      values: { ':token': { S: token } },
    })
  }

  /**
   * Ends a call after which the stores may differ. The mark may have been removed meanwhile, by a
   * repair that took the call for dead; one that is under way begins again.
   */
  async leave({ key, token, leads, method }: Hold, reason: string): Promise<void> {
    await this.#items.update(
      this.#keyOf(key),
      {
        update:
          'SET #reason = :reason, #last = :token, #method = :method, #at = :now, #leads = if_not_exists(#leads, :side) REMOVE #holder',
        names: {
          '#reason': 'reason',
          '#holder': HOLDER + token,
          '#last': 'last',
          '#method': 'method',
          '#at': 'at',
          '#leads': 'leads',
        },
        values: {
          ':reason': { S: reason },
          ':token': { S: token },
          ':method': { S: method },
          ':now': this.#now(),
          ':side': { S: leads },
        },
      },
      { isRepeatable: true },
    )
  }

  /** Marks a key to repair it, unless there is nothing to repair or a call has not ended. */
  async claim(key: string): Promise<Hold | 'busy' | 'clean'> {
    const stored = await this.#items.get(this.#keyOf(key))
    if (stored === undefined) return 'clean'
    const mark = readMark(key, stored)
    if (this.#isHeld(mark)) return 'busy'
    const token = this.#token()
    const ended = [...mark.holders.keys()].map((holder) => HOLDER + holder)
    const claimed = await this.#items.update(
      this.#keyOf(key),
      {
        update: `SET #holder = :now, #last = :token${ended.length > 0 ? ` REMOVE ${ended.map((_, at) => `#ended${at}`).join(', ')}` : ''}`,
        // The answer of an earlier attempt may have been lost.
        condition: '#last = :before OR #last = :token',
        names: {
          '#holder': HOLDER + token,
          '#last': 'last',
          ...Object.fromEntries(ended.map((name, at) => [`#ended${at}`, name])),
        },
        values: { ':now': this.#now(), ':token': { S: token }, ':before': { S: mark.last } },
      },
      { isRepeatable: true },
    )
    if (claimed === undefined) return 'busy'
    return { key, token, leads: mark.leads, method: mark.method, isAlone: false }
  }

  /** What is to be repaired. Of `all`, also what calls have marked that have not ended. */
  async missed({ all = false }: { readonly all?: boolean } = {}): Promise<readonly MissedWrite[]> {
    const pages = await Promise.all(
      Array.from({ length: PARTITIONS }, (_, at) => this.#items.list(this.#partition(at))),
    )
    const marks = pages.flat().map(({ sort, item }) => readMark(sort, item))
    return marks
      .filter((mark) => all || !this.#isUnderWay(mark))
      .map(({ key: marked, leads, method, reason, at }): MissedWrite => {
        const side = leads === 'old' ? 'new' : 'old'
        return {
          ...readMarkKey(marked),
          side,
          method,
          reason: reason ?? 'the call did not end',
          at,
        }
      })
      .sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1))
  }

  /** Removes a mark without a repair, unless a call has not ended. */
  async drop(key: string): Promise<boolean> {
    const hold = await this.claim(key)
    return typeof hold === 'object' && this.remove(hold)
  }

  #isHeld({ holders }: Mark): boolean {
    const now = this.#environment.now()
    return [...holders.values()].some((began) => now - began < HOLD_MS)
  }

  #isUnderWay(mark: Mark): boolean {
    return mark.reason === undefined && this.#isHeld(mark)
  }

  #token(): string {
    return hexText(this.#environment.randomBytes(8))
  }

  #now(): AttributeValue {
    return { N: String(this.#environment.now()) }
  }

  #keyOf(key: string): ControlKey {
    let sum = 0
    for (let at = 0; at < key.length; at++) sum = (sum * 31 + key.charCodeAt(at)) >>> 0
    return { hash: this.#partition(sum % PARTITIONS), sort: key }
  }

  #partition(number: number): string {
    return `_KIT#CUTOVER#${this.#name}#${number}`
  }
}

const SEPARATOR = '#'

/** The key of a mark: what is written, in which repository. */
export function markKey(repository: string, key: string): string {
  return repository + SEPARATOR + key
}

function readMarkKey(text: string): { readonly repository: string; readonly key: string } {
  const at = text.indexOf(SEPARATOR)
  return { repository: text.slice(0, at), key: text.slice(at + SEPARATOR.length) }
}

/** Written by this class. */
function readMark(key: string, item: Item): Mark {
  const holders = Object.entries(item).filter(([name]) => name.startsWith(HOLDER))
  return {
    key,
    leads: item.leads?.S === 'new' ? 'new' : 'old',
    method: item.method?.S ?? '',
    reason: item.reason?.S,
    at: Number(item.at?.N ?? 0),
    holders: new Map(holders.map(([name, { N }]) => [name.slice(HOLDER.length), Number(N)])),
    last: item.last?.S ?? '',
  }
}
