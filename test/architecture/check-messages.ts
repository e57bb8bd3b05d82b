import { isNode, lineOf, type SourceModule, type SyntaxNode, visitNodes } from './source-module.ts'

const COMPARISONS = new Set(['===', '!==', '==', '!='])
/** Methods of strings that ask what is in them. */
const QUESTIONS = new Set(['startsWith', 'endsWith', 'includes', 'indexOf', 'match', 'search'])
const PATTERN_METHODS = new Set(['test', 'exec'])

/** Sentences on every place that asks what the message of an error says: messages are for people,
 * and change. */
export function checkMessages(module: SourceModule): readonly string[] {
  const problems: string[] = []
  visitNodes(module.tree, (node) => {
    if (!asksMessage(node)) return
    problems.push(`${module.path}:${lineOf(module, node)}: branches on the text of a message`)
  })
  return problems
}

function asksMessage(node: SyntaxNode): boolean {
  if (node.type === 'BinaryExpression' && COMPARISONS.has(String(node.operator))) {
    const sides = [node.left, node.right]
    return sides.some(isMessage) && !sides.some(isEmpty)
  }
  if (node.type !== 'CallExpression' || !isNode(node.callee)) return false
  const { object, property } = node.callee
  const method = isNode(property) ? String(property.name) : ''
  if (QUESTIONS.has(method)) return isMessage(object)
  return PATTERN_METHODS.has(method) && Array.isArray(node.arguments) && isText(node.arguments[0])
}

function isText(value: unknown): boolean {
  return (
    isMessage(value) || (isNode(value) && value.type === 'Identifier' && value.name === 'message')
  )
}

function isMessage(value: unknown): boolean {
  if (!isNode(value) || value.type !== 'MemberExpression' || !isNode(value.property)) return false
  return value.property.name === 'message'
}

/** Whether there is a message at all may be asked. */
function isEmpty(value: unknown): boolean {
  return isNode(value) && (value.value === '' || value.name === 'undefined')
}
