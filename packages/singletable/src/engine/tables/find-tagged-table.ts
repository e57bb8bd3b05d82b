import type { Table } from '../catalog/table.ts'
import type { EngineContext } from '../context/context.ts'
import { validationError } from '../messages/request-messages.ts'
import { arnInvalid, arnOfIndex, arnWithoutPrefix } from '../messages/tag-messages.ts'

const TABLE_ARN = /^arn:[^:]+:dynamodb:[^:]*:[^:]*:table\/([a-zA-Z0-9_.-]{3,255})$/
const INDEX_ARN = /^arn:[^:]+:dynamodb:[^:]*:[^:]*:table\/[^/]+\/index\//

/** The table a tag operation names by its ARN, or undefined if there is none. Tags are only on
 * tables. */
export function findTaggedTable(context: EngineContext, arn: string): Table | undefined {
  if (!arn.startsWith('arn:')) throw validationError(arnWithoutPrefix(arn))
  if (INDEX_ARN.test(arn)) throw validationError(arnOfIndex(arn))
  const name = TABLE_ARN.exec(arn)?.[1]
  if (name === undefined) throw validationError(arnInvalid(arn))
  return context.catalog.find(name)
}
