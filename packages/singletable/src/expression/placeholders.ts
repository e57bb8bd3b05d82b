import type { AttributeValue } from '../values/attribute-value.ts'
import { ExpressionError } from './expression-error.ts'
import { PATH_DEPTH_MAX } from './limits.ts'
import type { PathSyntax } from './syntax.ts'
import type { PathOperand } from './tree.ts'

export interface PlaceholderMembers {
  /** ExpressionAttributeNames, with their `#`. */
  readonly names?: Readonly<Record<string, string>> | undefined
  /** ExpressionAttributeValues, with their `:`; already known to be valid attribute values. */
  readonly values?: Readonly<Record<string, AttributeValue>> | undefined
}

/** What the placeholders of one request stand for. It remembers which were used, over all
 * expressions of the request. */
export class Placeholders {
  readonly #names: Readonly<Record<string, string>> | undefined
  readonly #values: Readonly<Record<string, AttributeValue>> | undefined
  #usedNames: Set<string> | undefined
  #usedValues: Set<string> | undefined

  constructor({ names, values }: PlaceholderMembers) {
    this.#names = names
    this.#values = values
  }

  path(syntax: PathSyntax): PathOperand {
    const { bound, components } = syntax
    if (components.length > PATH_DEPTH_MAX) {
      throw new ExpressionError({ kind: 'path-too-deep', depth: components.length })
    }
    if (bound !== undefined) return bound
    const path: [string, ...(string | number)[]] = [this.#component(components[0])]
    for (let index = 1; index < components.length; index++) {
      const component = components[index]
      path.push(typeof component === 'number' ? component : this.#component(component))
    }
    return { kind: 'path', path }
  }

  value(placeholder: string): AttributeValue {
    const values = this.#values
    const value =
      values !== undefined && Object.hasOwn(values, placeholder) ? values[placeholder] : undefined
    if (value === undefined) {
      throw new ExpressionError({ kind: 'undefined-value', name: placeholder })
    }
    this.#usedValues ??= new Set()
    this.#usedValues.add(placeholder)
    return value
  }

  /** Members that were given and not used yet, in the order of the request. */
  unused(): { readonly names: string[]; readonly values: string[] } {
    return {
      names: unusedKeys(this.#names, this.#usedNames),
      values: unusedKeys(this.#values, this.#usedValues),
    }
  }

  #component(component: string | number | undefined): string {
    // The parser lets no path begin with an index.
    const text = String(component)
    return text.startsWith('#') ? this.#name(text) : text
  }

  #name(placeholder: string): string {
    const names = this.#names
    const name =
      names !== undefined && Object.hasOwn(names, placeholder) ? names[placeholder] : undefined
    if (name === undefined) {
      throw new ExpressionError({ kind: 'undefined-name', name: placeholder })
    }
    this.#usedNames ??= new Set()
    this.#usedNames.add(placeholder)
    return name
  }
}

function unusedKeys(
  members: Readonly<Record<string, unknown>> | undefined,
  used: ReadonlySet<string> | undefined,
): string[] {
  if (members === undefined) return []
  const keys = Object.keys(members)
  if (used === undefined) return keys
  return used.size === keys.length ? [] : keys.filter((key) => !used.has(key))
}
