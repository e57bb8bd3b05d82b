import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import { addDecimals, subtractDecimals } from '../../values/decimal.ts'
import { ITEM_SIZE_MAX_BYTES } from '../../values/limits.ts'
import type { UpdateValue } from '../tree.ts'
import { resolvePath } from './resolve-path.ts'
import { UpdateError } from './update-error.ts'

/**
 * The value that a SET action writes, read from the item as it was before the update. A tree from a
 * parsed expression is as deep as its text has functions, a few hundred levels at most, so
 * recursion is safe.
 */
export function evaluateUpdateValue(value: UpdateValue, item: Item): AttributeValue {
  switch (value.kind) {
    case 'value':
      return value.value
    case 'path': {
      const found = resolvePath(value.path, item)
      if (found === undefined) throw new UpdateError('missing-attribute')
      return found
    }
    case 'if_not_exists': {
      // AWS evaluates the second operand in any case: a missing attribute there is an error even if
      // it isn't needed.
      const otherwise = evaluateUpdateValue(value.otherwise, item)
      return resolvePath(value.path, item) ?? otherwise
    }
    case 'list_append': {
      const elements: AttributeValue[] = []
      appendElements(elements, value, item)
      return { L: elements }
    }
    case 'arithmetic': {
      const left = requireNumber(evaluateUpdateValue(value.left, item))
      const right = requireNumber(evaluateUpdateValue(value.right, item))
      const combine = value.operator === '+' ? addDecimals : subtractDecimals
      const result = combine(left, right)
      if (result === undefined) throw new UpdateError('number-out-of-range')
      return { N: result }
    }
  }
}

/** Lists of lists that are appended go into one list at once: each in between would be copied again
 * for the next. */
function appendElements(elements: AttributeValue[], value: UpdateValue, item: Item): void {
  if (value.kind === 'list_append') {
    appendElements(elements, value.left, item)
    appendElements(elements, value.right, item)
    return
  }
  const more = requireList(evaluateUpdateValue(value, item))
  // Each element takes a byte at least.
  if (elements.length + more.length > ITEM_SIZE_MAX_BYTES) throw new UpdateError('item-size')
  for (const element of more) elements.push(element)
}

function requireList(value: AttributeValue): readonly AttributeValue[] {
  if (value.L === undefined) throw new UpdateError('operand-type')
  return value.L
}

function requireNumber(value: AttributeValue): string {
  if (value.N === undefined) throw new UpdateError('operand-type')
  return value.N
}
