/**
 * What the page and the server of the studio say to each other. Only types and data: the page is
 * bundled without anything of Node.
 */

interface Contents {
  S: string
  N: string
  B: string
  BOOL: boolean
  NULL: boolean
  SS: readonly string[]
  NS: readonly string[]
  BS: readonly string[]
  L: readonly StoredValue[]
  M: StoredItem
}

/** A value as DynamoDB's JSON has it: numbers are strings, so that no digit is lost. */
export type StoredValue = {
  [Tag in keyof Contents]: { readonly [Own in Tag]: Contents[Tag] } & {
    readonly [Other in Exclude<keyof Contents, Tag>]?: undefined
  }
}[keyof Contents]

export interface StoredItem {
  readonly [attribute: string]: StoredValue
}

/** A stored item, and the entity whose keys it has. */
export interface FoundItem {
  /** Null if no model of the schema has such keys. */
  readonly entity: string | null
  /** What the library keeps in addition to items: the guard of a unique value, or a sequence. */
  readonly kept: 'guard' | 'sequence' | null
  readonly item: StoredItem
  readonly bytes: number
}

/** A piece of a key template: text as it is, or the value of an attribute. */
export type KeySegment =
  | { readonly text: string }
  | { readonly attribute: string; readonly format?: string }

/** One attribute of a key, as an entity makes it. */
export interface KeyTemplateView {
  /** The key attribute. */
  readonly name: string
  readonly segments: readonly KeySegment[]
}

export interface EntityIndex {
  readonly index: string
  readonly hash: readonly KeyTemplateView[]
  readonly sort: readonly KeyTemplateView[]
  /** When the item is in the index, in words; null if always. */
  readonly when: string | null
}

export interface AttributeView {
  readonly name: string
  /** The name that DynamoDB knows. */
  readonly stored: string
  /** In words, such as `Array of Number`. */
  readonly type: string
  /** What a form shows for it. */
  readonly input: 'text' | 'number' | 'boolean' | 'date' | 'json' | 'select'
  readonly options: readonly string[]
  readonly isRequired: boolean
  /** Part of the primary key, so that it never changes. */
  readonly isKey: boolean
  /** Kept by the library: timestamps, versions, counters, computed values. */
  readonly isKept: boolean
  /** The item that the value names, alone or with others. */
  readonly refersTo: ReferenceView | null
}

/** How attributes of an item are the primary key of another. */
export interface ReferenceView {
  readonly entity: string
  /** By attribute of its key: the attribute that has the value. */
  readonly by: { readonly [keyAttribute: string]: string }
}

export interface EntityView {
  readonly name: string
  /** The entity that it repeats; written together with it, never by itself. */
  readonly copyOf: string | null
  readonly attributes: readonly AttributeView[]
  /** The primary index first. */
  readonly indexes: readonly EntityIndex[]
}

export interface IndexView {
  readonly name: string
  readonly type: 'primary' | 'global' | 'local'
  readonly hash: readonly string[]
  readonly sort: readonly string[]
  /** Of its key attributes. */
  readonly keyTypes: { readonly [attribute: string]: 'S' | 'N' | 'B' }
  readonly project: 'all' | 'keys' | readonly string[]
}

export interface InputView {
  readonly name: string
  readonly isRequired: boolean
  /** `range` takes bounds; `list` takes several values. */
  readonly kind: 'value' | 'range' | 'list'
  readonly input: AttributeView['input']
  readonly options: readonly string[]
}

export interface PatternView {
  readonly name: string
  readonly title: string
  readonly op: string
  readonly entities: readonly string[]
  readonly index: string | null
  /** By key attribute, such as `= USER#${username}`. */
  readonly key: readonly (readonly [name: string, condition: string])[]
  readonly inputs: readonly InputView[]
  /** It can be run here: it reads, and the table answers it. */
  readonly isRunnable: boolean
  readonly limit: number | null
  readonly order: 'asc' | 'desc' | null
  readonly alsoReads: readonly string[]
  readonly incomplete: string | null
  readonly requests: number
  /** What one call reads and writes, in units. */
  readonly readUnits: number | null
  readonly writeUnits: number | null
  readonly rps: number | null
  readonly dollarsPerMonth: number | null
  readonly filter: string | null
  /** Whether it should run: it is neither planned nor answered elsewhere. */
  readonly expected: 'run' | 'planned' | 'elsewhere'
}

/** Calls of a pattern, and how long 95 of 100 of them took at most. */
export interface CallsView {
  readonly calls: number
  readonly p95Ms: number
}

/** Where each pattern was run, as far as that is known. */
export interface PatternRuns {
  /** What `singletable recorder` wrote; null if there is no such file. */
  readonly recording: {
    readonly file: string
    readonly at: string
    /** Why it can't be used. */
    readonly problem: string | null
  } | null
  /** Queries of other programs are counted too: they come through `singletable dev`. */
  readonly isShared: boolean
  /** Of those patterns that were run. */
  readonly patterns: readonly PatternRun[]
}

export interface PatternRun {
  readonly pattern: string
  /** Requests of the recording. */
  readonly recorded: number | null
  /** Calls of this studio. */
  readonly studio: CallsView | null
  /** Queries of other programs that have the plan of the pattern. */
  readonly programs: CallsView | null
}

export interface FindingView {
  readonly code: string
  readonly name: string
  readonly severity: 'error' | 'warning' | 'info'
  readonly message: string
  readonly fix: string
  readonly entity: string | null
  readonly attribute: string | null
  readonly index: string | null
  readonly pattern: string | null
  /** Of the schema file, if it is known. */
  readonly line: number | null
  /** The fix in the source of the schema, where one change of it is enough. */
  readonly diff: readonly HunkView[]
}

/** Lines of a file before and after a change, with some around them. */
export interface HunkView {
  readonly file: string
  /** The number of its first line. */
  readonly line: number
  readonly lines: readonly { readonly mark: ' ' | '-' | '+'; readonly text: string }[]
}

/** An entity that names another by its key. */
export interface RelationView {
  readonly parent: string
  readonly child: string
  readonly many: boolean
  readonly label: string
}

/** Where the drawing of the entities has its boxes and lines. */
export interface Drawing {
  readonly width: number
  readonly height: number
  readonly boxes: readonly {
    readonly x: number
    readonly y: number
    readonly width: number
    readonly height: number
    readonly entity: string
    readonly attributes: readonly {
      readonly name: string
      readonly type: string
      readonly isKey: boolean
    }[]
  }[]
  readonly lines: readonly {
    readonly parent: string
    readonly child: string
    readonly many: boolean
    readonly stretches: readonly {
      readonly from: number
      readonly to: number
      readonly y: number
    }[]
    readonly label: { readonly x: number; readonly y: number; readonly text: string }
  }[]
}

export interface Design {
  readonly table: string
  /** Empty if the schema was guessed. */
  readonly schemaFile: string
  /** Changes with the schema. */
  readonly version: number
  /** Where the data is. */
  readonly place: string
  readonly isAws: boolean
  readonly isReadOnly: boolean
  /** Other tables of the endpoint can be opened. */
  readonly showsTables: boolean
  /** It is not the table that addresses without a name mean. */
  readonly isOther: boolean
  /** The table has no schema, only one that was guessed: items are written as they are. */
  readonly isGuessed: boolean
  readonly typeField: string
  readonly entities: readonly EntityView[]
  readonly indexes: readonly IndexView[]
  readonly patterns: readonly PatternView[]
  readonly findings: readonly FindingView[]
  readonly relations: readonly RelationView[]
  readonly drawing: Drawing
  /** Patterns, findings and the drawing are left out: they take longer than all the rest. */
  readonly isPartial: boolean
  /** What keeps the last edit of the schema from being used; the one before is shown. */
  readonly broken: Failure | null
}

export interface EntityCount {
  readonly entity: string | null
  readonly items: number
  readonly bytes: number
}

export interface Overview {
  /** What DynamoDB says of the table; of AWS up to six hours old. */
  readonly itemCount: number
  readonly sizeBytes: number
  readonly status: string
  /** All that DynamoDB says of the table, as JSON. */
  readonly description: string
  /** The attribute that has the time at which an item expires; null if none. */
  readonly timeToLive: { readonly attribute: string; readonly status: string } | null
  /** What was counted, or null where counting costs money and nobody asked for it. */
  readonly counted: {
    readonly entities: readonly EntityCount[]
    /** Items that each index has. */
    readonly indexes: readonly { readonly index: string; readonly items: number }[]
    readonly items: number
    /** Items with a time to live, and those of them that are due and not deleted yet. */
    readonly expiring: number
    readonly expired: number
    readonly isWhole: boolean
  } | null
  readonly spent: Spent
}

/** What an action took. */
export interface Spent {
  readonly units: number
  readonly itemsRead: number
  readonly itemsReturned: number
  readonly requests: number
  readonly ms: number
  readonly index: string | null
}

/** The partitions of an index that have most, of the items that were looked at. */
export interface Heat {
  readonly partitions: readonly {
    /** The partition key as it is stored, in the order of the index's attributes. */
    readonly hash: readonly string[]
    readonly items: number
    readonly bytes: number
    readonly entities: readonly string[]
  }[]
  readonly partitionCount: number
  readonly items: number
  readonly bytes: number
  readonly isWhole: boolean
  readonly spent: Spent
}

/** Requests of the last minutes by partition, the busiest first. */
export interface TrafficView {
  readonly partitions: readonly {
    readonly hash: readonly string[]
    readonly reads: number
    readonly writes: number
    /** Capacity units, as answers report them. */
    readonly readUnits: number
    readonly writeUnits: number
    /** Units of its busiest second. */
    readonly readPeak: number
    readonly writePeak: number
  }[]
  /** Units in each of the last minutes, the oldest first. */
  readonly history: readonly { readonly reads: number; readonly writes: number }[]
  /** Requests of other programs are counted too: they come through `singletable dev`. */
  readonly isShared: boolean
}

/** What CloudWatch Contributor Insights has of an index. */
export interface InsightsView {
  readonly state:
    | 'enabled'
    | 'enabling'
    | 'disabled'
    /** DynamoDB could not enable it; `problem` has the reason. */
    | 'failed'
    /** A local index counts for the table. */
    | 'local-index'
    /** The table is not on AWS. */
    | 'unavailable'
  /** Only requests that were throttled are counted. */
  readonly isThrottledOnly: boolean
  readonly minutes: number
  readonly problem: string | null
  readonly reports: readonly InsightsReport[]
}

/** A rule of Contributor Insights: its keys with most, the first the most. */
export interface InsightsReport {
  /** Capacity consumed, or requests throttled. */
  readonly what: 'accessed' | 'throttled'
  readonly of: 'partition' | 'item'
  readonly total: number
  readonly uniqueCount: number
  readonly contributors: readonly { readonly keys: readonly string[]; readonly value: number }[]
}

export interface Page {
  readonly items: readonly FoundItem[]
  readonly cursor: string | null
  readonly spent: Spent
}

/** A condition on the sort key, by its stored text. */
export interface SortCondition {
  readonly op: '=' | '<' | '<=' | '>' | '>=' | 'begins_with' | 'between'
  readonly values: readonly string[]
}

/** A condition on any attribute. What it leaves out is read and paid for. */
export interface FilterCondition {
  readonly attribute: string
  readonly op: SortCondition['op'] | '<>' | 'contains' | 'exists' | 'not exists'
  readonly type: 'S' | 'N' | 'BOOL'
  readonly values: readonly string[]
}

export interface ScanRequest {
  readonly index: string
  readonly filters?: readonly FilterCondition[] | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

export interface QueryRequest extends ScanRequest {
  /** The partition key as it is stored, in the order of the index's attributes. */
  readonly hash: readonly string[]
  readonly sort?: SortCondition | undefined
  readonly isReversed?: boolean | undefined
}

export interface StatementRequest {
  readonly statement: string
  readonly limit: number
  readonly cursor?: string | undefined
}

/** One item in one index. */
export interface IndexCopy {
  readonly index: string
  /** `absent`: the item has not the keys. `unexpected`: its model says otherwise than the item. */
  readonly state: 'present' | 'absent' | 'missing' | 'unexpected'
  readonly hash: string | null
  readonly sort: string | null
  /** Stored attributes that the index has of the item. */
  readonly attributes: readonly string[]
  readonly bytes: number
  readonly writeUnits: number
}

export interface ItemDetail {
  readonly found: FoundItem
  /** Attributes as their entity reads them, each as a form shows it. */
  readonly strings: { readonly [attribute: string]: string }
  /** Why the entity can't read it. */
  readonly problem: Failure | null
  readonly indexes: readonly IndexCopy[]
  readonly spent: Spent
}

/** A range as it is typed: bounds by name, such as `from` and `to`. */
export type InputText = string | readonly string[] | { readonly [bound: string]: string }

export interface PatternRequest {
  readonly pattern: string
  readonly input: { readonly [name: string]: InputText }
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface CodeView {
  readonly language: string
  readonly text: string
}

export interface PatternPlanView {
  /** What is sent, and what it means. */
  readonly request: string
  readonly operation: string
  readonly code: readonly CodeView[]
  readonly notes: readonly string[]
}

export interface PatternAnswer {
  /** Rows as the entity returns them, each value as a form shows it. */
  readonly groups: readonly {
    readonly entity: string
    readonly rows: readonly { readonly [attribute: string]: string }[]
  }[]
  /** What a pattern gives that counts, or asks whether there is anything. */
  readonly scalar: string | null
  readonly cursor: string | null
  readonly spent: Spent
}

/** A file for the project of whoever looks at the page. */
export interface SavedFile {
  readonly name: string
  readonly text: string
}

/**
 * An item as it is typed in DynamoDB's JSON. What an entity reads is still written through the
 * library.
 */
export interface RawEdit {
  readonly kind: 'raw'
  readonly entity: string | null
  /** The item as it was read; null for a new one. */
  readonly before: StoredItem | null
  /** Null deletes. */
  readonly after: StoredItem | null
}

/** A change that waits to be saved. */
export type Edit = EntityEdit | RawEdit

export type EntityEdit =
  | {
      readonly kind: 'create'
      readonly entity: string
      readonly strings: { readonly [attribute: string]: string }
      /**
       * The item that was deleted, in place of strings: it comes back with what nobody can give,
       * such as counters, times and its version.
       */
      readonly restores?: StoredItem
    }
  | {
      readonly kind: 'update'
      readonly entity: string
      /** The item as it was read: the change holds only for this. */
      readonly before: StoredItem
      /** What is to be different; null removes. */
      readonly strings: { readonly [attribute: string]: string | null }
      /** The same as values, which are exact: a text can't say whether null is one. */
      readonly values?: { readonly [attribute: string]: StoredValue | null }
    }
  | { readonly kind: 'delete'; readonly entity: string; readonly before: StoredItem }

/** What a change would send, or did. */
export type EditOutcome =
  | {
      readonly state: 'planned' | 'saved'
      /** Requests in words, such as `UpdateItem` or `TransactWriteItems of 3`. */
      readonly writes: readonly string[]
      /** What else follows from it: copies, unique values, counters, entries of indexes. */
      readonly notes: readonly string[]
      /** What takes it back, once it was saved. */
      readonly undo: Edit | null
    }
  | { readonly state: 'conflict'; readonly now: StoredItem | null; readonly failure: Failure }
  | { readonly state: 'failed'; readonly failure: Failure }

/** An error as the library reports it. */
export interface Failure {
  readonly code: string
  readonly what: string
  readonly where: string | null
  readonly fix: string | null
}

/** What the server sends without being asked. */
export type StudioEvent =
  | { readonly kind: 'design'; readonly version: number }
  | { readonly kind: 'stopped' }

/** An attribute of a changed item, before and after; null where it is absent. */
export interface StreamValue {
  readonly name: string
  readonly before: string | null
  readonly after: string | null
}

/** A change of an item, as the stream of the table has it. */
export interface StreamChange {
  readonly id: string
  readonly kind: 'insert' | 'modify' | 'remove'
  readonly at: string
  readonly entity: string | null
  readonly kept: FoundItem['kept']
  readonly key: StoredItem
  /** The time to live removed it. */
  readonly isExpiry: boolean
  /** What wrote it; null where that is not known for certain. */
  readonly cause: ChangeCauseView | null
  /** What differs; of a new or removed item all that the stream has of it. */
  readonly values: readonly StreamValue[]
}

export interface ChangeCauseView {
  readonly operation: string
  /** This studio, or another program through the endpoint of `singletable dev`. */
  readonly by: 'studio' | 'program'
  /** Such as `Post.update()`; null if the request was not made by the library here. */
  readonly call: string | null
  readonly pattern: string | null
}

/** What `/api/stream` sends for as long as the page listens. */
export type StreamEvent =
  | { readonly kind: 'following'; readonly images: string }
  | { readonly kind: 'change'; readonly change: StreamChange }
  /** Some changes were deleted before they could be read. */
  | { readonly kind: 'gap' }
  /** The table has no stream, or it was switched off. */
  | { readonly kind: 'off' }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** A migration of the project, of the table, or of both. */
export interface MigrationView {
  readonly id: string
  /** As `singletable migrate status` says it. */
  readonly status: string
  readonly startedAt: string | null
  readonly endedAt: string | null
  readonly note: string | null
  /** It is, or was, undone. */
  readonly isDown: boolean
  readonly steps: readonly string[]
  /** What it costs at most; null if it is applied. */
  readonly readUnits: number | null
  readonly writeUnits: number | null
  /** How far it is, if it has started and is not done. */
  readonly progress: {
    readonly stage: number
    readonly stages: number
    readonly pass: number
    readonly read: number
    readonly changed: number
    readonly problems: number
  } | null
}

export interface MigrationsView {
  /** The folder of the project's migrations; empty if there is none. */
  readonly directory: string
  readonly migrations: readonly MigrationView[]
  /** What this studio carries out now, or the last that failed. */
  readonly run: MigrationRun | null
  /** Who migrates the table now. */
  readonly lock: { readonly owner: string; readonly isLeft: boolean } | null
  /** What is wrong with the migrations of the project, each in a sentence. */
  readonly problems: readonly string[]
  readonly spent: Spent
}

/** Migrations that were started on the page. */
export interface MigrationRun {
  readonly id: string
  /** Capacity units so far. */
  readonly units: number
  /** Items of the table, as DynamoDB knows them. */
  readonly total: number
  readonly failure?: Failure
}

/** What a migration would do to some items. */
export interface MigrationTrial {
  readonly read: number
  readonly changed: number
  readonly problems: number
  readonly reasons: readonly string[]
  readonly examples: readonly {
    readonly key: string
    readonly before: StoredItem
    readonly after: readonly StoredItem[]
  }[]
  /** All items of the table were read. */
  readonly isWhole: boolean
  readonly spent: Spent
}

/** `dynamodb` is DynamoDB's JSON, which `singletable load` reads; `json` has items as entities
 * return them. */
export interface ExportRequest {
  readonly format: 'dynamodb' | 'json' | 'csv'
  /** Only items of this entity. */
  readonly entity?: string | undefined
  /** Only this partition of the index. */
  readonly index: string
  readonly hash?: readonly string[] | undefined
  /** What a pattern gives, in place of items of the table. */
  readonly call?: PatternRequest | undefined
}

/** A part of a file, of whole records. */
export interface ImportRequest {
  /** `json` has rows alone: JSON lines that are not items. */
  readonly format: 'dynamodb' | 'csv' | 'json'
  /** The name of the file, for messages. */
  readonly name: string
  readonly text: string
  /** Which attribute each column is, where the file has rows; otherwise it has items. */
  readonly mapping?: ImportMapping | undefined
  /** Lines of the file before this part. */
  readonly line: number
  /** Items that the table has with other values are replaced; otherwise they stay. */
  readonly replaces: boolean
  readonly isDryRun: boolean
  /** The name of the table, as it was typed: needed to write on AWS. */
  readonly table?: string | undefined
}

/** What became of the records, or would. */
export interface ImportOutcome {
  readonly read: number
  readonly created: number
  readonly replaced: number
  /** Items that the table has already. */
  readonly same: number
  /** Items that the table has with other values, and that stay. */
  readonly conflicts: number
  /** What the library writes by itself, and what no entity has. */
  readonly skipped: number
  /** Items that the schema does not allow. */
  readonly refused: number
  readonly conflictKeys: readonly string[]
  readonly problems: readonly string[]
  /** Columns that the mapping does not name; their rows are refused. */
  readonly unmapped: readonly string[]
  /** Of a dry run: the keys that its items take, so that two rows with one key are found. */
  readonly keys: readonly ImportKey[]
  /** Of a dry run: its first items, as they would be stored. */
  readonly preview: readonly ImportPreview[]
  readonly spent: Spent
}

/** Columns of a file as attributes of an entity; null leaves a column out. */
export interface ImportMapping {
  readonly entity: string
  readonly columns: { readonly [column: string]: string | null }
}

export interface ImportKey {
  readonly key: string
  readonly what: 'key' | 'unique value' | 'key of a copy'
  /** The file and the line. */
  readonly at: string
}

export interface ImportPreview {
  readonly at: string
  readonly entity: string
  readonly state: 'new' | 'replaces' | 'same' | 'conflict'
  readonly item: StoredItem
}

/** What the beginning of a file looks like: items of this table, or rows to be mapped. */
export interface FileView {
  readonly kind: 'items' | 'rows'
  readonly columns: readonly {
    readonly name: string
    /** What its cells hold, such as `integer`. */
    readonly type: string
    readonly examples: readonly string[]
  }[]
  /** The columns of each entity by their names, the entity that fits best first. */
  readonly proposals: readonly {
    readonly entity: string
    /** The attributes that a column may be. */
    readonly attributes: readonly string[]
    readonly columns: { readonly [column: string]: string }
  }[]
}

/** A table of a model of NoSQL Workbench. */
export interface WorkbenchView {
  readonly name: string
  /** Its keys have the names of those of the table that is shown. */
  readonly isSameKey: boolean
  readonly keys: readonly string[]
  readonly indexes: readonly string[]
  readonly facets: readonly { readonly name: string; readonly aliases: readonly string[] }[]
  readonly items: number
  readonly unreadable: number
  /** A schema for it, as `singletable infra workbench --import` prints it. */
  readonly draft: string
  /** Its sample data in DynamoDB JSON, an item on each line. */
  readonly lines: string
}

/** A table of the endpoint. */
export interface TableView {
  readonly name: string
  readonly status: string
  readonly itemCount: number
  readonly sizeBytes: number
  /** With their types, such as `pk (S)`. */
  readonly keys: readonly string[]
  readonly indexes: readonly string[]
  readonly billing: 'on demand' | 'provisioned'
  readonly hasStream: boolean
}

export interface TablesView {
  readonly tables: readonly TableView[]
  readonly spent: Spent
}

/** Answers of the API by path: what a call gives, or why it gives nothing. */
export interface Answers {
  '/api/session': { readonly design: Design }
  '/api/design': Design
  '/api/overview': Overview
  '/api/tables': TablesView
  '/api/heat': Heat
  '/api/traffic': TrafficView
  '/api/runs': PatternRuns
  '/api/insights': InsightsView
  '/api/scan': Page
  '/api/query': Page
  '/api/statement': Page
  '/api/item': { readonly detail: ItemDetail | null }
  '/api/key': { readonly key: StoredItem }
  '/api/plan': PatternPlanView
  '/api/pattern': PatternAnswer
  '/api/fixture': SavedFile
  '/api/pattern-test': SavedFile
  '/api/change': EditOutcome
  '/api/start-stream': { readonly ok: true }
  '/api/import': ImportOutcome
  '/api/file': FileView
  '/api/workbench': { readonly tables: readonly WorkbenchView[] }
  '/api/migrations': MigrationsView
  '/api/try-migration': MigrationTrial
  '/api/run-migrations': { readonly ok: true }
  '/api/pause-migrations': { readonly ok: true }
}
