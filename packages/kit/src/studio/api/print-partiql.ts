import {
  type AttributeValue,
  type Condition,
  type Item,
  printCondition,
  readExpressions,
} from 'singletable/tools'

/** The members of a read that a statement says as well. */
interface Read {
  readonly TableName: string
  readonly IndexName?: string
  readonly Key?: Item
  readonly Select?: string
  readonly ProjectionExpression?: string
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ScanIndexForward?: boolean
}

/** A read as a SELECT; undefined where PartiQL has no words for it: counts, and bytes. */
export function printPartiql(request: object, sort: string | undefined): string | undefined {
  const read = request as Read
  if (read.Select === 'COUNT') return undefined
  const { key, filter } = readExpressions(read)
  const where = [
    ...Object.entries(read.Key ?? {}).map(([name, value]) => `${quoted(name)} = ${literal(value)}`),
    ...[key, filter].flatMap((each) => (each ? [conditionText(each)] : [])),
  ]
  const isReversed = read.ScanIndexForward === false && sort !== undefined
  const statement = [
    `SELECT ${columnsOf(read)}`,
    `FROM ${[read.TableName, read.IndexName].flatMap((each) => (each ? [quoted(each)] : [])).join('.')}`,
    ...(where.length > 0 ? [`WHERE ${where.join('\n  AND ')}`] : []),
    ...(isReversed ? [`ORDER BY ${quoted(sort)} DESC`] : []),
  ].join('\n')
  return statement.includes(BYTES) ? undefined : statement
}

/** Never part of a statement: literals have no control characters that are not doubled. */
const BYTES = '\0bytes'

function columnsOf({ ProjectionExpression: text, ExpressionAttributeNames: names }: Read): string {
  if (text === undefined) return '*'
  return text.replaceAll(/#\w+/g, (placeholder) => quoted(names?.[placeholder] ?? placeholder))
}

/** Only presence and lists are written in another way than in conditions. */
function conditionText(condition: Condition): string {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return `(${conditionText(condition.left)} ${condition.kind.toUpperCase()} ${conditionText(condition.right)})`
    case 'not':
      return `NOT (${conditionText(condition.condition)})`
    case 'exists': {
      const path = printCondition(condition, WRITING)
        .replace(/^\w+\(/, '')
        .slice(0, -1)
      return `${path} IS ${condition.negated ? '' : 'NOT '}MISSING`
    }
    default:
      return printCondition(condition, WRITING)
  }
}

const WRITING = { name: quoted, value: literal }

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function literal(value: AttributeValue): string {
  if (value.S !== undefined) return text(value.S)
  if (value.N !== undefined) return value.N
  if (value.BOOL !== undefined) return String(value.BOOL)
  if (value.NULL !== undefined) return 'NULL'
  if (value.SS) return `<<${value.SS.map(text).join(', ')}>>`
  if (value.NS) return `<<${value.NS.join(', ')}>>`
  if (value.L) return `[${value.L.map(literal).join(', ')}]`
  if (value.M) {
    const members = Object.entries(value.M).map(([name, each]) => `${text(name)}: ${literal(each)}`)
    return `{${members.join(', ')}}`
  }
  return BYTES
}

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}
