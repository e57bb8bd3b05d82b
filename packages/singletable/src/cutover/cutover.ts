import { contextOf } from '../builder/context-of.ts'
import { DefinitionError } from '../errors/definition-error.ts'
import type { TableContext } from '../execute/table-context.ts'
import { keyAttributes } from '../schema/index-keys.ts'
import { CONTROL_TYPE } from '../schema/reserved-items.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { pause } from '../values/pause.ts'
import { judgeFailure } from '../wire/judge-failure.ts'
import type { OperationName, Operations } from '../wire/operations.ts'
import { ServiceError } from '../wire/service-error.ts'
import { type CopyReport, copyObstacles } from './copy-report.ts'

/** The phases of a move from one store to another, in their order. */
export const PHASES = [
  'off',
  'dual-write',
  'backfill',
  'verify',
  'shadow-read',
  'read-new',
  'write-new+old',
  'retired',
] as const

export type Phase = (typeof PHASES)[number]

/** What the new table knows of the move. */
export interface CutoverState {
  readonly phase: Phase
  readonly changedAt: number
  /** When the backfill and the comparison of all items ended well, in their phases. */
  readonly backfilledAt?: number | undefined
  readonly verifiedAt?: number | undefined
  /** The old store is DynamoDB tables, whose streams `singletable cutover copy` follows. */
  readonly isLiveCopy?: boolean | undefined
  /** Changes with every write of this item. */
  readonly revision: number
}

/** How often results of a read were compared, and how often they differed. */
export interface ReadComparison {
  readonly compared: number
  readonly different: number
}

/** A write that one of the stores has not taken. */
export interface MissedWrite {
  readonly id: string
  readonly side: 'old' | 'new'
  readonly method: string
  readonly parameters: readonly unknown[]
  readonly reason: string
}

export interface CutoverStatus extends CutoverState {
  readonly reads: Readonly<Record<string, ReadComparison>>
  readonly missedWrites: number
  /** Of a live copy, what it reported last. */
  readonly copy?: CopyReport | undefined
  /** Why the next phase can't begin; empty if it can. */
  readonly obstacles: readonly string[]
}

export interface AdvanceOptions {
  /** Each read must have been compared this often; default 1. */
  readonly comparedMin?: number | undefined
  /** When a move begins: its writes reach the new table by a live copy over streams. */
  readonly isLiveCopy?: boolean | undefined
}

/** Applications look at the phase every 5 seconds; after twice that, all of them know it. */
const SETTLE_MS = 10_000
const PLACE = 'cutover'
const COMPARED = 'compared '
const DIFFERENT = 'different '

/** When every process knows the phase. */
export function knownAt({ changedAt }: Pick<CutoverState, 'changedAt'>): number {
  return changedAt + SETTLE_MS
}

/**
 * The control items of a move, in the new table. Every change of the phase is conditional on the
 * phase that was read, so that two people can't move it at once.
 */
export class Cutover {
  readonly #context: TableContext
  readonly #name: string
  readonly #now: () => number

  /** `name` distinguishes several moves into one table. */
  constructor(
    table: object,
    options: { readonly name?: string; readonly now?: () => number } = {},
  ) {
    this.#context = contextOf(table, PLACE)
    this.#name = options.name ?? 'default'
    this.#now = options.now ?? (() => this.#context.environment.now())
    const { primary, keyTypes } = this.#context.schema
    const names = keyAttributes(primary)
    if (names.length === 2 && names.every((name) => keyTypes.get(name) === 'S')) return
    throw new DefinitionError('OPTION_INVALID', {
      what: "The table can't hold the state of a move.",
      where: `${PLACE}, table "${this.#context.name}"`,
      fix: 'use a table whose primary key has a partition key and a sort key that are strings',
    })
  }

  async state(): Promise<CutoverState> {
    const { Item } = await this.#send('GetItem', {
      TableName: this.#context.name,
      Key: this.#key('STATE'),
      ConsistentRead: true,
    })
    const stored = Item?.state?.S
    // Written by this class, under a condition.
    return stored === undefined
      ? { phase: 'off', changedAt: 0, revision: 0 }
      : (JSON.parse(stored) as CutoverState)
  }

  async status(options: AdvanceOptions = {}): Promise<CutoverStatus> {
    const state = await this.state()
    const reads = await this.#reads(state)
    const missedWrites = (await this.missedWrites()).length
    const copy = state.isLiveCopy ? await this.copyReport() : undefined
    const obstacles = [
      ...this.#obstacles(state, reads, missedWrites, options.comparedMin ?? 1),
      ...(state.isLiveCopy ? copyObstacles(state, copy, this.#now()) : []),
    ]
    return { ...state, reads, missedWrites, ...(copy && { copy }), obstacles }
  }

  /** Begins the next phase, or says why it can't begin. */
  async advance(options: AdvanceOptions = {}): Promise<CutoverState> {
    const status = await this.status(options)
    const next = PHASES[PHASES.indexOf(status.phase) + 1]
    if (next === undefined) this.#refuse('The move is complete.', 'there is nothing to do')
    if (status.obstacles.length > 0) {
      this.#refuse(
        `The phase "${next}" can't begin: ${status.obstacles.join('; ')}.`,
        'do what is missing, and look at cutover status',
      )
    }
    if (options.isLiveCopy && status.phase !== 'off' && !status.isLiveCopy) {
      this.#refuse('The move began without a live copy.', 'go back to the phase off first')
    }
    const isLiveCopy = status.isLiveCopy || options.isLiveCopy
    return this.#change(status, {
      phase: next,
      changedAt: this.#now(),
      ...(isLiveCopy && { isLiveCopy }),
    })
  }

  /**
   * Returns to the phase before. Until the move is complete the old store has every write. A live
   * copy that has ended begins again, so that a move with one returns to its backfill then.
   */
  async back(): Promise<CutoverState> {
    const state = await this.state()
    const before = PHASES[PHASES.indexOf(state.phase) - 1]
    if (before === undefined) this.#refuse('The move has not started.', 'there is nothing to do')
    if (state.phase === 'retired') {
      this.#refuse(
        'The old store has had no writes since the move was completed.',
        'move the data back as a new move, with the stores exchanged',
      )
    }
    const copy = state.isLiveCopy ? await this.copyReport() : undefined
    const hasEnded = state.phase === 'write-new+old' && (copy?.drainedAt ?? -1) >= state.changedAt
    return this.#change(state, {
      phase: hasEnded ? 'backfill' : before,
      changedAt: this.#now(),
      ...(state.isLiveCopy && before !== 'off' && { isLiveCopy: true }),
    })
  }

  /** What a live copy said last; undefined if there was none. */
  async copyReport(): Promise<CopyReport | undefined> {
    const { Item } = await this.#send('GetItem', {
      TableName: this.#context.name,
      Key: this.#key('COPY'),
      ConsistentRead: true,
    })
    return Item?.report?.S === undefined ? undefined : (JSON.parse(Item.report.S) as CopyReport)
  }

  /** Keeps what a live copy says, unless a later epoch has started. */
  async saveCopyReport(report: CopyReport): Promise<boolean> {
    const epoch = { N: String(report.epoch) }
    return this.#putIf(
      'COPY',
      { report: { S: JSON.stringify(report) }, epoch },
      {
        ConditionExpression: 'attribute_not_exists(#epoch) OR #epoch <= :epoch',
        ExpressionAttributeNames: { '#epoch': 'epoch' },
        ExpressionAttributeValues: { ':epoch': epoch },
      },
    )
  }

  /** Notes that the work of a phase ended well. In other phases it means nothing. */
  async note(work: 'backfill' | 'verify'): Promise<boolean> {
    const state = await this.state()
    if (state.phase !== work) return false
    const { revision: _, ...known } = state
    const at = this.#now()
    await this.#change(state, {
      ...known,
      ...(work === 'backfill' ? { backfilledAt: at } : { verifiedAt: at }),
    })
    return true
  }

  /** Adds what was compared since the last call. */
  async addComparisons(
    state: CutoverState,
    reads: ReadonlyMap<string, ReadComparison>,
  ): Promise<void> {
    for (const [read, { compared, different }] of reads) {
      await this.#send('UpdateItem', {
        TableName: this.#context.name,
        Key: this.#key(`READS#${state.changedAt}`),
        UpdateExpression: 'SET #type = :type ADD #compared :compared, #different :different',
        ExpressionAttributeNames: {
          '#type': this.#context.schema.params.typeField,
          '#compared': COMPARED + read,
          '#different': DIFFERENT + read,
        },
        ExpressionAttributeValues: {
          ':type': { S: CONTROL_TYPE },
          ':compared': { N: String(compared) },
          ':different': { N: String(different) },
        },
      })
    }
  }

  async addMissedWrite(write: Omit<MissedWrite, 'id'>): Promise<void> {
    const random = this.#context.environment.randomBytes(6)
    const id = `${String(this.#now()).padStart(15, '0')}-${Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
    await this.#put(`MISSED#${id}`, { write: { S: JSON.stringify({ id, ...write }) } })
  }

  /** In the order in which they were missed. */
  async missedWrites(): Promise<readonly MissedWrite[]> {
    const [hash = '', sort = ''] = keyAttributes(this.#context.schema.primary)
    const key = this.#key('MISSED#')
    const found: MissedWrite[] = []
    let next: Item | undefined
    do {
      const page = await this.#send('Query', {
        TableName: this.#context.name,
        KeyConditionExpression: '#hash = :hash AND begins_with(#sort, :sort)',
        ExpressionAttributeNames: { '#hash': hash, '#sort': sort },
        ExpressionAttributeValues: { ':hash': key[hash]!, ':sort': key[sort]! },
        ConsistentRead: true,
        ...(next && { ExclusiveStartKey: next }),
      })
      for (const item of page.Items ?? [])
        found.push(JSON.parse(item.write?.S ?? '{}') as MissedWrite)
      next = page.LastEvaluatedKey
    } while (next !== undefined)
    return found
  }

  async removeMissedWrite({ id }: MissedWrite): Promise<void> {
    await this.#send('DeleteItem', {
      TableName: this.#context.name,
      Key: this.#key(`MISSED#${id}`),
    })
  }

  async #reads(state: CutoverState): Promise<Readonly<Record<string, ReadComparison>>> {
    const { Item = {} } = await this.#send('GetItem', {
      TableName: this.#context.name,
      Key: this.#key(`READS#${state.changedAt}`),
      ConsistentRead: true,
    })
    const names = Object.keys(Item).filter((name) => name.startsWith(COMPARED))
    return Object.fromEntries(
      names.map((name) => {
        const read = name.slice(COMPARED.length)
        const different = Number(Item[DIFFERENT + read]?.N ?? 0)
        return [read, { compared: Number(Item[name]?.N ?? 0), different }]
      }),
    )
  }

  #obstacles(
    state: CutoverState,
    reads: Readonly<Record<string, ReadComparison>>,
    missedWrites: number,
    comparedMin: number,
  ): readonly string[] {
    const { phase, changedAt } = state
    const obstacles: string[] = []
    const ageMs = this.#now() - changedAt
    if (phase !== 'off' && ageMs < SETTLE_MS) {
      const seconds = Math.ceil((SETTLE_MS - ageMs) / 1000)
      obstacles.push(`applications may not know of the phase "${phase}" yet, wait ${seconds} s`)
    }
    if (missedWrites > 0) {
      obstacles.push(`${missedWrites} writes are missing in one of the stores, replay them`)
    }
    const ways = state.isLiveCopy
      ? ['cutover copy', 'cutover copy']
      : ['import run --cutover', 'import verify --cutover']
    if (phase === 'backfill' && state.backfilledAt === undefined) {
      obstacles.push(`the backfill has not ended, run ${ways[0]}`)
    }
    if (phase === 'verify' && state.verifiedAt === undefined) {
      obstacles.push(`the stores have not been compared, run ${ways[1]}`)
    }
    if (phase === 'shadow-read') {
      const list = Object.entries(reads)
      if (list.length === 0) obstacles.push('no read has been compared')
      for (const [read, { compared, different }] of list) {
        if (different > 0) obstacles.push(`${read} differed ${different} of ${compared} times`)
        else if (compared < comparedMin) {
          obstacles.push(`${read} was compared ${compared} times, ${comparedMin} are asked for`)
        }
      }
    }
    return obstacles
  }

  async #change(
    before: CutoverState,
    change: Omit<CutoverState, 'revision'>,
  ): Promise<CutoverState> {
    const revision = before.revision + 1
    const state: CutoverState = { ...change, revision }
    const isWritten = await this.#putIf(
      'STATE',
      { state: { S: JSON.stringify(state) }, revision: { N: String(revision) } },
      {
        ConditionExpression:
          before.revision === 0 ? 'attribute_not_exists(#revision)' : '#revision = :before',
        ExpressionAttributeNames: { '#revision': 'revision' },
        ...(before.revision > 0 && {
          ExpressionAttributeValues: { ':before': { N: String(before.revision) } },
        }),
      },
    )
    // The answer of an earlier attempt may have been lost.
    if (!isWritten && JSON.stringify(await this.state()) !== JSON.stringify(state))
      this.#refuse('Somebody else has changed the phase meanwhile.', 'look at cutover status')
    return state
  }

  /** False if the condition does not hold. */
  async #putIf(word: string, values: Item, condition: object): Promise<boolean> {
    try {
      await this.#put(word, values, condition)
      return true
    } catch (error) {
      if (!(error instanceof ServiceError) || error.name !== 'ConditionalCheckFailedException')
        throw error
      return false
    }
  }

  #refuse(what: string, fix: string): never {
    const where = `${PLACE} "${this.#name}", table "${this.#context.name}"`
    throw new DefinitionError('CUTOVER_REFUSED', { what, where, fix })
  }

  #key(word: string): Record<string, AttributeValue> {
    const [hash = '', sort = ''] = keyAttributes(this.#context.schema.primary)
    return { [hash]: { S: '_KIT#CUTOVER' }, [sort]: { S: `${this.#name}#${word}` } }
  }

  #put(word: string, values: Item, condition: object = {}): Promise<unknown> {
    const { typeField } = this.#context.schema.params
    return this.#send('PutItem', {
      TableName: this.#context.name,
      Item: { ...this.#key(word), [typeField]: { S: CONTROL_TYPE }, ...values },
      ...condition,
    })
  }

  /** Sends a request, again if its failure passes and a second time does no harm. */
  async #send<TOperation extends OperationName>(
    operation: TOperation,
    request: Operations[TOperation]['request'],
  ): Promise<Operations[TOperation]['response']> {
    const { transport, retry, environment } = this.#context
    const once = transport.singleAttempt ?? transport
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await once.send(operation, request)
        retry.giveBack(attempt)
        return response
      } catch (error) {
        const verdict = judgeFailure(error)
        // Numbers that may have been added are not added again.
        const isSafe = verdict === 'ambiguous' && operation !== 'UpdateItem'
        if (verdict !== 'refused' && !isSafe) throw error
        if (!retry.takeRetry(attempt)) throw error
        await pause(environment, retry.delayMs(attempt, environment), undefined)
      }
    }
  }
}
