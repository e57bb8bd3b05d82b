import { contextOf } from '../builder/context-of.ts'
import { DefinitionError } from '../errors/definition-error.ts'
import { keyAttributes } from '../schema/index-keys.ts'
import { ControlItems, type ControlKey } from './control-items.ts'
import { type CopyReport, copyObstacles } from './copy-report.ts'
import { Marks, type MissedWrite, markKey } from './marks.ts'

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
  /** Since when results of reads are counted, if somebody has started to count again. */
  readonly countedFrom?: number | undefined
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

export interface CutoverStatus extends CutoverState {
  /** Of every method that reads, as far as the application has called `dualWrite`'s repository. */
  readonly reads: Readonly<Record<string, ReadComparison>>
  /** How many things are to be repaired in one of the stores. */
  readonly missedWrites: number
  /** Of a live copy, what it reported last. */
  readonly copy?: CopyReport | undefined
  /** Why the next phase can't begin; empty if it can. */
  readonly obstacles: readonly string[]
}

export interface AdvanceOptions {
  /** Each read must have been compared this often; default 1. */
  readonly comparedMin?: number | undefined
  /** Reads that need not have been compared that often. Differences count all the same. */
  readonly allowUncompared?: readonly string[] | undefined
  /** When a move begins: its writes reach the new table by a live copy over streams. */
  readonly isLiveCopy?: boolean | undefined
}

/** Applications look at the phase every 5 seconds; after twice that, all of them know it. */
const SETTLE_MS = 10_000
const PLACE = 'cutover'
const COMPARED = 'compared '
const DIFFERENT = 'different '
const REPAIR = 'call repair() of dualWrite, or run cutover missed'

/** When every process knows the phase. */
export function knownAt({ changedAt }: Pick<CutoverState, 'changedAt'>): number {
  return changedAt + SETTLE_MS
}

/**
 * The control items of a move, in the new table. Every change of the phase is conditional on the
 * phase that was read, so that two people can't move it at once.
 */
export class Cutover {
  readonly #tableName: string
  readonly #items: ControlItems
  readonly #marks: Marks
  readonly #name: string
  readonly #now: () => number

  /** `name` distinguishes several moves into one table. */
  constructor(
    table: object,
    options: { readonly name?: string; readonly now?: () => number } = {},
  ) {
    const context = contextOf(table, PLACE)
    const { environment, schema } = context
    this.#tableName = context.name
    this.#name = options.name ?? 'default'
    this.#now = options.now ?? (() => environment.now())
    const names = keyAttributes(schema.primary)
    if (names.length !== 2 || names.some((name) => schema.keyTypes.get(name) !== 'S')) {
      throw new DefinitionError('OPTION_INVALID', {
        what: "The table can't hold the state of a move.",
        where: `${PLACE}, table "${context.name}"`,
        fix: 'use a table whose primary key has a partition key and a sort key that are strings',
      })
    }
    this.#items = new ControlItems(context)
    this.#marks = new Marks(this.#items, this.#name, {
      now: this.#now,
      randomBytes: (count) => environment.randomBytes(count),
    })
  }

  async state(): Promise<CutoverState> {
    const stored = (await this.#items.get(this.#key('STATE')))?.state?.S
    // Written by this class, under a condition.
    return stored === undefined
      ? { phase: 'off', changedAt: 0, revision: 0 }
      : (JSON.parse(stored) as CutoverState)
  }

  async status(options: AdvanceOptions = {}): Promise<CutoverStatus> {
    const state = await this.state()
    const [reads, missed, copy] = await Promise.all([
      this.#reads(state),
      this.missedWrites(),
      state.isLiveCopy ? this.copyReport() : undefined,
    ])
    const obstacles = [
      ...(await this.#obstacles(state, { reads, missed, options })),
      ...(state.isLiveCopy ? copyObstacles(state, copy, this.#now()) : []),
    ]
    return { ...state, reads, missedWrites: missed.length, ...(copy && { copy }), obstacles }
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
   * Returns to the phase before. Until the move is complete the old store has every write, unless
   * it missed one: then this is refused until it is repaired. A live copy that has ended begins
   * again, so that a move with one returns to its backfill then.
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
    const missed = (await this.missedWrites()).filter(({ side }) => side === 'old').length
    if (missed > 0) {
      this.#refuse(
        `The old store is missing ${countOf(missed, 'write')}, which reads of it would not see.`,
        REPAIR,
      )
    }
    const copy = state.isLiveCopy ? await this.copyReport() : undefined
    const hasEnded = state.phase === 'write-new+old' && (copy?.drainedAt ?? -1) >= state.changedAt
    return this.#change(state, {
      phase: hasEnded ? 'backfill' : before,
      changedAt: this.#now(),
      ...(state.isLiveCopy && { isLiveCopy: true }),
    })
  }

  /** Begins to count results of reads again, after what differed was repaired. */
  async recount(): Promise<CutoverState> {
    const { revision, ...state } = await this.state()
    if (state.phase !== 'shadow-read') {
      this.#refuse(
        `Results of reads are not compared in the phase "${state.phase}".`,
        'there is nothing to count again',
      )
    }
    const countedFrom = Math.max(this.#now(), countsFrom(state) + 1)
    return this.#change({ ...state, revision }, { ...state, countedFrom })
  }

  /** What a live copy said last; undefined if there was none. */
  async copyReport(): Promise<CopyReport | undefined> {
    const report = (await this.#items.get(this.#key('COPY')))?.report?.S
    return report === undefined ? undefined : (JSON.parse(report) as CopyReport)
  }

  /** Keeps what a live copy says, unless a later epoch has started. */
  async saveCopyReport(report: CopyReport): Promise<boolean> {
    const epoch = { N: String(report.epoch) }
    return this.#items.put(
      this.#key('COPY'),
      { report: { S: JSON.stringify(report) }, epoch },
      {
        condition: 'attribute_not_exists(#epoch) OR #epoch <= :epoch',
        names: { '#epoch': 'epoch' },
        values: { ':epoch': epoch },
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

  /** Makes methods known that read, so that each of them must be compared. */
  async addReads(names: readonly string[]): Promise<void> {
    if (names.length === 0) return
    await this.#items.update(
      this.#key('METHODS'),
      {
        update: 'ADD #reads :reads',
        names: { '#reads': 'reads' },
        values: { ':reads': { SS: [...new Set(names)] } },
      },
      { isRepeatable: true },
    )
  }

  /** Adds what was compared since the last call. */
  async addComparisons(
    state: CutoverState,
    reads: ReadonlyMap<string, ReadComparison>,
  ): Promise<void> {
    for (const [read, { compared, different }] of reads) {
      await this.#items.update(
        this.#key(`READS#${countsFrom(state)}`),
        {
          update: 'ADD #compared :compared, #different :different',
          names: { '#compared': COMPARED + read, '#different': DIFFERENT + read },
          values: { ':compared': { N: String(compared) }, ':different': { N: String(different) } },
        },
        // Numbers that may have been added are not added again.
        { isRepeatable: false },
      )
    }
  }

  /** What is to be repaired in one of the stores, the oldest first. */
  async missedWrites(): Promise<readonly MissedWrite[]> {
    return this.#marks.missed()
  }

  /**
   * Forgets a write that one of the stores missed, without a repair; false if there is none, or a
   * call that writes has not ended. The stores stay different.
   */
  async dropMissedWrite({
    repository,
    key,
  }: Pick<MissedWrite, 'repository' | 'key'>): Promise<boolean> {
    return this.#marks.drop(markKey(repository, key))
  }

  async #reads(state: CutoverState): Promise<Readonly<Record<string, ReadComparison>>> {
    const [methods, counts = {}] = await Promise.all([
      this.#items.get(this.#key('METHODS')),
      this.#items.get(this.#key(`READS#${countsFrom(state)}`)),
    ])
    const compared = Object.keys(counts).filter((name) => name.startsWith(COMPARED))
    const reads = [...(methods?.reads?.SS ?? []), ...compared.map((n) => n.slice(COMPARED.length))]
    const numberOf = (name: string): number => Number(counts[name]?.N ?? 0)
    return Object.fromEntries(
      [...new Set(reads)]
        .sort()
        .map((read) => [
          read,
          { compared: numberOf(COMPARED + read), different: numberOf(DIFFERENT + read) },
        ]),
    )
  }

  async #obstacles(
    state: CutoverState,
    {
      reads,
      missed,
      options,
    }: {
      readonly reads: Readonly<Record<string, ReadComparison>>
      readonly missed: readonly MissedWrite[]
      readonly options: AdvanceOptions
    },
  ): Promise<readonly string[]> {
    const { phase, changedAt } = state
    if (phase === 'off' || phase === 'retired') return []
    const obstacles: string[] = []
    const ageMs = this.#now() - changedAt
    if (ageMs < SETTLE_MS) {
      const seconds = Math.ceil((SETTLE_MS - ageMs) / 1000)
      obstacles.push(`applications may not know of the phase "${phase}" yet, wait ${seconds} s`)
    }
    if (missed.length > 0) {
      const sides = (['old', 'new'] as const).map((side) => {
        const count = missed.filter((each) => each.side === side).length
        return count === 0 ? [] : [`the ${side} store is missing ${countOf(count, 'write')}`]
      })
      obstacles.push(`${sides.flat().join(' and ')}: ${REPAIR}`)
    } else if (phase === 'write-new+old') {
      // After this phase nothing is copied from the old store any more.
      const left = (await this.#marks.missed({ all: true })).filter(({ side }) => side === 'new')
      if (left.length > 0) {
        obstacles.push(`${countOf(left.length, 'write')} to the old store may not have ended, wait`)
      }
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
    if (phase === 'shadow-read') obstacles.push(...readObstacles(reads, options))
    return obstacles
  }

  async #change(
    before: CutoverState,
    change: Omit<CutoverState, 'revision'>,
  ): Promise<CutoverState> {
    const revision = before.revision + 1
    const state: CutoverState = { ...change, revision }
    const isWritten = await this.#items.put(
      this.#key('STATE'),
      { state: { S: JSON.stringify(state) }, revision: { N: String(revision) } },
      {
        condition:
          before.revision === 0 ? 'attribute_not_exists(#revision)' : '#revision = :before',
        names: { '#revision': 'revision' },
        ...(before.revision > 0 && { values: { ':before': { N: String(before.revision) } } }),
      },
    )
    // The answer of an earlier attempt may have been lost.
    if (!isWritten && JSON.stringify(await this.state()) !== JSON.stringify(state))
      this.#refuse('Somebody else has changed the phase meanwhile.', 'look at cutover status')
    return state
  }

  #refuse(what: string, fix: string): never {
    const where = `${PLACE} "${this.#name}", table "${this.#tableName}"`
    throw new DefinitionError('CUTOVER_REFUSED', { what, where, fix })
  }

  #key(word: string): ControlKey {
    return { hash: '_KIT#CUTOVER', sort: `${this.#name}#${word}` }
  }
}

/** Results are counted by phase, and again from 0 after `recount()`. */
export function countsFrom({
  changedAt,
  countedFrom = changedAt,
}: Pick<CutoverState, 'changedAt' | 'countedFrom'>): number {
  return countedFrom
}

function readObstacles(
  reads: Readonly<Record<string, ReadComparison>>,
  { comparedMin = 1, allowUncompared = [] }: AdvanceOptions,
): readonly string[] {
  const list = Object.entries(reads)
  if (list.length === 0) return ['no read has been compared']
  const obstacles: string[] = []
  const never: string[] = []
  for (const [read, { compared, different }] of list) {
    if (different > 0) {
      const times = countOf(compared, 'time')
      obstacles.push(
        `${read} differed ${different} of ${times}: repair what differs, then start counting again with cutover recount`,
      )
    } else if (allowUncompared.includes(read)) continue
    else if (compared === 0) never.push(read)
    else if (compared < comparedMin) {
      const times = countOf(compared, 'time')
      obstacles.push(`${read} was compared ${times}, ${comparedMin} are asked for`)
    }
  }
  if (never.length > 0) {
    obstacles.push(
      `never compared: ${never.join(', ')} (call them, or accept it with --allow-uncompared ${never.join(',')})`,
    )
  }
  return obstacles
}

function countOf(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`
}
