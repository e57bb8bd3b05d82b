/** Functions that return true or false, and so are conditions. Names are case-sensitive. */
export const CONDITION_FUNCTIONS: ReadonlySet<string> = new Set([
  'attribute_exists',
  'attribute_not_exists',
  'attribute_type',
  'begins_with',
  'contains',
])

/** Functions that give a value inside a condition. */
export const OPERAND_FUNCTIONS: ReadonlySet<string> = new Set(['size'])

/** Functions that give a value inside an update. */
export const UPDATE_FUNCTIONS: ReadonlySet<string> = new Set(['if_not_exists', 'list_append'])

export function isKnownFunction(name: string): boolean {
  return CONDITION_FUNCTIONS.has(name) || OPERAND_FUNCTIONS.has(name) || UPDATE_FUNCTIONS.has(name)
}
