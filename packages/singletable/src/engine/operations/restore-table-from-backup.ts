import type { RestoreTableFromBackupRequest } from '../../wire/backup-operations.ts'
import type { TableDescriptionResponse } from '../../wire/table-operations.ts'
import type { BackupRecord } from '../backups/backup-record.ts'
import { requireBackup } from '../backups/require-backup.ts'
import { restoredBilling, restoredIndexes } from '../backups/restored-definition.ts'
import type { TableRecord } from '../catalog/table-record.ts'
import type { EngineContext } from '../context/context.ts'
import { backupInUse, restoreTargetExists } from '../messages/backup-messages.ts'
import { backupArn } from '../shapes/backup-shapes.ts'
import { validateNewTableName } from '../shapes/new-table-name.ts'
import { structure, text } from '../shapes/shape.ts'
import {
  billingMode,
  encryptionSpecification,
  globalIndexes,
  localIndexes,
  onDemandThroughput,
  provisionedThroughput,
} from '../shapes/table-shapes.ts'
import { refuseMembers, unsupportedInRestore } from '../shapes/unsupported-members.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import { definitionsInUse } from '../tables/definitions-in-use.ts'
import { describeTable } from '../tables/describe-table.ts'
import { encryptionOf } from '../tables/encryption-of.ts'
import { boundsOf } from '../tables/index-record.ts'
import { newRecord } from '../tables/new-record.ts'
import { validateEncryption } from '../tables/table-definition.ts'
import { validateOnDemandThroughput } from '../tables/table-throughput.ts'
import { announced } from '../tables/transition.ts'
import { fillTable, finishFilling } from './fill-table.ts'
import type { Operation } from './operation.ts'

export const restoreTableFromBackup: Operation<
  RestoreTableFromBackupRequest,
  TableDescriptionResponse
> = {
  shape: structure({
    TargetTableName: { required: text() },
    BackupArn: { required: backupArn },
    BillingModeOverride: billingMode,
    GlobalSecondaryIndexOverride: globalIndexes,
    LocalSecondaryIndexOverride: localIndexes,
    ProvisionedThroughputOverride: provisionedThroughput,
    OnDemandThroughputOverride: onDemandThroughput,
    SSESpecificationOverride: encryptionSpecification,
    ...unsupportedInRestore,
  }),
  async run(context, request) {
    validateNewTableName(request.TargetTableName, 'targetTableName')
    refuseMembers(request, unsupportedInRestore)
    validateEncryption(request.SSESpecificationOverride)
    const record = await context.catalog.change((transaction) => {
      const backup = requireBackup(transaction, request.BackupArn)
      if (backup.filling) throw backupInUse()
      if (context.catalog.find(request.TargetTableName) !== undefined) {
        throw restoreTargetExists(request.TargetTableName)
      }
      const restored = restoredRecord(context, transaction, request, backup)
      context.catalog.put(transaction, restored)
      fillTable(context, transaction, restored.name)
      return restored
    })
    await finishFilling(context, record.name)
    return {
      TableDescription: describeTable(context, { ...record, transition: announced('CREATING') }),
    }
  },
}

/** Tags, stream, time to live, deletion protection and point-in-time recovery are not part of a
 * restore. (AWS Developer Guide.) Nor is Contributor Insights: its rules are those of the source. */
function restoredRecord(
  context: EngineContext,
  transaction: StorageTransaction,
  request: RestoreTableFromBackupRequest,
  backup: BackupRecord,
): TableRecord {
  const source = backup.table
  const nowMs = context.environment.now()
  const billing = restoredBilling(request, source, nowMs)
  validateOnDemandThroughput(request.OnDemandThroughputOverride, {
    mode: billing.mode,
    mayRemove: true,
  })
  const bounds = request.OnDemandThroughputOverride
    ? boundsOf(request.OnDemandThroughputOverride, source.onDemandThroughput)
    : source.onDemandThroughput
  const indexes = restoredIndexes(request, source, billing.mode)
  return {
    ...newRecord(context, transaction, {
      name: request.TargetTableName,
      keySchema: source.keySchema,
      attributeDefinitions: definitionsInUse(source.attributeDefinitions, [source, ...indexes]),
      billing,
      indexes,
    }),
    ...(source.tableClass && { tableClass: source.tableClass }),
    ...(request.SSESpecificationOverride === undefined
      ? source.encryption && { encryption: source.encryption }
      : encryptionOf(context, request.SSESpecificationOverride)),
    ...(bounds !== undefined &&
      billing.mode === 'PAY_PER_REQUEST' && { onDemandThroughput: bounds }),
    filling: true,
    restored: { backupArn: backup.arn, sourceArn: source.arn, ms: nowMs },
  }
}
