import type { UpdateProblem } from '../../expression/evaluate/update-error.ts'
import { NUMBER_OVERFLOW, UPDATED_ITEM_TOO_LARGE } from './value-messages.ts'

const MESSAGES: { readonly [problem in UpdateProblem]: string } = {
  'missing-attribute':
    'The provided expression refers to an attribute that does not exist in the item',
  'operand-type': 'An operand in the update expression has an incorrect data type',
  'invalid-path': 'The document path provided in the update expression is invalid for update',
  // AWS uses this text even where the result has too many digits or is too small.
  'number-out-of-range': NUMBER_OVERFLOW,
  nesting: 'Nesting Levels have exceeded supported limits',
  'item-size': UPDATED_ITEM_TOO_LARGE,
}

/** AWS's text for an update that can't be applied to the item it meets. */
export function updateMessage(problem: UpdateProblem): string {
  return MESSAGES[problem]
}
