import { requestTargets } from 'singletable/engine'

/** What a table may be called; anything else in a request's place for a table could be a value that
 * went astray. */
const TABLE_NAME = /^[\w.-]{3,255}$/
/** A batch can name more tables than a line of a log should. */
const TABLES_MAX = 10

/** The tables that a request names, for a log: never anything that is not the name of a table. */
export function tablesOf(request: unknown): readonly string[] {
  const tables = requestTargets(request)
    .map(({ table }) => (table.startsWith('arn:') ? (table.split('/')[1] ?? '') : table))
    .filter((table) => TABLE_NAME.test(table))
  return [...new Set(tables)].slice(0, TABLES_MAX)
}
