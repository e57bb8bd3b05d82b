import type { Item } from '../../values/attribute-value.ts'

/** Which calls a fault strikes. Everything left out means: any. */
export interface FaultScope {
  /** One operation or several, by name: `'PutItem'`. */
  readonly operation?: string | readonly string[]
  readonly table?: string
  /** Only items with these key attributes: `{ pk: { S: 'a' } }` strikes all items of that partition key. */
  readonly key?: Item
  /** Strike only so often, from 0 to 1, by random numbers that follow from `seed`. */
  readonly probability?: number
  readonly seed?: number
  /** Strike only so many times, then never again. */
  readonly count?: number
}

export type ThrottlingErrorName =
  | 'ProvisionedThroughputExceededException'
  | 'ThrottlingException'
  | 'RequestLimitExceeded'

/** Something that goes wrong on purpose. */
export type Fault = FaultScope &
  (
    | {
        /** Refuses the call; members of a batch or transaction one by one if the fault has a `key`. */
        readonly kind: 'throttle'
        readonly error?: ThrottlingErrorName
        /** Default: `TableReadProvisionedThroughputExceeded` for reads, `TableWrite…` for writes. */
        readonly reason?: string
      }
    | {
        /** Answers 500, before the operation is carried out or after it. */
        readonly kind: 'error'
        readonly when: 'before' | 'after'
      }
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

export type FaultKind = Fault['kind']

/** A fault that is in force. */
export interface InstalledFault {
  readonly fault: Fault
  /** How often it has struck. */
  readonly hits: number
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
  clear(): void
  readonly installed: readonly InstalledFault[]
}
