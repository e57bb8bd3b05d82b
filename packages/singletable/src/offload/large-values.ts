import { createHash } from 'node:crypto'
import { DefinitionError } from '../errors/definition-error.ts'
import { SingletableError } from '../errors/singletable-error.ts'
import { type Environment, systemEnvironment } from '../values/environment.ts'
import { utf8Length } from '../values/utf8.ts'
import type { LargeValue } from './large-value.ts'
import type { ObjectStore } from './object-store.ts'

export interface LargeValuesOptions {
  readonly store: ObjectStore
  /** What the keys of objects begin with: `'documents/'`. Each table has its own, so that one does
   * not clean up after another. */
  readonly prefix: string
  /** Values of no more bytes stay in their item; 16 KB unless given. */
  readonly thresholdBytes?: number | undefined
  /** The random source, for tests that control it. */
  readonly environment?: Pick<Environment, 'randomBytes'> | undefined
}

const THRESHOLD_BYTES = 16 * 1024
const NAME_BYTES = 16

/**
 * Keeps values that are too large for items in a store of objects. A value is saved before the item
 * that names it is written, and its object is never changed: an item that can be read has a value
 * that can be read. What a failed or later write leaves behind is found by `listOrphans`.
 */
export class LargeValues {
  readonly store: ObjectStore
  readonly prefix: string
  readonly #thresholdBytes: number
  readonly #environment: Pick<Environment, 'randomBytes'>

  constructor(options: LargeValuesOptions) {
    const { store, prefix, thresholdBytes = THRESHOLD_BYTES, environment } = options
    if (typeof store?.put !== 'function') refuse('store is not a store of objects')
    if (typeof prefix !== 'string' || prefix === '') refuse('prefix is not a string')
    if (!(thresholdBytes >= 0)) refuse('thresholdBytes is not a number of 0 or more')
    this.store = store
    this.prefix = prefix
    this.#thresholdBytes = thresholdBytes
    this.#environment = environment ?? systemEnvironment
  }

  /** Saves a value, and gives what the item holds of it. Write the item afterwards. */
  async save(value: string | Uint8Array): Promise<LargeValue> {
    const kind = typeof value === 'string' ? 'text' : 'bytes'
    if (kind === 'bytes' && !(value instanceof Uint8Array)) {
      refuse('the value is neither a string nor a Uint8Array')
    }
    const size = typeof value === 'string' ? utf8Length(value) : value.length
    if (size <= this.#thresholdBytes) {
      return typeof value === 'string' ? { kind, size, text: value } : { kind, size, bytes: value }
    }
    const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value
    // A name of its own for each, and not the hash: two items never share an object, so that one
    // can go with its item.
    const object = this.prefix + hex(this.#environment.randomBytes(NAME_BYTES))
    await this.store.put(object, bytes)
    return { kind, size, object, sha256: hashOf(bytes) }
  }

  /** The value, checked against its hash; `undefined` for none. */
  async load(value: LargeValue | undefined): Promise<string | Uint8Array | undefined> {
    if (value === undefined) return undefined
    const { kind, object, sha256, size } = value
    if (object === undefined) return kind === 'text' ? value.text : value.bytes
    const bytes = await this.store.get(object)
    if (bytes === undefined) throw unreadable(object, 'is not in the store')
    if (bytes.length !== size || hashOf(bytes) !== sha256) {
      throw unreadable(object, 'is not what was saved: its hash differs')
    }
    return kind === 'text' ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) : bytes
  }

  /** Loads text. */
  async loadText(value: LargeValue | undefined): Promise<string | undefined> {
    const loaded = await this.load(value)
    return loaded instanceof Uint8Array ? new TextDecoder().decode(loaded) : loaded
  }

  /** Deletes the object of a value, if it has one. Only after the item that named it was deleted or
   * holds another value. */
  async remove(value: LargeValue | undefined): Promise<void> {
    if (value?.object !== undefined) await this.store.delete(value.object)
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function unreadable(object: string, what: string): SingletableError {
  return new SingletableError('OBJECT_UNREADABLE', {
    what: `The object "${object}" ${what}.`,
    where: 'LargeValues.load()',
    fix: 'restore the object, or write the value again',
  })
}

function refuse(what: string): never {
  throw new DefinitionError('OPTION_INVALID', {
    what: `${what}.`,
    where: 'LargeValues',
    fix: 'correct it',
  })
}
