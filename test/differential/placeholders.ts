import type { AttributeValue, Item } from 'singletable/engine'
import type { Random } from './random.ts'

const BARE_NAME = /^[A-Za-z][A-Za-z0-9]*$/
const RESERVED = new Set(['size', 'status', 'list', 'map', 'key'])

/** Collects the names and values that the expressions of one request refer to. */
export class Placeholders {
  readonly #random: Random
  readonly #names = new Map<string, string>()
  readonly #values: AttributeValue[] = []

  constructor(random: Random) {
    this.#random = random
  }

  /** The name as an expression may hold it: bare where that is allowed (now and then where it is
   * not), else `#n1`. */
  name(attribute: string): string {
    const bare = BARE_NAME.test(attribute) && !RESERVED.has(attribute)
    if (bare ? this.#random.chance(0.6) : this.#random.chance(0.003)) return attribute
    const placeholder = `#n${this.#names.size}`
    this.#names.set(placeholder, attribute)
    return placeholder
  }

  value(value: AttributeValue): string {
    return `:v${this.#values.push(value) - 1}`
  }

  /** The request's members for what was collected. */
  members(): {
    ExpressionAttributeNames?: Record<string, string>
    ExpressionAttributeValues?: Item
  } {
    return {
      ...(this.#names.size === 0
        ? {}
        : { ExpressionAttributeNames: Object.fromEntries(this.#names) }),
      ...(this.#values.length === 0
        ? {}
        : {
            ExpressionAttributeValues: Object.fromEntries(
              this.#values.map((value, number) => [`:v${number}`, value]),
            ),
          }),
    }
  }
}
