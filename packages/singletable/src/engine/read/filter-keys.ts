import type { Condition, Operand } from '../../expression/tree.ts'
import type { Index, KeyAttribute } from '../catalog/table.ts'

/** The first key attribute of the index, in the order of its key schema, that a filter mentions; Query doesn't allow that. */
export function filteredKey(index: Index, filter: Condition): string | undefined {
  const mentioned = mentionedNames(filter)
  const isMentioned = ({ name }: KeyAttribute) => mentioned.has(name)
  return (index.partition.find(isMentioned) ?? index.sort.find(isMentioned))?.name
}

function mentionedNames(filter: Condition): ReadonlySet<string> {
  const names = new Set<string>()
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
      case 'path':
        names.add(next.path[0])
        break
      case 'value':
        break
    }
  }
  return names
}
