import type { Item } from '../../values/attribute-value.ts'
import { equalValues } from '../../values/compare.ts'
import type { Environment } from '../../values/environment.ts'
import { getOwn } from '../../values/own.ts'
import { pause } from '../../values/pause.ts'
import { seededRandom } from '../../values/seeded-random.ts'
import type { CancellationReason } from '../../wire/service-error.ts'
import { normaliseItem, normaliseValue } from '../attributes/normalise-value.ts'
import { tableArn } from '../context/arn.ts'
import type { BatchMember, ServiceDelays } from '../context/context.ts'
import type { EngineSettings } from '../context/settings.ts'
import {
  internalError,
  THROTTLED_MEMBER,
  throttled,
  transactionConflict,
} from '../messages/fault-messages.ts'
import { CONFLICT, transactionCanceled } from '../messages/write-messages.ts'
import type { Fault, FaultKind, Faults, InstalledFault } from './fault.ts'
import { type FaultTarget, faultTargets } from './fault-targets.ts'
import { validateFault } from './validate-fault.ts'

const SEED_DEFAULT = 1
const NONE: readonly boolean[] = []

/** Operations whose members a fault with a key strikes one by one. */
const MEMBER_OPERATIONS = new Set([
  'BatchGetItem',
  'BatchWriteItem',
  'TransactGetItems',
  'TransactWriteItems',
])
const TRANSACTION_OPERATIONS = new Set(['TransactGetItems', 'TransactWriteItems'])
const WRITE_OPERATIONS = new Set(['PutItem', 'UpdateItem', 'DeleteItem'])
const READ_OPERATIONS = new Set([
  'GetItem',
  'Query',
  'Scan',
  'BatchGetItem',
  'TransactGetItems',
  'DescribeTable',
])

interface Entry extends InstalledFault {
  hits: number
  readonly key: Item | undefined
  readonly random: () => number
}

/** The faults of one engine, and the points at which they strike. */
export class FaultPlan implements Faults, ServiceDelays {
  #entries: Entry[] = []
  readonly #environment: Environment
  readonly #settings: EngineSettings
  readonly #operations: ReadonlySet<string>

  /** `operations` are the names that a fault may be bound to. */
  constructor(environment: Environment, settings: EngineSettings, operations: ReadonlySet<string>) {
    this.#environment = environment
    this.#settings = settings
    this.#operations = operations
  }

  add(fault: Fault): InstalledFault {
    validateFault(fault, this.#operations)
    const entry: Entry = {
      fault: Object.freeze({ ...fault }),
      hits: 0,
      key: fault.key === undefined ? undefined : normaliseItem(fault.key),
      random: seededRandom(fault.seed ?? SEED_DEFAULT),
      remove: () => {
        this.#entries = this.#entries.filter((other) => other !== entry)
      },
    }
    this.#entries.push(entry)
    return entry
  }

  clear(): void {
    this.#entries = []
  }

  get installed(): readonly InstalledFault[] {
    return this.#entries
  }

  /** False is the common case; the engine then asks nothing else. */
  get any(): boolean {
    return this.#entries.length > 0
  }

  /** Carries out an operation, with what happens before it and after it. */
  async around(
    operation: string,
    call: { readonly request: object; readonly signal: AbortSignal | undefined },
    run: () => object | Promise<object>,
  ): Promise<object> {
    const targets = faultTargets(call.request)
    await this.#before(operation, targets, call.signal)
    const response = await run()
    this.#after(operation, targets)
    return response
  }

  async #before(
    operation: string,
    targets: readonly FaultTarget[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    for (const entry of [...this.#entries]) {
      const { fault } = entry
      if (fault.kind === 'latency' && this.#strikesAny(entry, operation, targets)) {
        await pause(this.#environment, fault.ms, signal)
        signal?.throwIfAborted()
      }
    }
    for (const entry of [...this.#entries]) {
      const { fault } = entry
      if (fault.kind === 'throttle') {
        if (entry.key !== undefined && MEMBER_OPERATIONS.has(operation)) continue
        if (!this.#strikesAny(entry, operation, targets)) continue
        throw this.#throttlingError(fault, operation, targets[0]?.table)
      }
      if (fault.kind === 'error' && fault.when === 'before') {
        if (this.#strikesAny(entry, operation, targets)) throw internalError()
      }
      if (fault.kind === 'conflict' && WRITE_OPERATIONS.has(operation)) {
        if (this.#strikesAny(entry, operation, targets)) throw transactionConflict()
      }
    }
    if (TRANSACTION_OPERATIONS.has(operation)) this.#cancelTransaction(operation, targets)
  }

  /** An operation's effects stay, its answer is lost. */
  #after(operation: string, targets: readonly FaultTarget[]): void {
    for (const entry of [...this.#entries]) {
      if (entry.fault.kind !== 'error' || entry.fault.when !== 'after') continue
      if (this.#strikesAny(entry, operation, targets)) throw internalError()
    }
  }

  /** Throws if throttling leaves none over. */
  unprocessed(operation: string, members: () => readonly BatchMember[]): readonly boolean[] {
    if (!this.any) return NONE
    const targets = members()
    let throttledCount = 0
    let throttling: Fault | undefined
    const result = targets.map((target) => {
      for (const entry of [...this.#entries]) {
        const { fault } = entry
        if (fault.kind === 'throttle' && entry.key !== undefined) {
          if (!this.#strikes(entry, operation, target)) continue
          throttledCount++
          throttling = fault
          return true
        }
        if (fault.kind === 'unprocessed' && this.#strikes(entry, operation, target)) return true
      }
      return false
    })
    if (throttling?.kind === 'throttle' && throttledCount === targets.length) {
      throw this.#throttlingError(throttling, operation, targets[0]?.table)
    }
    return result
  }

  #cancelTransaction(operation: string, targets: readonly FaultTarget[]): void {
    let struck = false
    const reasons = targets.map((target): CancellationReason => {
      for (const entry of [...this.#entries]) {
        const isConflict = entry.fault.kind === 'conflict'
        const isThrottle = entry.fault.kind === 'throttle' && entry.key !== undefined
        if (!isConflict && !isThrottle) continue
        if (!this.#strikes(entry, operation, target)) continue
        struck = true
        return isConflict
          ? { Code: 'TransactionConflict', Message: CONFLICT }
          : { Code: 'ProvisionedThroughputExceeded', Message: THROTTLED_MEMBER }
      }
      return { Code: 'None' }
    })
    if (struck) throw transactionCanceled(reasons)
  }

  /** Added up over all faults of that kind on the table: milliseconds of lag, delay or transition;
   * undefined without such a fault. */
  delayMs(
    kind: FaultKind & ('indexLag' | 'timeToLiveDelay' | 'transition'),
    table: string,
    index?: string,
  ): number | undefined {
    let total: number | undefined
    for (const entry of [...this.#entries]) {
      const { fault } = entry
      if (fault.kind !== kind) continue
      if (fault.kind === 'indexLag' && fault.index !== undefined && fault.index !== index) continue
      if (this.#strikes(entry, undefined, { table })) total = (total ?? 0) + fault.ms
    }
    return total
  }

  expiryMs(table: string): number {
    return this.delayMs('timeToLiveDelay', table) ?? 0
  }

  transitionMs(table: string): number {
    return this.delayMs('transition', table) ?? this.#settings.transitionMs
  }

  #throttlingError(
    fault: Fault & { kind: 'throttle' },
    operation: string,
    table: string | undefined,
  ): Error {
    const direction = READ_OPERATIONS.has(operation) ? 'Read' : 'Write'
    return throttled(
      fault.error ?? 'ProvisionedThroughputExceededException',
      fault.reason ?? `Table${direction}ProvisionedThroughputExceeded`,
      tableArn(this.#settings, table ?? fault.table ?? ''),
    )
  }

  #strikesAny(entry: Entry, operation: string, targets: readonly FaultTarget[]): boolean {
    const { fault } = entry
    if (fault.table === undefined && entry.key === undefined) {
      return this.#strikes(entry, operation, undefined)
    }
    const target = targets.find((candidate) => inScope(entry, operation, candidate))
    return target !== undefined && this.#strikes(entry, operation, target)
  }

  #strikes(entry: Entry, operation: string | undefined, target: FaultTarget | undefined): boolean {
    if (!inScope(entry, operation, target)) return false
    const { probability, count } = entry.fault
    if (count !== undefined && entry.hits >= count) return false
    if (probability !== undefined && entry.random() >= probability) return false
    entry.hits++
    return true
  }
}

function inScope(
  { fault, key }: Entry,
  operation: string | undefined,
  target: FaultTarget | undefined,
): boolean {
  if (fault.operation !== undefined && operation !== undefined) {
    const wanted = fault.operation
    if (typeof wanted === 'string' ? wanted !== operation : !wanted.includes(operation))
      return false
  }
  if (fault.table !== undefined && target?.table !== fault.table) return false
  if (key === undefined) return true
  return target?.item !== undefined && hasAttributes(target.item, key)
}

/** Requests come here before they are checked, so a value that is not an attribute value just
 * doesn't match. */
function hasAttributes(item: Item, wanted: Item): boolean {
  for (const [name, value] of Object.entries(wanted)) {
    const actual = getOwn(item, name)
    if (actual === undefined) return false
    try {
      if (!equalValues(normaliseValue(actual), value)) return false
    } catch {
      return false
    }
  }
  return true
}
