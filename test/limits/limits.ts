/** Where the edges of a limit are tested. */
interface Place {
  readonly file: string
  /** How the file speaks of the edges, where it neither names the constant nor has its value and
   * the two next to it. */
  readonly words?: readonly string[]
}

const CONFORMANCE = 'test/conformance/'
const SOURCE = 'packages/singletable/src/'
const edges: Place = { file: `${CONFORMANCE}limits-edges.test.ts` }
const expressions: Place = { file: `${CONFORMANCE}expressions/limits.test.ts` }
const definitions: Place = { file: `${SOURCE}engine/tables/table-definition.test.ts` }
const tags: Place = { file: `${SOURCE}engine/tables/validate-tags.test.ts` }
const tableNames: Place = { file: `${SOURCE}engine/shapes/new-table-name.test.ts` }
const units: Place = { file: `${SOURCE}values/units.test.ts` }
const keys: Place = { file: `${CONFORMANCE}put-item/keys.test.ts` }
const values: Place = { file: `${CONFORMANCE}put-item/values.test.ts` }
const streams = `${SOURCE}engine/streams/streams.test.ts`
const transactions: Place = { file: `${CONFORMANCE}transactions/transact-write-items.test.ts` }
const large: Place = { file: `${SOURCE}engine/context/turns.test.ts` }
const cipher: Place = {
  file: `${SOURCE}execute/cursor-cipher.test.ts`,
  words: ['gives the example of draft-irtf-cfrg-xchacha-03, A.3.1'],
}
const batchGet: Place = { file: `${CONFORMANCE}batch/batch-get-item.test.ts` }

/** Every exported number of the source, and the test that goes to its edges. */
export const LIMITS: Readonly<Record<string, Place>> = {
  // Values
  ITEM_SIZE_MAX_BYTES: {
    file: `${CONFORMANCE}put-item/size.test.ts`,
    words: ['const LIMIT = 409_600', '[LIMIT - 1, LIMIT]', 'LIMIT + 1'],
  },
  PARTITION_KEY_MAX_BYTES: keys,
  SORT_KEY_MAX_BYTES: keys,
  NESTING_DEPTH_MAX: values,
  ATTRIBUTE_NAME_MAX_BYTES: values,
  KEY_ATTRIBUTE_NAME_MAX_BYTES: edges,
  NUMBER_DIGITS_MAX: edges,
  NUMBER_EXPONENT_MAX: edges,
  NUMBER_EXPONENT_MIN: edges,

  READ_STEP_BYTES: units,
  WRITE_STEP_BYTES: units,
  ITEM_COLLECTION_MAX_BYTES: {
    file: `${SOURCE}engine/engine.test.ts`,
    words: ['itemCollectionMaxBytes: LIMIT'],
  },

  // Expressions
  EXPRESSION_SIZE_MAX_BYTES: expressions,
  OPERATORS_MAX: expressions,
  IN_OPERANDS_MAX: expressions,
  PATH_DEPTH_MAX: expressions,
  LIST_INDEX_MAX: edges,
  PLACEHOLDER_MAX_BYTES: expressions,
  PLACEHOLDERS_MAX_BYTES: {
    file: `${CONFORMANCE}expressions/limits.test.ts`,
    words: ['LIMIT = 2 * MEGABYTE', 'LIMIT - 1', 'LIMIT + 1'],
  },
  BOUND_EXPRESSION_MAX_BYTES: {
    file: `${CONFORMANCE}expressions/limits.test.ts`,
    words: ['MEGABYTE = 1_048_576', 'MEGABYTE - 1', 'MEGABYTE + 1'],
  },

  // Tables
  TABLE_NAME_MIN_LENGTH: tableNames,
  TABLE_NAME_MAX_LENGTH: tableNames,
  TABLE_ARN_MAX_LENGTH: edges,
  INDEX_NAME_MIN_LENGTH: edges,
  INDEX_NAME_MAX_LENGTH: edges,
  LOCAL_INDEXES_MAX: definitions,
  GLOBAL_INDEXES_MAX: definitions,
  KEY_ELEMENTS_MAX: edges,
  GLOBAL_KEY_ROLE_MAX: definitions,
  GLOBAL_KEY_ELEMENTS_MAX: edges,
  PROJECTED_PER_INDEX_MAX: edges,
  PROJECTED_PER_TABLE_MAX: definitions,
  THROUGHPUT_MAX: definitions,
  TAGS_MAX: definitions,
  TAG_KEY_MAX_LENGTH: tags,
  TAG_VALUE_MAX_LENGTH: tags,
  RESOURCE_ARN_MAX_LENGTH: edges,
  LIST_TABLES_LIMIT_MAX: edges,
  BACKUP_NAME_MIN_LENGTH: edges,
  BACKUP_NAME_MAX_LENGTH: edges,
  BACKUP_ARN_MIN_LENGTH: edges,
  BACKUP_ARN_MAX_LENGTH: edges,
  LIST_BACKUPS_LIMIT_MAX: edges,
  RECOVERY_DAYS_MAX: edges,
  LIST_INSIGHTS_RESULTS_MAX: edges,
  // Answers of DescribeLimits: nothing is refused by them, so they have no edges.
  ACCOUNT_CAPACITY_UNITS_MAX: {
    file: `${CONFORMANCE}limits.test.ts`,
    words: ['AccountMaxReadCapacityUnits: 80_000', 'AccountMaxWriteCapacityUnits: 80_000'],
  },
  TABLE_CAPACITY_UNITS_MAX: {
    file: `${CONFORMANCE}limits.test.ts`,
    words: ['TableMaxReadCapacityUnits: 40_000', 'TableMaxWriteCapacityUnits: 40_000'],
  },

  // Requests
  PLACEHOLDERS_MAX_COUNT: large,
  LEGACY_ATTRIBUTES_MAX_COUNT: large,
  LEGACY_CONDITIONS_MAX_COUNT: large,
  LEGACY_VALUES_MAX_COUNT: large,
  FAILURES_MAX: { file: `${SOURCE}engine/shapes/check-constraints.test.ts` },

  // Items
  PAGE_SIZE_MAX_BYTES: {
    file: `${CONFORMANCE}query/pages.test.ts`,
    words: [
      'const PAGE_MAX_BYTES = 1024 * 1024',
      'items of 1 MB together end the page',
      'items of one byte less than 1 MB together',
      'the item that crosses 1 MB',
    ],
  },
  TOTAL_SEGMENTS_MAX: { file: `${CONFORMANCE}scan/scan.test.ts` },
  BATCH_WRITE_MAX: { file: `${CONFORMANCE}batch/batch-write-item.test.ts` },
  BATCH_GET_KEYS_MAX: batchGet,
  BATCH_GET_MAX_BYTES: { file: `${CONFORMANCE}limits-batch.test.ts` },
  BATCH_GET_PARTITION_MAX_BYTES: batchGet,
  TRANSACTION_ACTIONS_MAX: transactions,
  TRANSACTION_MAX_BYTES: transactions,
  TOKEN_LENGTH_MAX: transactions,
  TOKEN_LIFETIME_MS: { file: `${SOURCE}engine/engine.test.ts` },
  STATEMENT_LENGTH_MAX: edges,
  NEXT_TOKEN_LENGTH_MAX: edges,
  BATCH_STATEMENTS_MAX: edges,

  // Time to live
  TIME_TO_LIVE_ATTRIBUTE_MIN_LENGTH: edges,
  TIME_TO_LIVE_ATTRIBUTE_MAX_LENGTH: edges,
  EXPIRY_AGE_MAX_SECONDS: { file: `${SOURCE}engine/time-to-live/sweeper.test.ts` },
  SWEEP_ITEMS_MAX: { file: `${SOURCE}engine/time-to-live/sweeper.test.ts` },
  EXPIRY_MAX_SECONDS: { file: `${SOURCE}engine/expiry/expiry-entry.test.ts` },

  // Streams
  STREAM_RETENTION_MS: {
    file: streams,
    words: ['at(HOUR_MS + DAY_MS)', 'at(HOUR_MS + DAY_MS + 1)'],
  },
  SHARD_ROTATION_MS: {
    file: streams,
    words: ['at(4 * HOUR_MS - 1)', '[4 * HOUR_MS, 4 * HOUR_MS + 1]'],
  },
  SHARD_ITERATOR_LIFETIME_MS: {
    file: streams,
    words: ['[15 * MINUTE_MS - 1, 15 * MINUTE_MS]', 'at(15 * MINUTE_MS + 1)'],
  },
  RECORDS_PAGE_MAX: edges,
  RECORDS_PAGE_MAX_BYTES: { file: `${CONFORMANCE}limits-records.test.ts` },
  SHARDS_PAGE_MAX: edges,
  STREAMS_PAGE_MAX: edges,
  STREAM_ARN_MIN_LENGTH: edges,
  STREAM_ARN_MAX_LENGTH: edges,
  SHARD_ID_MIN_LENGTH: edges,
  SHARD_ID_MAX_LENGTH: edges,
  SEQUENCE_NUMBER_MIN_LENGTH: edges,
  SEQUENCE_NUMBER_MAX_LENGTH: edges,
  SHARD_ITERATOR_MIN_LENGTH: edges,
  SHARD_ITERATOR_MAX_LENGTH: edges,

  // The library
  ISSUES_MAX: {
    file: 'test/library/limits.test.ts',
    words: ['[99, 99]', '[100, 100]', '[101, 100]'],
  },

  // Partitions
  SHARDS_MAX: { file: `${SOURCE}schema/compile-shard.test.ts` },
  BUCKETS_MAX: { file: `${SOURCE}plan/read/fan-out.test.ts` },
  LISTED_MAX: {
    file: 'test/library/listed-partitions.test.ts',
    words: ['takes 100 values, and refuses combinations that make more partitions'],
  },

  // Codecs
  KEY_BYTES: cipher,
  NONCE_BYTES: cipher,
  TAG_BYTES: cipher,
  DATA_KEY_BYTES: { file: `${SOURCE}codecs/codecs.test.ts` },

  // The direct transport
  ANSWER_BYTES_MAX: { file: `${SOURCE}direct/answer-parser.test.ts` },

  // Storage
  PENDING_DELETES_STEP_ENTRIES_MAX: { file: `${SOURCE}engine/storage/pending-deletes.test.ts` },
  FILL_STEP_ITEMS_MAX: { file: `${SOURCE}engine/operations/fill-table.test.ts` },
  LARGE_BYTES: {
    file: `${SOURCE}engine/write/large-writes.test.ts`,
    words: ['Large enough that its writes take steps'],
  },
  SLOTS: { file: `${SOURCE}engine/storage/memory-storage.test.ts` },
}

/** Numbers inside one file with MAX or MIN in their names: why no test outside it looks at their
 * edges. */
export const INTERNAL: Readonly<Record<string, string>> = {
  COMPARISONS_MAX:
    'Beyond it a search takes another way to the same answer, which a property test compares.',
  FAILURES_MAX: 'A run over many items that meets more failures stops, and can be continued.',
  REASON_MAX: 'Of a message that people read, this much is kept with a missed write.',
  LEFT_OUT_MAX:
    'With more, a repeated call can be refused; the writes were done once all the same.',
  NAMED_MEMBERS_MAX:
    'Beyond it a set must be larger than what is taken from it; both ways are tested with required sets.',
  OFFSET_MS_MIN: 'A clock that is off by less signs what AWS accepts.',
  LINE_BYTES_MAX: 'Far more than a line between chunks has; a longer one comes from no DynamoDB.',
  HEAD_BYTES_MAX: 'Far more than the head of any answer has; a longer one comes from no DynamoDB.',
  DURATION_SECONDS_MAX:
    'The longest time that a Date can be away from now; a longer one is not a time.',
  BYTES_MAX: 'The default of an option, bytesMax, which the tests of codecs look at.',
  DEFINITIONS_READ_MAX:
    'More than all keys of a table and its indexes; some of these have no use and are refused.',
  TEXT_LENGTH_MAX: 'More than the limits of items and expressions, whose edges are tested.',
  TIMER_MS_MAX: 'What timers of the platform can wait for; longer waits are cut into such.',
  TOKEN_MS_MAX:
    'How long DynamoDB remembers a token; the tests of faults look at what comes after.',
  ALTERNATIVES_MAX: 'More alternatives are taken for any text, which can only refuse more schemas.',
  ATTEMPTS_MAX: 'How often what lost a race, or got no answer, is tried.',
  BATCH_WRITE_MAX_BYTES:
    'Where requests are cut; test/behaviour/faults.test.ts looks at a batch that is too large for one.',
  BATCH_SIZE_MAX: 'test/streams/poll.test.ts looks at it from outside.',
  BUDGET_TOKENS_MAX: 'How many retries a storm may make before it ends.',
  BYTES_PER_UNIT_MAX: 'A property of UTF-8.',
  CONTENTION_MS_MAX: 'A time; test/library/index-keys.test.ts lets it pass.',
  CONCURRENCY_MAX: 'How many requests are under way at once; the result is the same.',
  CURSOR_CHARACTERS_MAX:
    'More than any cursor has; a longer string is refused like every other string that is not a cursor.',
  DELAY_MS_MAX: 'The longest pause before a poller asks again after a failure.',
  DEPTH_MAX: 'Keeps readers off the end of the stack; what lies beyond is refused in any case.',
  DIRECTORY_DEPTH_MAX:
    'Where the hash index grows its segments instead of splitting them; it finds the same.',
  DISTANCE_MAX: 'Which names are proposed for a misspelt one.',
  DUMP_LENGTH_MAX: 'Cuts the copy of a request inside an error text.',
  EXACT_LENGTH_MAX: 'Chooses between two ways to read a number that give the same answer.',
  FINDINGS_MAX: 'test/streams/verify.test.ts looks at it from outside.',
  IDLE_MS_MAX:
    'The longest pause of a poller that finds nothing new, unless an option says another.',
  INTEGER_BITS_MAX: 'Refuses at once what the digits would refuse later.',
  JSON_GROWTH_MAX: 'A property of JSON.',
  KEYWORD_LENGTH_MAX: 'The length of the longest keyword.',
  KEY_PARTS_MAX: 'test/library/limits.test.ts looks at it from outside.',
  LENGTH_MAX: 'Longer names are not compared with known ones.',
  LIMIT_MAX: "A property of DynamoDB's Limit: a larger limit is asked for in several requests.",
  PAD_WIDTH_MAX: 'test/library/limits.test.ts looks at it from outside.',
  POLL_MS_MAX: 'The longest pause between two looks at a table that is being made.',
  RECOVERY_DAYS_MAX: 'schema/table-request.test.ts has schemas with 34, 35 and 36 days.',
  SEGMENTS_MAX: 'As TOTAL_SEGMENTS_MAX of the service, checked before sending.',
  SEGMENT_POSITIONS_MAX: 'The size of the parts of the hash index; it finds the same.',
  SEGMENT_POSITIONS_MIN: 'The size of the parts of the hash index; it finds the same.',
  SHAPES_MAX: 'Chooses between two ways to pack an item that give the same item.',
  SHAPE_NAMES_MAX: 'Chooses between two ways to pack an item that give the same item.',
  SHORT_LENGTH_MAX: 'Chooses between two ways to read a number that give the same answer.',
  STEPS_MAX: `${SOURCE}plan/compile-pattern.test.ts looks at it from outside.`,
  TOKEN_TEXT_MAX: 'A property of tokens, of whose characters one is left for the position.',
  UNDO_KEPT_MAX: 'Memory that is kept from one transaction to the next; they do the same.',
  UNIT_MAX_BYTES: 'A property of UTF-8.',
}
