import { resolvePath } from '../../expression/evaluate/resolve-path.ts'
import { ExpressionError } from '../../expression/expression-error.ts'
import { PATH_DEPTH_MAX } from '../../expression/limits.ts'
import { PathCollector } from '../../expression/paths.ts'
import type { Path } from '../../expression/tree.ts'
import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import { setOwn } from '../../values/own.ts'
import type { SelectStatement } from '../partiql/statement.ts'
import { StatementError } from '../partiql/statement-error.ts'
import { usablePath } from './bind-value.ts'

/** One element of a select list: the part of the item, and the name under which it is returned. */
export interface Column {
  readonly path: Path
  readonly name: string
}

/** What a SELECT returns of each item; undefined for `*`. */
export function bindSelectList(list: SelectStatement['list']): readonly Column[] | undefined {
  if (list === 'all') return undefined
  const columns: Column[] = []
  const names = new Set<string>()
  for (const expression of list) {
    if (expression.kind !== 'path') {
      throw new StatementError({ kind: 'path-component', at: expression.at })
    }
    const path = usablePath(expression)
    if (path.length > PATH_DEPTH_MAX) {
      throw new ExpressionError({ kind: 'path-too-deep', depth: path.length })
    }
    const name = columnName(path)
    if (names.has(name)) throw new StatementError({ kind: 'select-duplicate', name })
    names.add(name)
    columns.push({ path, name })
  }
  const collector = new PathCollector()
  for (const { path } of columns) collector.add(path)
  return columns
}

/** The last name of the path with the positions behind it: `m.c[0]` is returned as `c[0]`. */
function columnName(path: Path): string {
  let start = path.length - 1
  while (typeof path[start] === 'number') start--
  const positions = path.slice(start + 1).map((position) => `[${position}]`)
  return String(path[start]) + positions.join('')
}

/** The columns of an item, each at the top, whatever its depth in the item; what isn't there leaves
 * no trace. */
export function selectColumns(columns: readonly Column[] | undefined, item: Item): Item {
  if (columns === undefined) return item
  const selected: Record<string, AttributeValue> = {}
  for (const { path, name } of columns) {
    const value = resolvePath(path, item)
    if (value !== undefined) setOwn(selected, name, value)
  }
  return selected
}
