import type { CodeFile } from '../../../source/code-file.ts'
import { bindingOf, resolve } from '../../../source/resolve.ts'
import {
  child,
  children,
  isCall,
  isFunction,
  isMember,
  nameOf,
  nodesWithin,
  type SyntaxNode,
  unwrap,
} from '../../../source/syntax.ts'

/** Expressions inside expressions: no deeper than this. */
const DEPTH_MAX = 30

/**
 * How many elements an expression has, where the code shows it: what is written out, a slice of a
 * constant size, what map and flatMap make of it. Of a chunk it is the number of a full one.
 * Undefined where it is not known.
 */
export function countElements(
  file: CodeFile,
  node: SyntaxNode | undefined,
  depth = 0,
): number | undefined {
  const list = resolve(file, node)
  if (list === undefined || depth > DEPTH_MAX) return undefined
  const count = (each: SyntaxNode | undefined): number | undefined =>
    countElements(file, each, depth + 1)
  if (list.type === 'ArrayExpression') {
    return sum(
      children(list, 'elements').map((element) =>
        element.type === 'SpreadElement' ? count(child(element, 'argument')) : 1,
      ),
    )
  }
  if (list.type === 'Identifier') {
    const binding = bindingOf(file, list, String(list.name))
    return binding?.kind === 'element' ? chunkSize(file, binding.of, depth + 1) : undefined
  }
  if (!isCall(list) && list.type !== 'NewExpression') return undefined
  const callee = child(list, 'callee')
  const parameters = children(list, 'arguments')
  if (nameOf(callee) === 'from' && nameOf(child(callee, 'object')) === 'Array') {
    return lengthGiven(file, parameters[0], depth) ?? count(parameters[0])
  }
  if (nameOf(callee) === 'Array' && parameters.length === 1) {
    return constant(file, parameters[0], depth)
  }
  const of = isMember(callee) ? child(callee, 'object') : undefined
  switch (of && nameOf(callee)) {
    case 'map':
    case 'fill':
    case 'sort':
    case 'toSorted':
    case 'reverse':
    case 'toReversed':
      return count(of)
    case 'concat':
      return sum([of, ...parameters].map(count))
    case 'flatMap': {
      const each = elementsReturned(file, parameters[0], depth)
      const elements = count(of)
      return each === undefined || elements === undefined ? undefined : each * elements
    }
    case 'slice':
    case 'splice':
      return sliceSize(file, parameters, nameOf(callee) === 'splice', depth)
    default:
      return undefined
  }
}

/** The size of each part of what is cut into parts: `chunk(orders, 25)`. */
function chunkSize(file: CodeFile, node: SyntaxNode, depth: number): number | undefined {
  const call = resolve(file, node)
  if (!isCall(call) || !/chunk|batch|partition|split/i.test(nameOf(child(call, 'callee')) ?? '')) {
    return undefined
  }
  const sizes = children(call, 'arguments').map((parameter) => constant(file, parameter, depth))
  return sizes.find((size) => size !== undefined)
}

function lengthGiven(
  file: CodeFile,
  node: SyntaxNode | undefined,
  depth: number,
): number | undefined {
  const property = children(unwrap(node), 'properties').find(
    (each) => nameOf(child(each, 'key')) === 'length',
  )
  return property && constant(file, child(property, 'value'), depth)
}

/** Of `slice(i, i + 25)` and `slice(0, 25)`; of `splice(0, 25)` the second number is the size
 * itself. */
function sliceSize(
  file: CodeFile,
  [from, to]: readonly SyntaxNode[],
  isSplice: boolean,
  depth: number,
): number | undefined {
  if (isSplice) return constant(file, to, depth)
  const end = unwrap(to)
  const start = constant(file, from, depth)
  const last = constant(file, end, depth)
  if (start !== undefined && last !== undefined) return last - start >= 0 ? last - start : undefined
  if (end?.type !== 'BinaryExpression' || end.operator !== '+') return undefined
  const name = nameOf(from)
  const [left, right] = [child(end, 'left'), child(end, 'right')]
  if (name === undefined || from?.type !== 'Identifier') return undefined
  if (nameOf(left) === name) return constant(file, right, depth)
  return nameOf(right) === name ? constant(file, left, depth) : undefined
}

/** How many elements a function gives at least, where all it returns is written out. */
function elementsReturned(
  file: CodeFile,
  node: SyntaxNode | undefined,
  depth: number,
): number | undefined {
  const made = resolve(file, node)
  if (made === undefined || !isFunction(made)) return undefined
  const body = child(made, 'body')
  const results = body?.type === 'BlockStatement' ? returnedBy(body) : [body]
  let least: number | undefined
  for (const result of results) {
    const count = countElements(file, result, depth + 1)
    if (count === undefined) return undefined
    least = Math.min(least ?? count, count)
  }
  return least
}

/** What is returned in a block, without the functions inside it. */
function returnedBy(body: SyntaxNode): readonly (SyntaxNode | undefined)[] {
  const results: (SyntaxNode | undefined)[] = []
  for (const node of nodesWithin(body, (each) => !isFunction(each))) {
    if (node.type === 'ReturnStatement') results.push(child(node, 'argument'))
  }
  return results
}

/** The number that an expression is, where it is a constant. */
function constant(file: CodeFile, node: SyntaxNode | undefined, depth: number): number | undefined {
  const value = resolve(file, node)
  if (depth > DEPTH_MAX || value === undefined) return undefined
  if (value.type === 'NumericLiteral') return Number(value.value)
  if (value.type !== 'BinaryExpression') return undefined
  const left = constant(file, child(value, 'left'), depth + 1)
  const right = constant(file, child(value, 'right'), depth + 1)
  if (left === undefined || right === undefined) return undefined
  if (value.operator === '+') return left + right
  if (value.operator === '-') return left - right
  return value.operator === '*' ? left * right : undefined
}

function sum(numbers: readonly (number | undefined)[]): number | undefined {
  let total = 0
  for (const number of numbers) {
    if (number === undefined) return undefined
    total += number
  }
  return total
}
