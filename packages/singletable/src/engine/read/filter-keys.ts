import type { Condition, Operand } from '../../expression/tree.ts'
import type { Index } from '../catalog/table.ts'

/** The first key attribute of the index that a filter mentions; Query doesn't allow that. */
export function filteredKey(index: Index, filter: Condition): string | undefined {
  const open: (Condition | Operand)[] = [filter]
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
        open.push(...[...next.list].reverse(), next.operand)
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
      case 'path': {
        const [name] = next.path
        if (isKey(index, name)) return name
        break
      }
      case 'value':
        break
    }
  }
  return undefined
}

function isKey(index: Index, name: string): boolean {
  return [index.partition, index.sort].some((attributes) =>
    attributes.some((attribute) => attribute.name === name),
  )
}
