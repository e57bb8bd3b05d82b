export {
  type PartiQL,
  partiql,
  type Statement,
  type StatementOptions,
  type StatementPage,
  type StatementPageOptions,
  type StatementResult,
} from './partiql.ts'
export type { Row } from './row.ts'
