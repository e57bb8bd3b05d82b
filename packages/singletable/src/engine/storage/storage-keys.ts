import { encodeKeyValue, successor } from '../../values/key-encoding.ts'
import type { StorageRange } from './storage.ts'

/**
 * The layout of the storage: which kind of entry lives under which first byte.
 *
 * | first byte | then | value |
 * | --- | --- | --- |
 * | 01 | name of a counter | the counter |
 * | 02 | table name | table record |
 * | 03 | table id, index id | number of entries and bytes |
 * | 04 | table id, index id, partition hash, key | index entry |
 * | 05 | table id, expiry, primary key | entry of an item that will expire |
 * | 06 | table id, partition key | size of an item collection |
 * | 07 | namespace, token | idempotency token |
 * | 08 | stream id | stream description |
 * | 09 | stream id, sequence number | stream record |
 * | 0a | backup id | backup description |
 * | 0b | backup id, primary key | backed-up item, or that there was none |
 * | 0c | number | ranges of keys that are being removed |
 * | 0d | table id, index id | how far a table, an index or a backup is filled |
 */
const COUNTER = '\x01'
const TABLE = '\x02'
const STATISTICS = '\x03'
const ENTRY = '\x04'
const EXPIRY = '\x05'
const COLLECTION = '\x06'
const TOKEN = '\x07'
const STREAM = '\x08'
const STREAM_RECORD = '\x09'
const BACKUP = '\x0a'
const BACKUP_ITEM = '\x0b'
const PENDING_DELETES = '\x0c'
const FILLED = '\x0d'

export function counterKey(name: string): string {
  return COUNTER + name
}
export function tableKey(name: string): string {
  return TABLE + name
}
export function allTables(): StorageRange {
  return prefixRange(TABLE)
}
export function statisticsKey(tableId: number, indexId: number): string {
  return STATISTICS + uint32(tableId) + uint16(indexId)
}
export function entryPrefix(tableId: number, indexId: number): string {
  return ENTRY + uint32(tableId) + uint16(indexId)
}
export function expiryPrefix(tableId: number): string {
  return EXPIRY + uint32(tableId)
}
export function expiryKey(tableId: number, expirySeconds: number, primaryKey: string): string {
  return expiryPrefix(tableId) + uint48(expirySeconds) + primaryKey
}
/** Items of the table that expire at that second or before. */
export function expiredRange(tableId: number, seconds: number): StorageRange {
  const prefix = expiryPrefix(tableId)
  return { start: prefix, end: prefix + uint48(seconds + 1) }
}
export function collectionKey(tableId: number, partition: string): string {
  return COLLECTION + uint32(tableId) + partition
}
export function tokenKey(namespace: 'items' | 'statements', token: string): string {
  // A token may have any characters; keys have only bytes.
  return `${TOKEN}${namespace}\0${encodeKeyValue({ S: token })}`
}
export function allTokens(): StorageRange {
  return prefixRange(TOKEN)
}
export function streamKey(streamId: number): string {
  return STREAM + uint32(streamId)
}
export function allStreams(): StorageRange {
  return prefixRange(STREAM)
}
export function streamRecordKey(streamId: number, sequence: number): string {
  return STREAM_RECORD + uint32(streamId) + uint48(sequence)
}
export function streamRecords(streamId: number): StorageRange {
  return prefixRange(STREAM_RECORD + uint32(streamId))
}
export function backupKey(backupId: number): string {
  return BACKUP + uint32(backupId)
}
export function allBackups(): StorageRange {
  return prefixRange(BACKUP)
}
export function backupItemKey(backupId: number, primaryKey: string): string {
  return BACKUP_ITEM + uint32(backupId) + primaryKey
}
export function backupItems(backupId: number): StorageRange {
  return prefixRange(BACKUP_ITEM + uint32(backupId))
}
export function pendingDeleteKey(number: number): string {
  return PENDING_DELETES + uint48(number)
}
export function allPendingDeletes(): StorageRange {
  return prefixRange(PENDING_DELETES)
}

/** The id 0 is that of the table itself and of its time to live. */
export function filledKey(tableId: number, indexId: number): string {
  return FILLED + uint32(tableId) + uint16(indexId)
}

/** Of a backup of the table, in place of the last id that an index could have. */
export function backupFilledKey(tableId: number): string {
  return filledKey(tableId, 65_535)
}

/** Everything that is kept for one table besides its record. */
export function tableData(tableId: number): StorageRange[] {
  return [STATISTICS, ENTRY, EXPIRY, COLLECTION, FILLED].map((kind) =>
    prefixRange(kind + uint32(tableId)),
  )
}

/** All keys that start with the prefix. */
export function prefixRange(prefix: string): StorageRange {
  return { start: prefix, end: successor(prefix) }
}

function uint16(value: number): string {
  return String.fromCharCode((value >>> 8) & 255, value & 255)
}
function uint32(value: number): string {
  return String.fromCharCode(
    (value >>> 24) & 255,
    (value >>> 16) & 255,
    (value >>> 8) & 255,
    value & 255,
  )
}
function uint48(value: number): string {
  return uint16(Math.floor(value / 4_294_967_296)) + uint32(value % 4_294_967_296)
}
