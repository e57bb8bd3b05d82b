import path from 'node:path'
import type { Transport } from 'singletable'
// The command itself is not an export of the package: it is what the program runs.
import { main } from '../../../packages/kit/src/cli/main.ts'

export interface Run {
  readonly code: number
  readonly printed: string
  readonly complaints: string
}

export const BLOG = path.resolve(import.meta.dirname, '../../../examples/blog/schema.ts')
export const EVERYTHING = path.resolve(import.meta.dirname, 'everything-schema.ts')
export const PROVISIONED = path.resolve(import.meta.dirname, 'provisioned-schema.ts')
export const PROVISIONED_LATER = path.resolve(import.meta.dirname, 'provisioned-later-schema.ts')

/** Runs `singletable infra …` in this process. */
export async function runInfra(
  parameters: readonly string[],
  context: { readonly transport?: Transport; readonly directory?: string } = {},
): Promise<Run> {
  const printed: string[] = []
  const complaints: string[] = []
  const code = await main(['infra', ...parameters], {
    print: (text) => void printed.push(text),
    printError: (text) => void complaints.push(text),
    environment: {},
    ...context,
  })
  return { code, printed: printed.join('\n'), complaints: complaints.join('\n') }
}
