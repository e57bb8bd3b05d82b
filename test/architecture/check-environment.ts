import { isNode, lineOf, type SourceModule, type SyntaxNode, visitNodes } from './source-module.ts'

const TIMERS = new Set(['setTimeout', 'setInterval', 'setImmediate', 'performance'])
/** Reached through `globalThis` there is no honest use of these. */
const GLOBALS = new Set([...TIMERS, 'Date', 'Math', 'crypto'])
const RANDOM_CRYPTO = /^(random|getRandomValues|webcrypto)/
const CLOCK_MODULES = /^(node:)?(timers|perf_hooks)(\/|$)/
const CRYPTO_MODULE = /^(node:)?crypto$/
/** In these a name is a type, which has no clock. */
const TYPE_NODES = new Set(['TSTypeReference', 'TSTypeQuery', 'TSInterfaceHeritage'])

/** Sentences on every use of clock, random or timers that does not come through the Environment. */
export function checkEnvironment(module: SourceModule): readonly string[] {
  const problems: string[] = []
  visitNodes(module.tree, (node, parents) => {
    const parent = parents.at(-1)
    const use =
      node.type === 'ImportDeclaration' ? forbiddenImport(node) : forbiddenName(node, parent)
    if (use !== undefined) {
      problems.push(
        `${module.path}:${lineOf(module, node)}: ${use} does not come through the Environment`,
      )
    }
  })
  return problems
}

function forbiddenImport(node: SyntaxNode): string | undefined {
  const specifier = isNode(node.source) ? String(node.source.value) : ''
  if (CLOCK_MODULES.test(specifier)) return specifier
  if (!CRYPTO_MODULE.test(specifier) || !Array.isArray(node.specifiers)) return undefined
  return node.specifiers
    .map((part) => nameOf(part.imported))
    .find((name) => name !== undefined && RANDOM_CRYPTO.test(name))
}

/** The name of a forbidden use that this identifier is, if it is one. */
function forbiddenName(node: SyntaxNode, parent: SyntaxNode | undefined): string | undefined {
  const name = nameOf(node)
  if (name === undefined || parent === undefined || TYPE_NODES.has(parent.type)) return undefined
  if (isPlainMemberName(node, parent)) {
    const owner = nameOf(parent.object)
    if (owner === 'process' && /^hrtime|^uptime/.test(name)) return `process.${name}`
    if (/crypto$/i.test(owner ?? '') && RANDOM_CRYPTO.test(name)) return `${owner}.${name}`
    return owner === 'globalThis' && GLOBALS.has(name) ? `globalThis.${name}` : undefined
  }
  // A member of an object or interface may have any name: that makes no use of the global one.
  if (isOwnMemberName(node, parent)) return undefined
  if (TIMERS.has(name)) return name
  if (name === 'Math') return memberAllowed(node, parent, (member) => member !== 'random')
  if (name !== 'Date') return undefined
  const hasArguments = Array.isArray(parent.arguments) && parent.arguments.length > 0
  if (parent.type === 'NewExpression' && parent.callee === node && hasArguments) return undefined
  if (isTypeName(node, parent)) return undefined
  return memberAllowed(node, parent, (member) => member === 'UTC' || member === 'parse')
}

/** Math and Date may be used for a member that is a pure function, and in no other way. */
function memberAllowed(
  node: SyntaxNode,
  parent: SyntaxNode,
  allowed: (member: string) => boolean,
): string | undefined {
  const isObject = parent.type === 'MemberExpression' && parent.object === node
  const member = isObject && parent.computed !== true ? nameOf(parent.property) : undefined
  return member !== undefined && allowed(member) ? undefined : `${nameOf(node)}.${member ?? '…'}`
}

/** `value instanceof Date`, `type === Date` and `{ type: Date }` ask or say what something is, not
 * what time it is. */
function isTypeName(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (parent.type === 'SwitchCase') return parent.test === node
  if (parent.type === 'Property') return parent.value === node && nameOf(parent.key) === 'type'
  return parent.type === 'BinaryExpression' && /^(instanceof|[!=]==)$/.test(String(parent.operator))
}

function isPlainMemberName(node: SyntaxNode, parent: SyntaxNode): boolean {
  return parent.type === 'MemberExpression' && parent.property === node && parent.computed !== true
}

function isOwnMemberName(node: SyntaxNode, parent: SyntaxNode): boolean {
  return parent.key === node && parent.computed !== true && parent.shorthand !== true
}

function nameOf(node: unknown): string | undefined {
  return isNode(node) && node.type === 'Identifier' ? String(node.name) : undefined
}
