import { BACKUP_ARN_MAX_LENGTH, BACKUP_ARN_MIN_LENGTH } from '../limits/table-limits.ts'
import { type StringShape, text } from './shape.ts'

/** Parts that requests about backups have in common. */

export const backupArn: StringShape = text({
  lengthMin: BACKUP_ARN_MIN_LENGTH,
  lengthMax: BACKUP_ARN_MAX_LENGTH,
})
