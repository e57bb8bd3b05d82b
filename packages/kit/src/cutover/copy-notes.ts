import {
  CONTROL_TYPE,
  type Item,
  keyAttributes,
  type Schema,
  ServiceError,
  type Transport,
} from 'singletable/tools'
import { sendPatiently } from '../transfer/send-patiently.ts'

/** A note as it is stored, for a write that depends on it. */
export interface Noted<T> {
  readonly note: T
  readonly text: string
}

/** What a copy keeps in the new table about its way, so that another process continues it. */
export class CopyNotes {
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

  async load<T>(word: string): Promise<T | undefined> {
    return (await this.loadNoted<T>(word))?.note
  }

  async loadNoted<T>(word: string): Promise<Noted<T> | undefined> {
    const { Item } = await sendPatiently(this.#transport, 'GetItem', {
      TableName: this.#tableName,
      Key: this.#key(word),
      ConsistentRead: true,
    })
    const text = Item?.note?.S
    // Written by this class.
    return text === undefined ? undefined : { note: JSON.parse(text) as T, text }
  }

  async save(word: string, note: object): Promise<void> {
    await sendPatiently(this.#transport, 'PutItem', {
      TableName: this.#tableName,
      Item: this.#item(word, JSON.stringify(note)),
    })
  }

  /** Saves a note if it is still as it was read; undefined if it is not. */
  async saveNoted<T extends object>(
    word: string,
    note: T,
    known: Noted<T> | undefined,
  ): Promise<Noted<T> | undefined> {
    const text = JSON.stringify(note)
    try {
      await sendPatiently(this.#transport, 'PutItem', {
        TableName: this.#tableName,
        Item: this.#item(word, text),
        ...isAsRead(known),
      })
      return { note, text }
    } catch (error) {
      if (!(error instanceof ServiceError) || error.name !== 'ConditionalCheckFailedException')
        throw error
      // The answer of an earlier attempt may have been lost.
      return (await this.loadNoted(word))?.text === text ? { note, text } : undefined
    }
  }

  /** Removes a note if it is still as it was read. */
  async removeNoted<T>(word: string, known: Noted<T>): Promise<void> {
    await sendPatiently(this.#transport, 'DeleteItem', {
      TableName: this.#tableName,
      Key: this.#key(word),
      ...isAsRead(known),
    })
  }

  /** Removes the notes of these words. */
  async remove(words: readonly string[]): Promise<void> {
    for (const word of words) {
      await sendPatiently(this.#transport, 'DeleteItem', {
        TableName: this.#tableName,
        Key: this.#key(word),
      })
    }
  }

  #item(word: string, text: string): Item {
    return {
      ...this.#key(word),
      [this.#schema.params.typeField]: { S: CONTROL_TYPE },
      note: { S: text },
    }
  }

  #key(word: string): Item {
    const [hash = '', sort = ''] = keyAttributes(this.#schema.primary)
    return { [hash]: { S: '_KIT#CUTOVER' }, [sort]: { S: `${this.#name}#NOTE#${word}` } }
  }
}

function isAsRead(known: Noted<unknown> | undefined): object {
  const names = { ExpressionAttributeNames: { '#note': 'note' } }
  if (known === undefined) return { ...names, ConditionExpression: 'attribute_not_exists(#note)' }
  return {
    ...names,
    ConditionExpression: '#note = :note',
    ExpressionAttributeValues: { ':note': { S: known.text } },
  }
}
