import { type Item, keyAttributes, type Schema, type Transport } from 'singletable/tools'
import { sendPatiently } from '../transfer/send-patiently.ts'

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
    const { Item } = await sendPatiently(this.#transport, 'GetItem', {
      TableName: this.#tableName,
      Key: this.#key(word),
      ConsistentRead: true,
    })
    // Written by this class.
    return Item?.note?.S === undefined ? undefined : (JSON.parse(Item.note.S) as T)
  }

  async save(word: string, note: object): Promise<void> {
    await sendPatiently(this.#transport, 'PutItem', {
      TableName: this.#tableName,
      Item: {
        ...this.#key(word),
        [this.#schema.params.typeField]: { S: '_kit' },
        note: { S: JSON.stringify(note) },
      },
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

  #key(word: string): Item {
    const [hash = '', sort = ''] = keyAttributes(this.#schema.primary)
    return { [hash]: { S: '_KIT#CUTOVER' }, [sort]: { S: `${this.#name}#NOTE#${word}` } }
  }
}
