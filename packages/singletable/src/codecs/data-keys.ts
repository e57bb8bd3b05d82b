import { checkNumber, checkOptions, refuseOption } from '../errors/check-options.ts'
import { SingletableError } from '../errors/singletable-error.ts'
import { type Client, connect } from '../execute/connect.ts'
import { base64Text } from '../values/base64.ts'
import { type Environment, systemEnvironment } from '../values/environment.ts'
import type { Transport } from '../wire/transport.ts'
import { findSealed } from './find-sealed.ts'
import { DATA_KEY_BYTES, type DataKey, type KeyContext, type KeyProvider } from './key-provider.ts'
import { preparingTransport } from './preparing-transport.ts'

export interface DataKeysOptions {
  /** Says what the keys are for, such as the table and the stage. A value can only be read with the
   * context it was written with. */
  readonly context?: KeyContext | undefined
  /** Values that one data key encrypts before the next is made; 100,000 unless given, and 1 for a
   * key per value. */
  readonly usesMax?: number | undefined
  /** How long new values are encrypted by one data key; 5 minutes unless given. */
  readonly ageMsMax?: number | undefined
  /** Decrypted data keys that are remembered; 1,000 unless given. */
  readonly cachedMax?: number | undefined
  /** Called with the reason why the next data key could not be made in the background; the present
   * one stays in use. */
  readonly onError?: ((error: unknown) => void) | undefined
  /** Clock and random source, for tests that control them. */
  readonly environment?: Environment | undefined
}

const KNOWN = {
  where: 'dataKeys()',
  names: ['context', 'usesMax', 'ageMsMax', 'cachedMax', 'onError', 'environment'],
}

/** With random vectors of 96 bits more uses of one key are not safe. (NIST SP 800-38D, section
 * 8.3.) */
const USES_LIMIT = 2 ** 32
const RETRY_MS = 1_000
const CONCURRENCY = 16

interface Current extends DataKey {
  readonly since: number
  uses: number
}

/**
 * The data keys of encrypted attributes. Encoding and decoding happen at once, and a key management
 * service takes its time, so keys have to be there before: `ready()` before the first write, and a
 * client made by `through()`, or `prepare()`, before what others wrote is decoded.
 */
export class DataKeys {
  readonly context: KeyContext
  readonly environment: Environment
  readonly #provider: KeyProvider
  readonly #usesMax: number
  readonly #ageMsMax: number
  readonly #cachedMax: number
  readonly #onError: (error: unknown) => void
  /** By the base64 of the encrypted key, the least recently used first. */
  readonly #known = new Map<string, Uint8Array>()
  readonly #failed = new Map<string, unknown>()
  #current: Current | undefined
  #pending: Promise<void> | undefined
  #triedAt = Number.NEGATIVE_INFINITY

  constructor(provider: KeyProvider, options: DataKeysOptions = {}) {
    checkOptions(KNOWN, options)
    const { generateDataKey, decryptDataKey } = Object(provider) as Partial<KeyProvider>
    if (typeof generateDataKey !== 'function' || typeof decryptDataKey !== 'function') {
      refuseOption(KNOWN, 'the provider has no generateDataKey() and decryptDataKey()')
    }
    const { usesMax = 100_000, ageMsMax = 300_000, cachedMax = 1_000, onError } = options
    checkNumber(KNOWN, 'usesMax', usesMax, 1)
    checkNumber(KNOWN, 'ageMsMax', ageMsMax)
    checkNumber(KNOWN, 'cachedMax', cachedMax, 1)
    this.#provider = provider
    this.#usesMax = Math.min(usesMax, USES_LIMIT)
    this.#ageMsMax = ageMsMax
    this.#cachedMax = cachedMax
    this.#onError = onError ?? (() => {})
    this.context = { ...options.context }
    this.environment = options.environment ?? systemEnvironment
  }

  /** Waits until there is a data key to write with that is not due to be replaced. Costs nothing
   * while there is one. */
  async ready(): Promise<void> {
    if (this.#isDue()) await this.#renew()
  }

  /** Loads the data keys of everything encrypted in an answer, an item or stream records, so that
   * it can be decoded. */
  async prepare(stored: unknown): Promise<void> {
    const needed = new Map<string, Uint8Array>()
    for (const { dataKey } of findSealed(stored)) {
      const id = base64Text(dataKey)
      if (!this.#known.has(id)) needed.set(id, dataKey)
    }
    if (needed.size === 0) return
    // Before and not after, so that nothing of what is loaded now goes before it was used.
    this.#forget(needed.size)
    const left = needed.entries()
    const work = async (): Promise<void> => {
      for (const [id, dataKey] of left) {
        try {
          this.#remember(id, await this.#provider.decryptDataKey(dataKey, this.context))
        } catch (error) {
          // Reported when the value is decoded: other values of the same answer can be.
          this.#failed.set(id, error)
        }
      }
    }
    await Promise.all(Array.from({ length: Math.min(CONCURRENCY, needed.size) }, work))
  }

  /** A client that loads the data keys of all it reads. */
  through(client: Client): Transport {
    return preparingTransport(connect(client, `${KNOWN.where}.through()`), (answer) =>
      this.prepare(answer),
    )
  }

  /** The data key for one more value. The next one is made in time, in the background where that
   * takes time. */
  sealingKey(): DataKey {
    const now = this.environment.now()
    if (this.#isDue() && now >= this.#triedAt + RETRY_MS) {
      this.#renew()?.catch((error: unknown) => this.#onError(error))
    }
    const current = this.#current
    if (current === undefined || current.uses >= USES_LIMIT) {
      throw notReady(
        'There is no data key to encrypt with yet.',
        'await keys.ready() before writing',
      )
    }
    current.uses++
    return current
  }

  /** The decrypted data key of a stored value. */
  openingKey(encrypted: Uint8Array): Uint8Array {
    const id = base64Text(encrypted)
    let key = this.#known.get(id)
    if (key === undefined) {
      if (this.#failed.has(id)) {
        throw new Error('its data key could not be decrypted', { cause: this.#failed.get(id) })
      }
      const answer = this.#provider.decryptDataKey(encrypted, this.context)
      if (answer instanceof Promise) {
        // It will be there when the call is made again; until then the error below says enough.
        answer.then((late) => this.#remember(id, late)).catch(() => {})
        throw notReady(
          'The data key of a stored value is not loaded yet.',
          'give the table keys.through(client), or await keys.prepare(records) before decoding them',
        )
      }
      this.#forget(1)
      key = answer
    }
    this.#known.delete(id)
    this.#remember(id, key)
    return key
  }

  #isDue(): boolean {
    const current = this.#current
    return (
      current === undefined ||
      current.uses >= this.#usesMax ||
      this.environment.now() - current.since >= this.#ageMsMax
    )
  }

  /** Makes the next data key; at once where the provider does. */
  #renew(): Promise<void> | undefined {
    if (this.#pending) return this.#pending
    const made = this.#provider.generateDataKey(this.context)
    if (!(made instanceof Promise)) {
      this.#use(made)
      return undefined
    }
    this.#triedAt = this.environment.now()
    this.#pending = made
      .then((key) => this.#use(key))
      .finally(() => {
        this.#pending = undefined
      })
    return this.#pending
  }

  #use({ plaintext, encrypted }: DataKey): void {
    this.#forget(1)
    this.#remember(base64Text(encrypted), plaintext)
    this.#current = { plaintext, encrypted, since: this.environment.now(), uses: 0 }
    this.#triedAt = Number.NEGATIVE_INFINITY
  }

  #remember(id: string, key: Uint8Array): void {
    if (key.length !== DATA_KEY_BYTES) {
      throw new Error(`the provider gave a data key of ${key.length} bytes, not ${DATA_KEY_BYTES}`)
    }
    this.#known.set(id, key)
    this.#failed.delete(id)
  }

  /** Makes room. */
  #forget(count: number): void {
    for (const kept of [this.#known, this.#failed]) {
      for (const id of kept.keys()) {
        if (kept.size + count <= this.#cachedMax) break
        kept.delete(id)
      }
    }
  }
}

/** The data keys of encrypted attributes, made and decrypted by a provider. */
export function dataKeys(provider: KeyProvider, options?: DataKeysOptions): DataKeys {
  return new DataKeys(provider, options)
}

function notReady(what: string, fix: string): SingletableError {
  return new SingletableError('CODEC_NOT_READY', { what, where: 'encrypted()', fix })
}
