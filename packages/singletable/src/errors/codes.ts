/** Every code a `SingletableError` can carry, each explained in docs/errors.md. Stable between major versions. */
export const ERROR_CODES = [
  'ENGINE_CLOSED',
  'ENGINE_OPTION_INVALID',
  'FAULT_INVALID',
  'STORAGE_CLOSED',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]
