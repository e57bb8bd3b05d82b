import type { SSESpecification } from '../../wire/table-operations.ts'
import type { TableRecord } from '../catalog/table-record.ts'
import type { EngineContext } from '../context/context.ts'

/** The member `encryption` of a table's record, to be spread into it. Nothing is encrypted here:
 * the choice is kept and shown. */
export function encryptionOf(
  context: EngineContext,
  specification: SSESpecification | undefined,
): { encryption?: NonNullable<TableRecord['encryption']> } {
  if (specification?.Enabled !== true) return {}
  const { region, accountId } = context.settings
  const key = specification.KMSMasterKeyId ?? 'alias/aws/dynamodb'
  const keyArn = key.startsWith('arn:')
    ? key
    : `arn:aws:kms:${region}:${accountId}:${key.startsWith('alias/') ? key : `key/${key}`}`
  return { encryption: { type: 'KMS', keyArn } }
}
