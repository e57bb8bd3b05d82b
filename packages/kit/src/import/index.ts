/** Mappings of rows to items, for `singletable import`. */
export {
  type Computed,
  columns,
  defineImport,
  type Emit,
  type ImportDefinition,
  type ImportMapping,
} from './define-import.ts'
export type { Cell } from './row.ts'
export {
  csv,
  dynamodbTable,
  exportFolder,
  type ImportSource,
  jsonLines,
  postgres,
  sqlTable,
} from './sources.ts'
