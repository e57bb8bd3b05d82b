import type { Difference } from './differences.ts'

/** Differences at the edges of limits, by what DynamoDB Local does. AWS's limits are those of its
 * API reference. */
const TESTS_BY_REASON: Readonly<Record<string, readonly string[]>> = {
  'Local has one text for all bad names of tables and indexes.': [
    'Edges of limits › INDEX_NAME_MIN_LENGTH: CreateTable takes 3 and 4, and refuses 2',
    'Edges of limits › INDEX_NAME_MAX_LENGTH: CreateTable takes 254 and 255, and refuses 256',
    'Edges of limits › TABLE_ARN_MAX_LENGTH: GetItem takes 1023 and 1024, and refuses 1025',
  ],
  'Local has a text of its own for the limit.': [
    'Edges of limits › KEY_ATTRIBUTE_NAME_MAX_BYTES: CreateTable takes 254 and 255, and refuses 256',
    'Edges of limits › KEY_ELEMENTS_MAX: CreateTable takes 1 and 2, and refuses 3',
    'Edges of limits › GLOBAL_KEY_ELEMENTS_MAX: CreateTable takes 7 and 8, and refuses 9',
    'Edges of limits › LIST_TABLES_LIMIT_MAX: ListTables takes 99 and 100, and refuses 101',
    'Edges of limits › TIME_TO_LIVE_ATTRIBUTE_MIN_LENGTH: UpdateTimeToLive takes 1 and 2, and refuses 0',
    'Edges of limits › TIME_TO_LIVE_ATTRIBUTE_MAX_LENGTH: UpdateTimeToLive takes 254 and 255, and refuses 256',
    'Edges of limits › STREAMS_PAGE_MAX: ListStreams takes 99 and 100, and refuses 101',
    'Edges of limits › SHARDS_PAGE_MAX: DescribeStream takes 99 and 100, and refuses 101',
    'Edges of limits › BATCH_STATEMENTS_MAX: BatchExecuteStatement takes 24 and 25, and refuses 26',
    'Edges of limits › NUMBER_DIGITS_MAX: PutItem takes 37 and 38, and refuses 39',
  ],
  'Local looks for the stream before it looks at the lengths of what names it.': [
    'Edges of limits › STREAM_ARN_MIN_LENGTH: DescribeStream takes 37 and 38, and refuses 36',
    'Edges of limits › STREAM_ARN_MAX_LENGTH: DescribeStream takes 1023 and 1024, and refuses 1025',
    'Edges of limits › SHARD_ID_MIN_LENGTH: GetShardIterator takes 28 and 29, and refuses 27',
    'Edges of limits › SHARD_ID_MAX_LENGTH: GetShardIterator takes 64 and 65, and refuses 66',
  ],
  'Local reads the iterator before it looks at its length or at the limit.': [
    'Edges of limits › SHARD_ITERATOR_MIN_LENGTH: GetRecords takes 1 and 2, and refuses 0',
    'Edges of limits › SHARD_ITERATOR_MAX_LENGTH: GetRecords takes 2047 and 2048, and refuses 2049',
    'Edges of limits › RECORDS_PAGE_MAX: GetRecords takes 999 and 1000, and refuses 1001',
  ],
  'Local lets an index name more attributes; the API reference says 20.': [
    'Edges of limits › PROJECTED_PER_INDEX_MAX: CreateTable takes 19 and 20, and refuses 21',
  ],
  'Local lets the record that crosses 1 MB belong to the page.': [
    'Edges of a page of records › records of 1048577 bytes together are two pages',
  ],
}

export const limitDifferences: readonly Difference[] = Object.entries(TESTS_BY_REASON).flatMap(
  ([reason, tests]) => tests.map((test) => ({ test, reason })),
)
