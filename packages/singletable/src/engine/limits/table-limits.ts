/** Limits of tables, their indexes and tags. (AWS Developer Guide, quotas.) */

export const TABLE_NAME_MIN_LENGTH = 3
export const TABLE_NAME_MAX_LENGTH = 255
export const INDEX_NAME_MIN_LENGTH = 3
export const INDEX_NAME_MAX_LENGTH = 255

/** Key attributes of a table or a local index. */
export const KEY_ELEMENTS_MAX = 2
/** Key attributes of a global index, of each role and in all. */
export const GLOBAL_KEY_ROLE_MAX = 4
export const GLOBAL_KEY_ELEMENTS_MAX = 8
/** NonKeyAttributes of one index. */
export const PROJECTED_PER_INDEX_MAX = 20

/** Read or write units of a table or an index; AWS refuses more before it looks at the account's
 * quota. */
export const THROUGHPUT_MAX = 1_000_000_000_000

export const TAGS_MAX = 50
export const TAG_KEY_MAX_LENGTH = 128
export const TAG_VALUE_MAX_LENGTH = 256
export const RESOURCE_ARN_MAX_LENGTH = 1283

export const LIST_TABLES_LIMIT_MAX = 100

export const BACKUP_NAME_MIN_LENGTH = 3
export const BACKUP_NAME_MAX_LENGTH = 255
export const BACKUP_ARN_MIN_LENGTH = 37
export const BACKUP_ARN_MAX_LENGTH = 1024
export const LIST_BACKUPS_LIMIT_MAX = 100
export const RECOVERY_DAYS_MAX = 35
export const LIST_INSIGHTS_RESULTS_MAX = 100

/** What DescribeLimits answers: the quotas of a new account. */
export const ACCOUNT_CAPACITY_UNITS_MAX = 80_000
export const TABLE_CAPACITY_UNITS_MAX = 40_000
