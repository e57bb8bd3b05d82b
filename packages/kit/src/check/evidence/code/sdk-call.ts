import type { CodeFile } from '../../../source/code-file.ts'
import { bindingOf, resolve } from '../../../source/resolve.ts'
import {
  child,
  children,
  isCall,
  isMember,
  keyName,
  nameOf,
  type SyntaxNode,
} from '../../../source/syntax.ts'

export type SdkOperation =
  | 'scan'
  | 'query'
  | 'batch-write'
  | 'batch-get'
  | 'transact-write'
  | 'transact-get'
  | 'update'

/** A request to DynamoDB that code makes through the AWS SDK. */
export interface SdkCall {
  readonly operation: SdkOperation
  /** The command, or the call of the client's method. */
  readonly node: SyntaxNode
  /** The object with the request, where it is written out. */
  readonly request: SyntaxNode | undefined
}

/** By the beginning of a command's name, and by the methods of the document client and of the
 * client with all methods. */
const OPERATIONS: { readonly [name: string]: SdkOperation } = {
  scan: 'scan',
  query: 'query',
  batchWrite: 'batch-write',
  batchWriteItem: 'batch-write',
  batchGet: 'batch-get',
  batchGetItem: 'batch-get',
  transactWrite: 'transact-write',
  transactWriteItems: 'transact-write',
  transactGet: 'transact-get',
  transactGetItems: 'transact-get',
  update: 'update',
  updateItem: 'update',
}

/** What a request of these has in any case: other clients have methods of the same names. */
const MEMBERS: { readonly [TOperation in SdkOperation]: string } = {
  scan: 'TableName',
  query: 'TableName',
  'batch-write': 'RequestItems',
  'batch-get': 'RequestItems',
  'transact-write': 'TransactItems',
  'transact-get': 'TransactItems',
  update: 'TableName',
}

/** A path, or one of the marks by which projects shorten them. */
const OWN_MODULE = /^(\.|\/|~|#|@\/)/

/** The request that a node makes, if it makes one. */
export function sdkCallOf(file: CodeFile, node: SyntaxNode): SdkCall | undefined {
  const callee = child(node, 'callee')
  if (callee === undefined) return undefined
  const [first, second] = children(node, 'arguments')
  if (node.type === 'NewExpression') {
    const name = sdkName(file, callee) ?? ''
    const operation = name.endsWith('Command')
      ? operationOf(lowerFirst(name.slice(0, -'Command'.length)))
      : undefined
    return operation && { operation, node, request: resolve(file, first) }
  }
  if (!isCall(node)) return undefined
  const operation = isMember(callee) ? operationOf(nameOf(callee) ?? '') : undefined
  const request = operation && resolve(file, first)
  const isRequest = children(request, 'properties').some(
    (property) => operation && keyName(property) === MEMBERS[operation],
  )
  if (operation && isRequest) return { operation, node, request }
  const [, paged] = /^paginate(Scan|Query)$/.exec(sdkName(file, callee) ?? '') ?? []
  return paged === undefined
    ? undefined
    : { operation: paged === 'Scan' ? 'scan' : 'query', node, request: resolve(file, second) }
}

function operationOf(name: string): SdkOperation | undefined {
  return Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined
}

/** The name that it has in the SDK for DynamoDB; undefined if it comes from another package, which
 * may have a command of that name. */
function sdkName(file: CodeFile, callee: SyntaxNode): string | undefined {
  const name = nameOf(callee)
  const local = isMember(callee) ? nameOf(child(callee, 'object')) : name
  const imported = file.imports.get(local ?? '')
  // The file's own class is none of the SDK.
  if (imported === undefined && local !== undefined && bindingOf(file, callee, local))
    return undefined
  // What the file doesn't say, or a module of the project gives, is taken to be what it is called.
  if (imported && !OWN_MODULE.test(imported.from) && !/dynamodb|^aws-sdk/.test(imported.from)) {
    return undefined
  }
  return isMember(callee) || imported === undefined ? name : imported.name
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}
