import { type Item, ServiceError } from 'singletable/tools'
import { sendPatiently } from '../transfer/send-patiently.ts'
import { type CopyPlace, copyKey, copyType } from './copy-place.ts'

/** A note as it is stored, for a write that depends on it. */
export interface Noted<T> {
  readonly note: T
  readonly text: string
}

/** What a copy keeps in the new table about its way, so that another process continues it. */
export class CopyNotes {
  readonly #place: CopyPlace

  constructor(place: CopyPlace) {
    this.#place = place
  }

  async load<T>(word: string): Promise<T | undefined> {
    return (await this.loadNoted<T>(word))?.note
  }

  async loadNoted<T>(word: string): Promise<Noted<T> | undefined> {
    const { Item } = await sendPatiently(this.#place.transport, 'GetItem', {
      TableName: this.#place.tableName,
      Key: this.#key(word),
      ConsistentRead: true,
    })
    const text = Item?.note?.S
    // Written by this class.
    return text === undefined ? undefined : { note: JSON.parse(text) as T, text }
  }

  async save(word: string, note: object): Promise<void> {
    await sendPatiently(this.#place.transport, 'PutItem', {
      TableName: this.#place.tableName,
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
      await sendPatiently(this.#place.transport, 'PutItem', {
        TableName: this.#place.tableName,
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
    await sendPatiently(this.#place.transport, 'DeleteItem', {
      TableName: this.#place.tableName,
      Key: this.#key(word),
      ...isAsRead(known),
    })
  }

  /** Removes the notes of these words. */
  async remove(words: readonly string[]): Promise<void> {
    for (const word of words) {
      await sendPatiently(this.#place.transport, 'DeleteItem', {
        TableName: this.#place.tableName,
        Key: this.#key(word),
      })
    }
  }

  #item(word: string, text: string): Item {
    return { ...this.#key(word), ...copyType(this.#place), note: { S: text } }
  }

  #key(word: string): Item {
    return copyKey(this.#place, '_KIT#CUTOVER', `${this.#place.name}#NOTE#${word}`)
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
