import { keyAttributes, type Schema } from 'singletable/tools'
import type { CodeFile } from '../../../source/code-file.ts'
import { memberOf, resolve } from '../../../source/resolve.ts'
import {
  child,
  children,
  keyName,
  nodesWithin,
  type SyntaxNode,
  unwrap,
} from '../../../source/syntax.ts'
import { type ChainedCall, firstEntityCall } from './entity-call.ts'

const ACTIONS = ['Put', 'Update', 'Delete', 'ConditionCheck', 'Get']

/** Expressions that give the same value each time. */
const PURE = [
  'StringLiteral',
  'NumericLiteral',
  'BooleanLiteral',
  'TemplateLiteral',
  'TemplateElement',
  'Identifier',
  'MemberExpression',
]

/** A key that two actions of a raw transaction have, as the code has it. */
export function repeatedSdkKey(
  file: CodeFile,
  request: SyntaxNode | undefined,
  { primary }: Schema,
): string | undefined {
  const items = resolve(file, memberOf(file, request, 'TransactItems'))
  const names = keyAttributes(primary)
  const keys = children(items, 'elements').flatMap((element) => {
    const action = children(unwrap(element), 'properties').find((property) =>
      ACTIONS.includes(keyName(property) ?? ''),
    )
    const body = child(action, 'value')
    const key = memberOf(file, body, 'Key') ?? memberOf(file, body, 'Item')
    const table = pureText(file, memberOf(file, body, 'TableName')) ?? ''
    const parts = names.map((name) => [name, valueText(file, memberOf(file, key, name))] as const)
    return parts.every(([, text]) => text !== undefined) && parts.length > 0
      ? [{ table, key: parts.map(([name, text]) => `${name} = ${text}`).join(', ') }]
      : []
  })
  const repeated = keys.find(
    (each, at) => keys.findIndex(({ table, key }) => table === each.table && key === each.key) < at,
  )
  return repeated?.key
}

/** The same of a transaction of the library, whose actions are chained. */
export function repeatedEntityKey(
  file: CodeFile,
  chain: readonly ChainedCall[],
  schema: Schema,
): string | undefined {
  const seen = new Set<string>()
  for (const { name, parameters } of chain) {
    const call = name.startsWith('add') ? firstEntityCall(file, parameters[0], schema) : undefined
    const model = call && schema.models.get(call.model)
    if (call === undefined || model === undefined) continue
    const { names } = model.primary
    const strings = names.map((each) => valueText(file, memberOf(file, call.parameters[0], each)))
    if (strings.includes(undefined)) continue
    const members = names.map((each, at) => `${each}: ${strings[at]}`).join(', ')
    const key = `${call.model} { ${members} }`
    if (seen.has(key)) return key
    seen.add(key)
  }
  return undefined
}

/** A value as the code has it, without the type that the low-level client wants around it. */
function valueText(file: CodeFile, node: SyntaxNode | undefined): string | undefined {
  const value = unwrap(node)
  const [only, ...more] = children(value, 'properties')
  const isTagged = only && more.length === 0 && /^[SNB]$/.test(keyName(only) ?? '')
  return pureText(file, isTagged ? child(only, 'value') : value)
}

/** The code of an expression that is the same value wherever it is in one statement. */
function pureText({ source }: CodeFile, node: SyntaxNode | undefined): string | undefined {
  if (node === undefined) return undefined
  for (const each of nodesWithin(node)) if (!PURE.includes(each.type)) return undefined
  return source.slice(node.start, node.end).replace(/^"([^"'\\]*)"$/, "'$1'")
}
