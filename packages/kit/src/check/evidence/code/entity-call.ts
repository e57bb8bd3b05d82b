import { getOwn, type Schema } from 'singletable/tools'
import type { CodeFile } from '../../../source/code-file.ts'
import { bindingOf } from '../../../source/resolve.ts'
import {
  child,
  children,
  isCall,
  isMember,
  nameOf,
  type SyntaxNode,
  unwrap,
} from '../../../source/syntax.ts'

/** One call of a chain of them: `.where(…)`. */
export interface ChainedCall {
  readonly name: string
  readonly node: SyntaxNode
  readonly parameters: readonly SyntaxNode[]
}

/** A call of an entity's method or of a pattern, with the calls chained to it. */
export interface EntityCall {
  readonly model: string
  /** `put`, `query`; of a pattern its operation. */
  readonly method: string
  readonly node: SyntaxNode
  readonly parameters: readonly SyntaxNode[]
  readonly chain: readonly ChainedCall[]
}

/** The call that a node is, if it is one of an entity or a pattern of the schema. */
export function entityCallOf(
  file: CodeFile,
  node: SyntaxNode,
  schema: Schema,
): EntityCall | undefined {
  if (!isCall(node)) return undefined
  const callee = unwrap(child(node, 'callee'))
  if (!isMember(callee)) return undefined
  const name = nameOf(callee)
  const object = child(callee, 'object')
  if (name === undefined) return undefined
  const parameters = children(node, 'arguments')
  const model = modelOf(file, object, schema)
  if (model !== undefined) {
    return { model, method: name, node, parameters, chain: chainFrom(file, node) }
  }
  const pattern =
    nameOf(object) === 'patterns' ? getOwn(schema.definition.patterns ?? {}, name) : undefined
  // A pattern has one entity, or several that share their keys.
  const entity = pattern && 'entity' in pattern ? [pattern.entity].flat()[0] : undefined
  return pattern && entity !== undefined
    ? { model: entity, method: pattern.op, node, parameters, chain: [] }
    : undefined
}

/** The entity call at the beginning of a chain, such as that of `Post.put({…}).dbParams()`. */
export function firstEntityCall(
  file: CodeFile,
  node: SyntaxNode | undefined,
  schema: Schema,
): EntityCall | undefined {
  for (let link = unwrap(node); isCall(link); ) {
    // It was just asked whether it is a node.
    const call: SyntaxNode = link!
    const found = entityCallOf(file, call, schema)
    if (found) return found
    link = unwrap(child(unwrap(child(call, 'callee')), 'object'))
  }
  return undefined
}

/** The calls that are chained to one: those of `x.where(…).execute()` after `x`. */
export function chainFrom(file: CodeFile, node: SyntaxNode): readonly ChainedCall[] {
  const chain: ChainedCall[] = []
  for (let link = node; ; ) {
    const member = file.parentOf(link)
    const call = member && file.parentOf(member)
    if (!member || !call || !isMember(member) || child(member, 'object') !== link) return chain
    if (!isCall(call) || child(call, 'callee') !== member) return chain
    chain.push({
      name: nameOf(member) ?? '',
      node: child(member, 'property') ?? member,
      parameters: children(call, 'arguments'),
    })
    link = call
  }
}

/** The last call of the chain that one begins. */
export function outermostCall(file: CodeFile, node: SyntaxNode): SyntaxNode {
  const last = chainFrom(file, node).at(-1)
  const member = last && file.parentOf(last.node)
  return (member && file.parentOf(member)) ?? node
}

/** The model of an expression that is an entity: `table.entities.Post`, or a name that was taken
 * from it. */
function modelOf(
  file: CodeFile,
  node: SyntaxNode | undefined,
  schema: Schema,
  depth = 0,
): string | undefined {
  const entity = unwrap(node)
  const name = nameOf(entity)
  if (entity === undefined || name === undefined || depth > 5) return undefined
  const { models } = schema
  if (isMember(entity)) {
    return nameOf(child(entity, 'object')) === 'entities' && models.has(name) ? name : undefined
  }
  const binding = bindingOf(file, entity, name)
  if (binding?.kind === 'constant') return modelOf(file, binding.value, schema, depth + 1)
  if (binding?.kind === 'member') {
    return nameOf(binding.of) === 'entities' && models.has(binding.name) ? binding.name : undefined
  }
  // A module of the project can give an entity under its own name.
  const imported = binding === undefined ? file.imports.get(name) : undefined
  return imported?.from.startsWith('.') && models.has(imported.name) ? imported.name : undefined
}
