import { isNode, lineOf, type SourceModule, type SyntaxNode, visitNodes } from './source-module.ts'

/** Methods of strings that look into a text, and those of regular expressions that are given
 * one. */
const LOOKS_INTO =
  /^(at|charAt|charCodeAt|codePointAt|endsWith|includes|indexOf|lastIndexOf|match|matchAll|replace|replaceAll|search|slice|split|startsWith|substring|trim)$/
const IS_GIVEN = /^(exec|test|match|matchAll|replace|split)$/

/** Sentences on every look into the text of an expression: only the parser reads one. */
export function checkExpressions(module: SourceModule): readonly string[] {
  const problems: string[] = []
  visitNodes(module.tree, (node) => {
    if (node.type !== 'CallExpression' || !isNode(node.callee)) return
    const { object, property } = node.callee
    const method = nameOf(property)
    if (method === undefined) return
    const given = Array.isArray(node.arguments) ? node.arguments : []
    const searched = [
      ...(LOOKS_INTO.test(method) ? [object] : []),
      ...(IS_GIVEN.test(method) ? given : []),
    ]
    const name = searched.map(expressionIn).find((each) => each !== undefined)
    if (name !== undefined) {
      problems.push(`${module.path}:${lineOf(module, node)}: ${method}() looks into ${name}`)
    }
  })
  return problems
}

/** The name of the member of a request that an operand is, or is made of. */
function expressionIn(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  const own = nameOf(node) ?? nameOf(node.property)
  if (own !== undefined) return /^[A-Z]\w*Expression$/.test(own) ? own : undefined
  const inside = [node.left, node.right, node.expression, node.consequent, node.alternate]
  return inside.map(expressionIn).find((name) => name !== undefined)
}

function nameOf(node: unknown): string | undefined {
  return isNode(node) && node.type === 'Identifier' ? String((node as SyntaxNode).name) : undefined
}
