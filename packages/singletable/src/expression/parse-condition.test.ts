import { describe, expect, it } from 'vitest'
import { parseCondition } from './parse-condition.ts'
import type { ConditionNode, OperandSyntax } from './syntax.ts'

/** The tree with all its parentheses, so that grouping can be read off. */
function outline(node: ConditionNode | OperandSyntax): string {
  switch (node.kind) {
    case 'and':
    case 'or':
      return `(${outline(node.left)} ${node.kind} ${outline(node.right)})`
    case 'not':
      return `(not ${outline(node.condition)})`
    case 'compare':
      return `${outline(node.left)}${node.operator}${outline(node.right)}`
    case 'between':
      return `${outline(node.operand)} between ${outline(node.low)} ${outline(node.high)}`
    case 'in':
      return `${outline(node.operand)} in ${node.list.map(outline).join('|')}`
    case 'call':
      return `${node.name}[${node.arguments.map(outline).join('|')}]`
    case 'path':
      return node.components.join('/')
    case 'value':
      return node.placeholder
  }
}

describe('grouping', () => {
  it.each([
    ['a=b OR c=d AND e=f', '(a=b or (c=d and e=f))'],
    ['a=b AND c=d OR e=f', '((a=b and c=d) or e=f)'],
    ['a=b OR c=d OR e=f', '((a=b or c=d) or e=f)'],
    ['a=b AND c=d AND e=f', '((a=b and c=d) and e=f)'],
    ['a=b AND (c=d OR e=f)', '(a=b and (c=d or e=f))'],
    ['NOT a=b AND c=d', '((not a=b) and c=d)'],
    ['NOT (a=b AND c=d)', '(not (a=b and c=d))'],
    ['NOT NOT a=b', '(not (not a=b))'],
    ['a=b AND NOT c=d OR e=f', '((a=b and (not c=d)) or e=f)'],
    ['NOT a BETWEEN b AND c AND d=e', '((not a between b c) and d=e)'],
    ['(a) = (b)', 'a=b'],
    ['(size((a)))<=:v', 'size[a]<=:v'],
    ['((contains(a,b)) OR c=d) AND e IN (f, (:g))', '((contains[a|b] or c=d) and e in f|:g)'],
    ['attribute_exists = sizes.name_1[0]', 'attribute_exists=sizes/name_1/0'],
  ])('%s', (text, expected) => {
    expect(outline(parseCondition(text).root)).toBe(expected)
  })
})

it('a path without placeholders is bound already when it is read', () => {
  const { root } = parseCondition('a.b[1] = #c')
  expect(root).toEqual({
    kind: 'compare',
    operator: '=',
    left: {
      kind: 'path',
      components: ['a', 'b', 1],
      bound: { kind: 'path', path: ['a', 'b', 1] },
    },
    right: { kind: 'path', components: ['#c'], bound: undefined },
  })
})

it('comparators, logic, BETWEEN and IN count as operators, calls do not', () => {
  expect(parseCondition('NOT size(a) > b AND c BETWEEN d AND e OR f IN (g, h)').operators).toBe(6)
})
