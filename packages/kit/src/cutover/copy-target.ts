import { createHash } from 'node:crypto'
import {
  type Item,
  keyAttributes,
  type Schema,
  ServiceError,
  type Transport,
} from 'singletable/tools'
import { pauseAfter, sendPatiently } from '../transfer/send-patiently.ts'
import { TransferError } from '../transfer/transfer-error.ts'
import { type CopyVersion, versionText } from './copy-version.ts'
import { keyText } from './row-items.ts'

/** A write of the copy: an item, or its deletion. */
export interface CopyWrite {
  readonly key: Item
  /** Undefined for a deletion. */
  readonly item?: Item | undefined
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

const CONTROL_TYPE = '_kit'
/** Versions are spread over this many partitions. */
const PARTITIONS = 256
const DELETE_BATCH = 25

/**
 * The new table, as the copy writes it. Next to each item that it writes or deletes, a small item
 * of its own has the version: the newest write wins, and a deletion leaves a tombstone, so that
 * nothing older brings the item back. Readers of the table see neither.
 */
export class CopyTarget {
  readonly #transport: Transport
  readonly #tableName: string
  readonly #schema: Schema
  readonly #name: string

  constructor(options: {
    readonly transport: Transport
    readonly tableName: string
    readonly schema: Schema
    readonly name: string
  }) {
    this.#transport = options.transport
    this.#tableName = options.tableName
    this.#schema = options.schema
    this.#name = options.name
  }

  /** False if the table has something newer. */
  async write({ key, item, version, row, where }: CopyWrite): Promise<boolean> {
    const TableName = this.#tableName
    const text = versionText(version)
    try {
      await sendPatiently(this.#transport, 'TransactWriteItems', {
        TransactItems: [
          item ? { Put: { TableName, Item: item } } : { Delete: { TableName, Key: key } },
          {
            Put: {
              TableName,
              Item: {
                ...this.#versionKey(key),
                [this.#schema.params.typeField]: { S: CONTROL_TYPE },
                version: { S: text },
                row: { S: row },
                where: { S: where },
                of: { M: key },
                ...(item === undefined && { tombstone: { BOOL: true } }),
              },
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
      const isCollision =
        version.seconds === undefined &&
        reason.Item?.version?.S === text &&
        reason.Item.row?.S !== row
      if (!isCollision) return false
      throw new TransferError(`Two rows give the same key: ${keyText(key)}.`, {
        where: `${reason.Item?.where?.S} and ${where}`,
        fix: 'correct one of the rows, or put what differs into the key',
      })
    }
  }

  async get(key: Item): Promise<Item | undefined> {
    const { Item } = await sendPatiently(this.#transport, 'GetItem', {
      TableName: this.#tableName,
      Key: key,
      ConsistentRead: true,
    })
    return Item
  }

  async versionOf(key: Item): Promise<KeyVersion | undefined> {
    const found = await this.get(this.#versionKey(key))
    return found && readVersion(found)
  }

  /** Deletes items that the backfill of this epoch did not find any more. */
  async sweep(epoch: number, signal: AbortSignal): Promise<void> {
    const first = versionText({ epoch })
    for await (const { key, version, row, isTombstone } of this.#versions(signal)) {
      if (version >= first || isTombstone) continue
      await this.write({ key, version: { epoch }, row, where: row })
    }
  }

  /** Removes versions and tombstones, when the copy has ended; gives how many. */
  async removeVersions(signal: AbortSignal): Promise<number> {
    let count = 0
    let batch: Item[] = []
    const flush = async (): Promise<void> => {
      let requests = batch.map((Key) => ({ DeleteRequest: { Key } }))
      batch = []
      for (let round = 1; requests.length > 0; round++) {
        const { UnprocessedItems = {} } = await sendPatiently(this.#transport, 'BatchWriteItem', {
          RequestItems: { [this.#tableName]: requests },
        })
        requests = (UnprocessedItems[this.#tableName] ?? []) as typeof requests
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
    const [hash = ''] = keyAttributes(this.#schema.primary)
    for (let partition = 0; partition < PARTITIONS; partition++) {
      let next: Item | undefined
      do {
        if (signal.aborted) return
        const page = await sendPatiently(this.#transport, 'Query', {
          TableName: this.#tableName,
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
    const [hash = '', sort = ''] = keyAttributes(this.#schema.primary)
    const digest = createHash('sha256').update(keyText(key)).digest()
    return {
      [hash]: { S: this.#partition(digest[0] ?? 0) },
      [sort]: { S: digest.toString('base64url') },
    }
  }

  #partition(number: number): string {
    return `_KIT#COPY#${this.#name}#${number}`
  }
}

function readVersion(item: Item): KeyVersion {
  return {
    key: item.of?.M ?? {},
    version: item.version?.S ?? '',
    row: item.row?.S ?? '',
    isTombstone: item.tombstone?.BOOL === true,
  }
}
