import type { CodeFile } from '../../../source/code-file.ts'
import {
  child,
  children,
  isCall,
  isMember,
  nameOf,
  type SyntaxNode,
} from '../../../source/syntax.ts'
import { type EntityCall, outermostCall } from './entity-call.ts'

/** The methods of entities that give a builder. */
const BUILDERS =
  /^(get|getByUnique|put|create|update|upsert|delete|query|scan|batchGet|batchWrite|deleteCollection)$/

/** What sends a builder, or takes it for something else than a call. */
const ENDS =
  /^(execute\w*|then|catch|finally|page|first|count|exists|tree|iterate|result|dbParams|params|explain|toPlan)$/

/** The name of a call of an entity that is never sent. */
export function droppedEntityCall(
  file: CodeFile,
  { model, method, node, chain }: EntityCall,
): string | undefined {
  const isPattern = nameOf(child(child(node, 'callee'), 'object')) === 'patterns'
  if (isPattern || !BUILDERS.test(method)) return undefined
  return isDropped(file, node, chain.at(-1)?.name) ? `${model}.${method}` : undefined
}

/** The name of a transaction that is never sent. */
export function droppedTransaction(file: CodeFile, node: SyntaxNode): string | undefined {
  const callee = child(node, 'callee')
  const name = isCall(node) && isMember(callee) ? nameOf(callee) : undefined
  if (!name || !/^transact(Write|Get)$/.test(name) || children(node, 'arguments').length > 0) {
    return undefined
  }
  const last = nameOf(child(outermostCall(file, node), 'callee'))
  return isDropped(file, node, last) ? `table.${name}` : undefined
}

/** Whether the value of a chain of calls is thrown away, and nothing in it has sent it. */
function isDropped(file: CodeFile, node: SyntaxNode, last: string | undefined): boolean {
  if (last !== undefined && ENDS.test(last)) return false
  let around = file.parentOf(outermostCall(file, node))
  // `void` sends nothing either.
  if (around?.type === 'UnaryExpression' && around.operator === 'void') {
    around = file.parentOf(around)
  }
  return around?.type === 'ExpressionStatement'
}
