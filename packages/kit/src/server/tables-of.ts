/** What a table may be called; anything else in a request's place for a table could be a value that went astray. */
const TABLE_NAME = /^[\w.-]{3,255}$/
/** A batch can name more tables than a line of a log should. */
const TABLES_MAX = 10

/** The tables that a request names, for a log: never anything that is not the name of a table. */
export function tablesOf(request: unknown): readonly string[] {
  const tables = new Set<string>()
  const add = (name: unknown): void => {
    if (typeof name !== 'string' || tables.size >= TABLES_MAX) return
    const table = name.startsWith('arn:') ? (name.split('/')[1] ?? '') : name
    if (TABLE_NAME.test(table)) tables.add(table)
  }
  const { TableName, RequestItems, TransactItems } = membersOf(request)
  add(TableName)
  for (const name of Object.keys(membersOf(RequestItems))) add(name)
  if (Array.isArray(TransactItems)) {
    for (const item of TransactItems.slice(0, 100)) {
      for (const action of Object.values(membersOf(item))) add(membersOf(action).TableName)
    }
  }
  return [...tables]
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
