import { createHash } from 'node:crypto'
import {
  addDecimals,
  CONTROL_TYPE,
  type Item,
  keyAttributes,
  ServiceError,
} from 'singletable/tools'
import { pauseAfter, sendPatiently } from '../transfer/send-patiently.ts'
import { TransferError } from '../transfer/transfer-error.ts'
import { type CopyPlace, copyKey, copyType } from './copy-place.ts'
import { type CopyVersion, versionText } from './copy-version.ts'
import { type CountedIn, keyText } from './row-items.ts'

/** A write of the copy: an item, or its deletion. */
export interface CopyWrite {
  readonly key: Item
  /** Undefined for a deletion. */
  readonly item?: Item | undefined
  /** Where the item is counted. */
  readonly counted?: readonly CountedIn[]
  readonly version: CopyVersion
  /** The row that it comes from: the source and the key. */
  readonly row: string
  readonly where: string
}

/** What is known of a key that the copy has written. */
export interface KeyVersion {
  readonly key: Item
  readonly version: string
  readonly row: string
  readonly isTombstone: boolean
}

/** Versions are spread over this many partitions. */
const PARTITIONS = 256
const DELETE_BATCH = 25
/** Items of one parent that are copied at once meet there. */
const ATTEMPTS_MAX = 100
/** In the version of a parent: what its children count to, whether it exists or not. */
const COUNT = 'count '

/**
 * The new table, as the copy writes it. Next to each item that it writes or deletes, a small item
 * of its own has the version: the newest write wins, and a deletion leaves a tombstone, so that
 * nothing older brings the item back. Readers of the table see neither.
 */
export class CopyTarget {
  readonly #place: CopyPlace
  readonly #hasCounters: boolean
  readonly #requireLock: () => void

  /** `requireLock` throws when this process may not write any more. */
  constructor({
    requireLock = () => undefined,
    ...place
  }: CopyPlace & { readonly requireLock?: () => void }) {
    this.#place = place
    this.#requireLock = requireLock
    this.#hasCounters = [...place.schema.models.values()].some(
      ({ derivedItems }) => (derivedItems?.counters.length ?? 0) > 0,
    )
  }

  /** False if the table has something newer. */
  async write(write: CopyWrite): Promise<boolean> {
    this.#requireLock()
    return this.#hasCounters ? this.#writeCounted(write) : this.#writeAlone(write)
  }

  async #writeAlone({ key, item, version, row, where }: CopyWrite): Promise<boolean> {
    const TableName = this.#place.tableName
    const text = versionText(version)
    try {
      await sendPatiently(this.#place.transport, 'TransactWriteItems', {
        TransactItems: [
          item ? { Put: { TableName, Item: item } } : { Delete: { TableName, Key: key } },
          {
            Put: {
              TableName,
              Item: this.#versionItem({ key, item, version, row, where }),
              ConditionExpression: 'attribute_not_exists(#version) OR #version < :version',
              ExpressionAttributeNames: { '#version': 'version' },
              ExpressionAttributeValues: { ':version': { S: text } },
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
            },
          },
        ],
      })
      return true
    } catch (error) {
      const reason = error instanceof ServiceError ? error.CancellationReasons?.[1] : undefined
      if (reason?.Code !== 'ConditionalCheckFailed') throw error
      requireOneRow(reason.Item ?? {}, { key, version, row, where })
      return false
    }
  }

  /**
   * The same, with counters. The version of an item says where it is counted, and the version of a
   * parent what its children count to, so that each item is counted once, in whatever order
   * parents and children come.
   */
  async #writeCounted(write: CopyWrite): Promise<boolean> {
    const { key, item, version, counted = [] } = write
    const TableName = this.#place.tableName
    const text = versionText(version)
    /** Parents that the version says are there, and that somebody has deleted. */
    const absent = new Set<string>()
    for (let attempt = 1; ; attempt++) {
      const known = (await this.get(this.#versionKey(key))) ?? {}
      if ((known.version?.S ?? '') >= text) {
        requireOneRow(known, write)
        return false
      }
      const counts = Object.entries(known).filter(([name]) => name.startsWith(COUNT))
      const counters = counts.map(([name, value]) => [name.slice(COUNT.length), value])
      const parents = await this.#countChanges(known, counted, absent)
      const actions = [
        item
          ? { Put: { TableName, Item: { ...item, ...Object.fromEntries(counters) } } }
          : { Delete: { TableName, Key: key } },
        {
          Put: {
            TableName,
            Item: {
              ...this.#versionItem(write),
              ...Object.fromEntries(counts),
              counted: { S: JSON.stringify(counted) },
              revision: { N: String(Number(known.revision?.N ?? 0) + 1) },
            },
            ...(known.revision
              ? {
                  ConditionExpression: '#revision = :revision',
                  ExpressionAttributeValues: { ':revision': known.revision },
                }
              : { ConditionExpression: 'attribute_not_exists(#revision)' }),
            ExpressionAttributeNames: { '#revision': 'revision' },
          },
        },
        ...parents.map(({ action }) => action),
      ]
      try {
        await sendPatiently(this.#place.transport, 'TransactWriteItems', { TransactItems: actions })
        return true
      } catch (error) {
        const reasons = error instanceof ServiceError ? error.CancellationReasons : undefined
        const isPassing = reasons?.some(({ Code = '' }) =>
          ['ConditionalCheckFailed', 'TransactionConflict'].includes(Code),
        )
        if (!isPassing || attempt === ATTEMPTS_MAX) throw error
        for (const [at, { parent }] of parents.entries()) {
          const isGone = reasons?.[at + 2]?.Code === 'ConditionalCheckFailed'
          if (isGone && parent !== undefined) absent.add(parent)
        }
        this.#requireLock()
        if (attempt > 1) await pauseAfter(1)
      }
    }
  }

  /** What changes in the parents when an item that was counted somewhere is counted elsewhere. */
  async #countChanges(
    known: Item,
    counted: readonly CountedIn[],
    absent: ReadonlySet<string>,
  ): Promise<readonly { readonly action: object; readonly parent?: string }[]> {
    // Written by this class.
    const before = JSON.parse(known.counted?.S ?? '[]') as readonly CountedIn[]
    const parents = new Map<string, { readonly key: Item; readonly by: Map<string, string> }>()
    const add = ({ parent, attribute, by }: CountedIn, isLess: boolean): void => {
      const change = isLess ? negated(by) : by
      const found = parents.get(keyText(parent)) ?? { key: parent, by: new Map<string, string>() }
      parents.set(keyText(parent), found)
      found.by.set(attribute, addDecimals(found.by.get(attribute) ?? '0', change) ?? change)
    }
    for (const each of before) add(each, true)
    for (const each of counted) add(each, false)
    const TableName = this.#place.tableName
    const { typeField } = this.#place.schema.params
    const actions: { readonly action: object; readonly parent?: string }[] = []
    for (const [text, { key, by }] of parents) {
      const changes = [...by].filter(([, change]) => change !== '0')
      if (changes.length === 0) continue
      const values = Object.fromEntries(changes.map(([, N], at) => [`:c${at}`, { N }]))
      const namesOf = (prefix: string): Record<string, string> =>
        Object.fromEntries(changes.map(([name], at) => [`#c${at}`, prefix + name]))
      const added = changes.map((_, at) => `#c${at} :c${at}`).join(', ')
      const isThere = (await this.versionOf(key))?.isTombstone === false
      actions.push({
        action: {
          Update: {
            TableName,
            Key: this.#versionKey(key),
            UpdateExpression: `SET #type = :type, #of = :of ADD #revision :one, ${added}`,
            ConditionExpression: isThere
              ? 'attribute_exists(#version) AND attribute_not_exists(#tombstone)'
              : 'attribute_not_exists(#version) OR attribute_exists(#tombstone)',
            ExpressionAttributeNames: {
              ...namesOf(COUNT),
              '#type': typeField,
              '#of': 'of',
              '#revision': 'revision',
              '#version': 'version',
              '#tombstone': 'tombstone',
            },
            ExpressionAttributeValues: {
              ...values,
              ':type': { S: CONTROL_TYPE },
              ':of': { M: key },
              ':one': { N: '1' },
            },
          },
        },
      })
      if (!isThere || absent.has(text)) continue
      actions.push({
        parent: text,
        action: {
          Update: {
            TableName,
            Key: key,
            UpdateExpression: `ADD ${added}`,
            ConditionExpression: 'attribute_exists(#type)',
            ExpressionAttributeNames: { ...namesOf(''), '#type': typeField },
            ExpressionAttributeValues: values,
          },
        },
      })
    }
    return actions
  }

  #versionItem({ key, item, version, row, where }: CopyWrite): Item {
    return {
      ...this.#versionKey(key),
      ...copyType(this.#place),
      version: { S: versionText(version) },
      row: { S: row },
      where: { S: where },
      of: { M: key },
      ...(item === undefined && { tombstone: { BOOL: true } }),
    }
  }

  async get(key: Item): Promise<Item | undefined> {
    const { Item } = await sendPatiently(this.#place.transport, 'GetItem', {
      TableName: this.#place.tableName,
      Key: key,
      ConsistentRead: true,
    })
    return Item
  }

  async versionOf(key: Item): Promise<KeyVersion | undefined> {
    const found = await this.get(this.#versionKey(key))
    // A parent that is not copied yet has counts, and no version.
    return found?.version && readVersion(found)
  }

  /** Deletes items that the backfill of this epoch did not find any more. */
  async sweep(epoch: number, signal: AbortSignal): Promise<void> {
    const first = versionText({ epoch })
    for await (const { key, version, row, isTombstone } of this.#versions(signal)) {
      if (version === '' || version >= first || isTombstone) continue
      await this.write({ key, version: { epoch }, row, where: row })
    }
  }

  /** Removes versions and tombstones, when the copy has ended; gives how many. */
  async removeVersions(signal: AbortSignal): Promise<number> {
    this.#requireLock()
    let count = 0
    let batch: Item[] = []
    const flush = async (): Promise<void> => {
      let requests = batch.map((Key) => ({ DeleteRequest: { Key } }))
      batch = []
      for (let round = 1; requests.length > 0; round++) {
        const { UnprocessedItems = {} } = await sendPatiently(
          this.#place.transport,
          'BatchWriteItem',
          {
            RequestItems: { [this.#place.tableName]: requests },
          },
        )
        requests = (UnprocessedItems[this.#place.tableName] ?? []) as typeof requests
        if (requests.length > 0) await pauseAfter(round)
      }
    }
    for await (const { key } of this.#versions(signal)) {
      count++
      if (batch.push(this.#versionKey(key)) === DELETE_BATCH) await flush()
    }
    await flush()
    return count
  }

  async *#versions(signal: AbortSignal): AsyncGenerator<KeyVersion, void, undefined> {
    const [hash = ''] = keyAttributes(this.#place.schema.primary)
    for (let partition = 0; partition < PARTITIONS; partition++) {
      let next: Item | undefined
      do {
        if (signal.aborted) return
        const page = await sendPatiently(this.#place.transport, 'Query', {
          TableName: this.#place.tableName,
          KeyConditionExpression: '#hash = :hash',
          ExpressionAttributeNames: { '#hash': hash },
          ExpressionAttributeValues: { ':hash': { S: this.#partition(partition) } },
          ConsistentRead: true,
          ...(next && { ExclusiveStartKey: next }),
        })
        for (const item of page.Items ?? []) yield readVersion(item)
        next = page.LastEvaluatedKey
      } while (next !== undefined)
    }
  }

  #versionKey(key: Item): Item {
    const digest = createHash('sha256').update(keyText(key)).digest()
    return copyKey(this.#place, this.#partition(digest[0] ?? 0), digest.toString('base64url'))
  }

  #partition(number: number): string {
    return `_KIT#COPY#${this.#place.name}#${number}`
  }
}

function negated(decimal: string): string {
  return decimal.startsWith('-') ? decimal.slice(1) : `-${decimal}`
}

/** In a backfill each key is written once, unless two rows give it. */
function requireOneRow(
  known: Item,
  { key, version, row, where }: Pick<CopyWrite, 'key' | 'version' | 'row' | 'where'>,
): void {
  const isCollision =
    version.seconds === undefined &&
    known.version?.S === versionText(version) &&
    known.row?.S !== row
  if (!isCollision) return
  throw new TransferError(`Two rows give the same key: ${keyText(key)}.`, {
    where: `${known.where?.S} and ${where}`,
    fix: 'correct one of the rows, or put what differs into the key',
  })
}

function readVersion(item: Item): KeyVersion {
  return {
    key: item.of?.M ?? {},
    version: item.version?.S ?? '',
    row: item.row?.S ?? '',
    isTombstone: item.tombstone?.BOOL === true,
  }
}
