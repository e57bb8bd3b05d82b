import type { Condition, Operand, Path } from './tree.ts'

/** The paths of a condition from left to right; iterative, since the tree may be as deep as the
 * expression is long. */
export function conditionPaths(condition: Condition): Path[] {
  const paths: Path[] = []
  const open: (Condition | Operand)[] = [condition]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    switch (next.kind) {
      case 'and':
      case 'or':
      case 'compare':
        open.push(next.right, next.left)
        break
      case 'not':
        open.push(next.condition)
        break
      case 'between':
        open.push(next.high, next.low, next.operand)
        break
      case 'in':
        // One by one: a list may be longer than arguments can be.
        for (let at = next.list.length - 1; at >= 0; at--) open.push(next.list[at]!)
        open.push(next.operand)
        break
      case 'attribute_type':
        open.push(next.type, next.operand)
        break
      case 'begins_with':
        open.push(next.prefix, next.operand)
        break
      case 'contains':
        open.push(next.search, next.operand)
        break
      case 'size':
        open.push(next.operand)
        break
      case 'exists':
      case 'path':
        paths.push(next.path)
        break
      case 'value':
        break
    }
  }
  return paths
}
