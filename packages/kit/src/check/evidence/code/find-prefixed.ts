import type { Schema } from 'singletable/tools'
import {
  child,
  children,
  isCall,
  isFunction,
  isMember,
  keyName,
  nameOf,
  nodesWithin,
  type SyntaxNode,
  textOf,
  unwrap,
} from '../../../source/syntax.ts'
import type { PrefixedValue } from '../code-facts.ts'
import type { EntityCall } from './entity-call.ts'

/** A value with its prefix, and the node it is in. */
export interface Prefixed
  extends Pick<PrefixedValue, 'model' | 'attribute' | 'value' | 'prefix' | 'use'> {
  readonly node: SyntaxNode
}

const WRITES = ['put', 'create', 'update', 'upsert', 'delete', 'batchWrite']

/** Values of attributes in a call that carry the text which a template puts before them. */
export function prefixedValues(call: EntityCall, schema: Schema): readonly Prefixed[] {
  const use = WRITES.includes(call.method) ? 'write' : 'read'
  const given = call.parameters.flatMap(givenValues).map((each) => ({ ...each, use }) as const)
  const asked = call.chain
    .flatMap(({ parameters }) => parameters)
    .filter((node) => isFunction(unwrap(node)))
    .flatMap(comparedValues)
    .map((each) => ({ ...each, use: 'read' }) as const)
  return [...given, ...asked].flatMap(({ attribute, node, use: used }) => {
    const { text = '', open = false } = textOf(node) ?? {}
    const prefix = prefixesOf(schema, call.model, attribute).find(
      (each) => text.startsWith(each) && text.length > each.length,
    )
    if (prefix === undefined) return []
    const value = open ? text.replaceAll('${}', '${…}') : text
    return [{ model: call.model, attribute, value, prefix, use: used, node }]
  })
}

interface GivenValue {
  readonly attribute: string
  readonly node: SyntaxNode
}

/** Of `{ postId: 'POST#123' }`, also in a list of them. */
function givenValues(node: SyntaxNode): readonly GivenValue[] {
  const value = unwrap(node)
  const objects = value?.type === 'ArrayExpression' ? children(value, 'elements') : [node]
  return objects.flatMap((object) =>
    children(unwrap(object), 'properties').flatMap((property) => {
      const attribute = keyName(property)
      const member = child(property, 'value')
      return attribute === undefined || member === undefined ? [] : [{ attribute, node: member }]
    }),
  )
}

/** Of `op.eq(attr.postId, 'POST#123')` anywhere in a function. */
function comparedValues(node: SyntaxNode): readonly GivenValue[] {
  const found: GivenValue[] = []
  for (const each of nodesWithin(node)) {
    if (!isCall(each)) continue
    const [target, ...values] = children(each, 'arguments')
    const attribute = isMember(unwrap(target)) ? nameOf(target) : undefined
    if (attribute === undefined) continue
    for (const value of values) found.push({ attribute, node: value })
  }
  return found
}

/** The literals that a model's keys have directly before an attribute; of those with a separator,
 * which no bare value has. */
function prefixesOf(
  { models, params: { separator } }: Schema,
  name: string,
  attribute: string,
): readonly string[] {
  const model = models.get(name)
  const declared = model?.attributes.get(attribute)?.definition
  // Any text can be a value of those.
  if (!model || !declared || declared.encode || declared.type === Array) return []
  const literals = model.indexes
    .flatMap(({ hash, sort }) => [...hash, ...sort])
    .flatMap(({ template }) => {
      const parts = template?.parts ?? []
      return parts.flatMap((part, at) => {
        const before = parts[at - 1]
        const isHere = typeof part !== 'string' && part.name === attribute
        return isHere && typeof before === 'string' ? [before] : []
      })
    })
    .map((text) => (text.startsWith(separator) ? text.slice(separator.length) : text))
  return [...new Set(literals)].filter((text) => text.includes(separator))
}
