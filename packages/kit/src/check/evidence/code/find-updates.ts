import type { KeyTemplate, Model, Schema } from 'singletable/tools'
import type { CodeFile } from '../../../source/code-file.ts'
import { memberOf, resolve } from '../../../source/resolve.ts'
import {
  child,
  children,
  isFunction,
  keyName,
  nameOf,
  type SyntaxNode,
  textOf,
  unwrap,
} from '../../../source/syntax.ts'
import type { EntityCall } from './entity-call.ts'

/** What an update changes. */
export interface Update {
  readonly model: string
  readonly attributes: readonly string[]
}

const CHANGES = ['set', 'setDefault', 'remove', 'add', 'delete', 'append', 'prepend']

/** Of an update through the library: the attributes that its chain names. */
export function entityUpdate({ model, method, chain, parameters }: EntityCall): Update | undefined {
  if (method !== 'update' && method !== 'upsert') return undefined
  const named = chain
    .filter(({ name }) => CHANGES.includes(name))
    .flatMap(({ name, parameters: given }) =>
      name === 'remove' ? given.flatMap(targets) : targets(given[0]),
    )
  // A pattern takes what it sets together with the key.
  const all = chain.length === 0 ? targets(parameters[0]) : named
  return all.length === 0 ? undefined : { model, attributes: [...new Set(all)] }
}

/** The attributes of `'name'`, `{ name: … }` and `(attr) => attr.name`. */
function targets(node: SyntaxNode | undefined): readonly string[] {
  const target = unwrap(node)
  const text = textOf(target)
  if (text && !text.open) return [text.text.split(/[.[]/, 1)[0] ?? '']
  if (target?.type === 'ObjectExpression') {
    return children(target, 'properties').flatMap((property) => keyName(property) ?? [])
  }
  const name = isFunction(target) ? nameOf(child(target, 'body')) : undefined
  return name === undefined ? [] : [name]
}

/** Of an update through the SDK: the model that its key is one of, and the attributes that its
 * expression names. */
export function sdkUpdate(
  file: CodeFile,
  request: SyntaxNode | undefined,
  schema: Schema,
): Update | undefined {
  const key = memberOf(file, request, 'Key')
  const expression = textOf(resolve(file, memberOf(file, request, 'UpdateExpression')))
  const model = key && modelOfKey(file, key, schema)
  if (expression === undefined || model === undefined) return undefined
  const names = resolve(file, memberOf(file, request, 'ExpressionAttributeNames'))
  const changed = changedNames(expression.text).map((name) =>
    name.startsWith('#') ? (textOf(memberOf(file, names, name))?.text ?? name) : name,
  )
  const attributes = [...model.attributes.values()]
    .filter(({ stored }) => changed.includes(stored))
    .map(({ name }) => name)
  const keys = [...schema.keyTypes.keys()].filter((name) => changed.includes(name))
  const all = new Set([...attributes, ...keys])
  return all.size === 0 ? undefined : { model: model.name, attributes: [...all] }
}

function modelOfKey(file: CodeFile, key: SyntaxNode, { models }: Schema): Model | undefined {
  const found = [...models.values()].filter(({ primary }) =>
    [...primary.hash, ...primary.sort].every(({ name, template }) => {
      const value = memberOf(file, key, name)
      // Any value can be an attribute as it is.
      if (template === undefined) return value !== undefined
      const tagged = memberOf(file, value, 'S') ?? value
      const text = textOf(resolve(file, tagged))
      return text !== undefined && matches(template, text)
    }),
  )
  // A copy is written by its model alone, and two that fit say nothing.
  return found.length === 1 && found[0]?.source === undefined ? found[0] : undefined
}

/** DynamoDB takes no longer keys. */
const KEY_LENGTH_MAX = 2048

/** Whether code that has text and values in these places makes keys of the template. */
function matches(
  { parts }: KeyTemplate,
  { text, open }: { readonly text: string; readonly open: boolean },
): boolean {
  if (text.length > KEY_LENGTH_MAX) return false
  if (open) return parts.map((part) => (typeof part === 'string' ? part : '${}')).join('') === text
  const pattern = parts.map((part) => (typeof part === 'string' ? escapeText(part) : '.+'))
  return new RegExp(`^${pattern.join('')}$`, 's').test(text)
}

function escapeText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** The names at the left of an update expression's clauses, without what is inside them. */
function changedNames(expression: string): readonly string[] {
  // Commas inside functions separate their parameters.
  const flat = expression.replace(/\([^()]*\)/g, '()')
  return flat
    .split(/\b(?:SET|REMOVE|ADD|DELETE)\b/i)
    .flatMap((clause) => clause.split(','))
    .flatMap((action) => /^\s*([#\w-]+)/.exec(action)?.[1] ?? [])
}
