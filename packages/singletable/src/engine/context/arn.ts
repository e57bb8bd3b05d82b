import type { EngineSettings } from './settings.ts'

export function tableArn(settings: EngineSettings, tableName: string): string {
  return `arn:aws:dynamodb:${settings.region}:${settings.accountId}:table/${tableName}`
}

const TABLE_ARN = /^arn:[^:]+:dynamodb:[^:]*:[^:]*:table\/([a-zA-Z0-9_.-]+)$/

/** `TableName` may be a table's ARN; either way this is the plain name. */
export function tableNameOf(nameOrArn: string): string {
  return nameOrArn.startsWith('arn:') ? (TABLE_ARN.exec(nameOrArn)?.[1] ?? nameOrArn) : nameOrArn
}
