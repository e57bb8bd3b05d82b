import type { CodeFile } from './code-file.ts'
import { resolve } from './resolve.ts'
import { child, children, isCall, isMember, keyName, nameOf, type SyntaxNode } from './syntax.ts'

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

/** By the beginning of a command's name, and by the methods of the document client and of the client with all methods. */
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

/** The request that a node makes, if it makes one. */
export function sdkCallOf(file: CodeFile, node: SyntaxNode): SdkCall | undefined {
  const callee = child(node, 'callee')
  const name = nameOf(callee)
  if (callee === undefined || name === undefined) return undefined
  const [first, second] = children(node, 'arguments')
  if (node.type === 'NewExpression') {
    const operation = name.endsWith('Command')
      ? operationOf(lowerFirst(name.slice(0, -7)))
      : undefined
    const known = importedName(file, callee, name)
    if (operation === undefined || known === undefined) return undefined
    return { operation, node, request: resolve(file, first) }
  }
  if (!isCall(node)) return undefined
  if (name === 'paginateScan' || name === 'paginateQuery') {
    if (importedName(file, callee, name) === undefined) return undefined
    const operation = name === 'paginateScan' ? 'scan' : 'query'
    return { operation, node, request: resolve(file, second) }
  }
  const operation = isMember(callee) ? operationOf(name) : undefined
  const request = operation && resolve(file, first)
  const isRequest = children(request, 'properties').some(
    (property) => operation && keyName(property) === MEMBERS[operation],
  )
  return operation && isRequest ? { operation, node, request } : undefined
}

function operationOf(name: string): SdkOperation | undefined {
  return Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined
}

/** The name that it has in the SDK for DynamoDB; undefined if it comes from another package, which may have a command of that name. */
function importedName(file: CodeFile, callee: SyntaxNode, name: string): string | undefined {
  const local = isMember(callee) ? nameOf(child(callee, 'object')) : name
  const imported = file.imports.get(local ?? '')
  // What a project's own module gives, or the file doesn't say, is taken to be what it is called.
  if (imported === undefined || /^[.~/#@]\/?(?!aws-sdk)[^@]*$/.test(imported.from)) return name
  return /dynamodb|^aws-sdk/.test(imported.from) ? name : undefined
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}
