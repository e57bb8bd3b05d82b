/** A node of a syntax tree, of which only what is asked for is known. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly loc: {
    readonly start: { readonly line: number; readonly column: number }
    readonly end: { readonly line: number }
  }
  readonly [member: string]: unknown
}

/** What is around an expression without changing its value. */
const WRAPPERS = [
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'ParenthesizedExpression',
  'AwaitExpression',
  'ChainExpression',
]

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'loc' in value && 'type' in value
}

/** The node under a name. */
export function child(node: SyntaxNode | undefined, name: string): SyntaxNode | undefined {
  const value = node?.[name]
  return isNode(value) ? value : undefined
}

/** The nodes of a list under a name; holes are left out. */
export function children(node: SyntaxNode | undefined, name: string): readonly SyntaxNode[] {
  const value = node?.[name]
  return Array.isArray(value) ? value.filter(isNode) : []
}

/** All nodes directly below, in the order of the source. */
export function everyChild(node: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = []
  for (const name in node) {
    // Most members of most nodes are these.
    if (name === 'type' || name === 'loc' || name === 'start' || name === 'end') continue
    const value = node[name]
    if (isNode(value)) found.push(value)
    else if (Array.isArray(value)) for (const each of value) if (isNode(each)) found.push(each)
  }
  return found.length > 1 ? found.sort((a, b) => a.start - b.start) : found
}

/** A node and all inside it, each before those inside it. Where `enters` is false, a node is given
 * and what is inside it is left out. */
export function* nodesWithin(
  root: SyntaxNode,
  enters: (node: SyntaxNode) => boolean = () => true,
): Iterable<SyntaxNode> {
  const waiting = [root]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node
    if (!enters(node)) continue
    const inside = everyChild(node)
    for (let at = inside.length - 1; at >= 0; at--) waiting.push(inside[at]!)
  }
}

/** Without parentheses, `await` and types. */
export function unwrap(node: SyntaxNode | undefined): SyntaxNode | undefined {
  let inner = node
  while (inner && WRAPPERS.includes(inner.type)) {
    inner = child(inner, 'expression') ?? child(inner, 'argument')
  }
  return inner
}

/** The name of an identifier, or of what a member expression names behind its dot. */
export function nameOf(node: SyntaxNode | undefined): string | undefined {
  const inner = unwrap(node)
  if (inner?.type === 'Identifier') return String(inner.name)
  if (!isMember(inner)) return undefined
  const property = child(inner, 'property')
  if (inner?.computed)
    return property?.type === 'StringLiteral' ? String(property.value) : undefined
  return property?.type === 'Identifier' ? String(property.name) : undefined
}

export function isMember(node: SyntaxNode | undefined): boolean {
  return node?.type === 'MemberExpression' || node?.type === 'OptionalMemberExpression'
}

export function isCall(node: SyntaxNode | undefined): boolean {
  return node?.type === 'CallExpression' || node?.type === 'OptionalCallExpression'
}

export function isFunction(node: SyntaxNode | undefined): boolean {
  return (
    node !== undefined && /Function|ObjectMethod|ClassMethod|ClassPrivateMethod/.test(node.type)
  )
}

/** The name of a member of an object, where it is written out. */
export function keyName(property: SyntaxNode): string | undefined {
  const key = child(property, 'key')
  if (key?.type === 'StringLiteral' || key?.type === 'NumericLiteral') return String(key.value)
  return key?.type === 'Identifier' && !property.computed ? String(key.name) : undefined
}

/** A literal text. Of a template with values, `open` says so, and the text has `${}` in their
 * places. */
export function textOf(
  node: SyntaxNode | undefined,
): { readonly text: string; readonly open: boolean } | undefined {
  const inner = unwrap(node)
  if (inner?.type === 'StringLiteral') return { text: String(inner.value), open: false }
  if (inner?.type !== 'TemplateLiteral') return undefined
  const parts = children(inner, 'quasis').map((quasi) => {
    const { cooked } = quasi.value as { readonly cooked?: string | null }
    return cooked ?? ''
  })
  return { text: parts.join('${}'), open: parts.length > 1 }
}
