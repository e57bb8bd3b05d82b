import { InfraUsageError } from './infra-error.ts'

/** JSON of the user that is added to what is written, in the target's own words. */
export type Extra = { readonly [name: string]: Json }
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json }

/** Reads the text of an extra file. */
export function parseExtra(text: string, file: string): Extra {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new InfraUsageError(
      `${file} is not valid JSON: ${error instanceof Error ? error.message : String(error)}.`,
      'give a file with a JSON object',
    )
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InfraUsageError(`${file} has no JSON object.`, 'give members by name: { "…": … }')
  }
  // JSON.parse gives nothing but JSON.
  return value as Extra
}
