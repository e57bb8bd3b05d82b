import type { Schema } from 'singletable/tools'
import { type CodeFile, showCode, statementLine } from '../../../source/code-file.ts'
import { memberOf } from '../../../source/resolve.ts'
import { child, children, isCall, nameOf, type SyntaxNode, textOf } from '../../../source/syntax.ts'
import type {
  CodeCall,
  CodeFacts,
  CodePlace,
  CodeUpdate,
  DroppedCall,
  PrefixedValue,
} from '../code-facts.ts'
import { countElements } from './count-elements.ts'
import { chainFrom, entityCallOf } from './entity-call.ts'
import { batchFacts } from './find-batches.ts'
import { droppedEntityCall, droppedTransaction } from './find-dropped.ts'
import { prefixedValues } from './find-prefixed.ts'
import { repeatedEntityKey, repeatedSdkKey } from './find-repeated-key.ts'
import { type FoundLine, findSuppressions } from './find-suppressions.ts'
import { entityUpdate, sdkUpdate } from './find-updates.ts'
import { type SdkCall, sdkCallOf } from './sdk-call.ts'

/** What one file does with the table. */
export function findFacts(file: CodeFile, schema: Schema): Omit<CodeFacts, 'files' | 'unread'> {
  const calls: CodeCall[] = []
  const updates: CodeUpdate[] = []
  const prefixed: PrefixedValue[] = []
  const dropped: DroppedCall[] = []
  const lines: FoundLine[] = []
  const placeOf = (node: SyntaxNode, shown = node): CodePlace => {
    const { line } = node.loc.start
    lines.push({ line, statement: statementLine(file, node) })
    return { file: file.path, line, text: showCode(file, shown) }
  }
  for (const node of file.nodes) {
    const sdk = sdkCallOf(file, node)
    if (sdk?.operation === 'update') {
      const update = sdkUpdate(file, sdk.request, schema)
      if (update) updates.push({ ...placeOf(node), ...update, through: 'sdk' })
    } else if (sdk) {
      calls.push({ ...placeOf(node), ...sdkFacts(file, sdk, schema), through: 'sdk' })
      continue
    }
    if (isTransaction(node)) {
      const repeatedKey = repeatedEntityKey(file, chainFrom(file, node), schema)
      if (repeatedKey !== undefined) {
        const place = placeOf(methodNode(node), node)
        calls.push({ ...place, kind: 'transact', through: 'library', repeatedKey })
      }
    }
    const entity = entityCallOf(file, node, schema)
    const call = entity ? droppedEntityCall(file, entity) : droppedTransaction(file, node)
    if (call !== undefined) dropped.push({ ...placeOf(methodNode(node), node), call })
    if (entity === undefined) continue
    const { model, method } = entity
    if (method === 'scan') {
      const place = placeOf(methodNode(node), node)
      calls.push({ ...place, kind: 'scan', through: 'library', model })
    }
    const update = entityUpdate(entity)
    if (update) {
      updates.push({ ...placeOf(methodNode(node), node), ...update, through: 'library' })
    }
    for (const { node: value, ...found } of prefixedValues(entity, schema)) {
      prefixed.push({ ...placeOf(value), ...found })
    }
  }
  const propagates = [...file.imports.values()].some(
    ({ from, name }) => from === 'singletable/streams' && /^propagate(Copies)?$/.test(name),
  )
  const suppressions = findSuppressions(file, lines)
  return { calls, updates, prefixed, dropped, propagates, suppressions }
}

function sdkFacts(
  file: CodeFile,
  call: SdkCall,
  schema: Schema,
): Pick<CodeCall, 'kind' | 'members' | 'handlesUnprocessed' | 'repeatedKey' | 'keyCondition'> {
  const { operation, request } = call
  switch (operation) {
    case 'batch-write':
    case 'batch-get':
      return { kind: operation, ...batchFacts(file, call) }
    case 'transact-write':
    case 'transact-get':
      return {
        kind: 'transact',
        members: countElements(file, memberOf(file, request, 'TransactItems')),
        repeatedKey: repeatedSdkKey(file, request, schema),
      }
    default: {
      const condition = textOf(memberOf(file, request, 'KeyConditionExpression'))
      return {
        kind: operation === 'scan' ? 'scan' : 'query',
        keyCondition: condition?.open ? undefined : condition?.text,
      }
    }
  }
}

/** The beginning of a transaction of the library, which takes its actions one after the other. */
function isTransaction(node: SyntaxNode): boolean {
  return (
    isCall(node) &&
    nameOf(child(node, 'callee')) === 'transactWrite' &&
    children(node, 'arguments').length === 0
  )
}

/** The name of the method in a call, whose line is nearer to what is meant than the beginning of a
 * long chain. */
function methodNode(node: SyntaxNode): SyntaxNode {
  return child(child(node, 'callee'), 'property') ?? node
}
