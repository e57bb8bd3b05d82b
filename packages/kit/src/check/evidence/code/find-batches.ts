import { ancestor, type CodeFile, functionAround } from '../../../source/code-file.ts'
import { memberOf, resolve } from '../../../source/resolve.ts'
import { child, children, isFunction, type SyntaxNode, unwrap } from '../../../source/syntax.ts'
import type { CodeCall } from '../code-facts.ts'
import { countElements } from './count-elements.ts'
import type { SdkCall } from './sdk-call.ts'

/** What there is to know of a raw batch. */
export function batchFacts(
  file: CodeFile,
  { operation, node, request }: SdkCall,
): Pick<CodeCall, 'members' | 'handlesUnprocessed'> {
  return {
    members: membersOf(file, memberOf(file, request, 'RequestItems'), operation === 'batch-get'),
    handlesUnprocessed: handlesUnprocessed(file, node),
  }
}

/** The sum over all tables; undefined where one can't be counted. */
function membersOf(
  file: CodeFile,
  items: SyntaxNode | undefined,
  isGet: boolean,
): number | undefined {
  const tables = resolve(file, items)
  if (tables?.type !== 'ObjectExpression') return undefined
  let members = 0
  for (const property of children(tables, 'properties')) {
    const value = child(property, 'value')
    const count = countElements(file, isGet ? memberOf(file, value, 'Keys') : value)
    if (count === undefined) return undefined
    members += count
  }
  return members
}

/** Whether the function looks at what came back; unknown if it gives it back itself. */
function handlesUnprocessed(file: CodeFile, node: SyntaxNode): boolean | undefined {
  const around = functionAround(file, node)
  const text = around ? file.source.slice(around.start, around.end) : file.source
  if (/Unprocessed(Items|Keys)/.test(text)) return true
  const isEnd = ({ type }: SyntaxNode): boolean => /Statement$|Declaration$/.test(type)
  const statement = ancestor(file, node, (each) => isEnd(each) || isFunction(each))
  const isReturned =
    statement?.type === 'ReturnStatement' ||
    (isFunction(statement) && statement === around && isExpressionBody(statement))
  return isReturned ? undefined : false
}

function isExpressionBody(node: SyntaxNode | undefined): boolean {
  return unwrap(child(node, 'body'))?.type !== 'BlockStatement'
}
