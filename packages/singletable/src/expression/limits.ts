/** Limits of DynamoDB's expressions. (AWS Developer Guide, quotas; the referee's parser for those
 * the guide leaves out.) */

export const EXPRESSION_SIZE_MAX_BYTES = 4096
/** Comparators, AND, OR, NOT, BETWEEN, IN, + and -; function calls don't count. */
export const OPERATORS_MAX = 300
/** Of IN: what is before it and in its parentheses. */
export const IN_OPERANDS_MAX = 100
export const PATH_DEPTH_MAX = 32
export const LIST_INDEX_MAX = 2_147_483_647
/** Of a `#name` or `:value`, with its first character. */
export const PLACEHOLDER_MAX_BYTES = 255
/** Of all placeholders of a request together, with what they stand for. */
export const PLACEHOLDERS_MAX_BYTES = 2_097_152
/** Of one expression, with what its placeholders stand for wherever it uses them. */
export const BOUND_EXPRESSION_MAX_BYTES = 1_048_576
