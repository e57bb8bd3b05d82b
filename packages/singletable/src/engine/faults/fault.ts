import type { Item } from '../../values/attribute-value.ts'
import type { ThrottlingErrorName } from '../messages/fault-messages.ts'

export type { ThrottlingErrorName } from '../messages/fault-messages.ts'

/** Which calls a fault strikes. Everything left out means: any. */
export interface FaultScope {
  /** One operation or several, by name: `'PutItem'`. */
  readonly operation?: string | readonly string[]
  /** A table, by name. */
  readonly table?: string
  /** Only calls and members of batches and transactions that name an item with these attributes: `{
   * pk: { S: 'a' } }`. */
  readonly key?: Item
  /** Strike only so often, from 0 to 1, by random numbers that follow from `seed`. */
  readonly probability?: number
  /** Of the random numbers for `probability`; default 1. */
  readonly seed?: number
  /** Strike only this many times, then never again. */
  readonly count?: number
}

/** Something that goes wrong on purpose: a `kind` with its members, and a scope. */
export type Fault = FaultScope &
  (
    | {
        /** Refuses the call; members of a batch or transaction one by one if the fault has a
         * `key`. */
        readonly kind: 'throttle'
        /** Default: `ProvisionedThroughputExceededException`. */
        readonly error?: ThrottlingErrorName
        /** The reason in ThrottlingReasons. Default: `TableReadProvisionedThroughputExceeded` for
         * reads, `TableWrite…` for writes. */
        readonly reason?: string
      }
    | {
        /** Answers 500, before the operation is carried out or after it. */
        readonly kind: 'error'
        readonly when: 'before' | 'after'
      }
    /** Lets the call take so much longer. */
    | { readonly kind: 'latency'; readonly ms: number }
    /** Leaves members of BatchWriteItem and BatchGetItem unprocessed. */
    | { readonly kind: 'unprocessed' }
    /** A transaction is under way on the item. */
    | { readonly kind: 'conflict' }
    /** Global secondary indexes show a write only after so long. */
    | { readonly kind: 'indexLag'; readonly ms: number; readonly index?: string }
    /** Expired items stay so much longer. */
    | { readonly kind: 'timeToLiveDelay'; readonly ms: number }
    /** Tables and indexes stay so long in CREATING, UPDATING or DELETING. */
    | { readonly kind: 'transition'; readonly ms: number }
  )

/** What can go wrong on purpose. */
export type FaultKind = Fault['kind']

/** A fault that is in force. */
export interface InstalledFault {
  readonly fault: Fault
  /** How often it has struck. */
  readonly hits: number
  /** Ends it; a second call does nothing. */
  remove(): void
}

/** What goes wrong on purpose in one engine. */
export interface Faults {
  /**
   * Puts a fault in force until it is removed or its `count` is used up.
   *
   * @example
   * engine.faults.add({ kind: 'throttle', operation: 'PutItem', count: 2 })
   */
  add(fault: Fault): InstalledFault
  /** Ends all faults. */
  clear(): void
  /** The faults in force, in the order in which they were added. */
  readonly installed: readonly InstalledFault[]
}
