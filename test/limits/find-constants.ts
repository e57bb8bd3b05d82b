import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export interface NumberConstant {
  readonly name: string
  readonly value: number
  readonly exported: boolean
}

/** `export const ITEM_SIZE_MAX_BYTES: number = 400 * 1024`; what is behind the sign is a number or
 * a product of numbers. */
const DEFINITION = /^(export )?const ([A-Z][A-Z0-9_]*)(?:: number)? = (-?\d[\d_ex*+ -]*)$/gm

/** The constants of all source files, tests left out, that are plain numbers. */
export function findConstants(folder: string): NumberConstant[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const text = readFileSync(path.join(folder, file), 'utf8')
      return Array.from(text.matchAll(DEFINITION), ([, exported, name = '', formula = '']) => ({
        name,
        value: compute(formula),
        exported: exported !== undefined,
      }))
    })
}

/** Sums and differences of products of powers: `5 * 365 * 24`, `2 ** 48 - 2`. */
function compute(formula: string): number {
  return formula
    .split(/ (?=[+-] )/)
    .map((term) => {
      const negative = term.startsWith('- ')
      const product = term
        .replace(/^[+-] /, '')
        .split(' * ')
        .map((factor) => {
          const [base = '', exponent = '1'] = factor.split(' ** ')
          return Number(base.replaceAll('_', '')) ** Number(exponent)
        })
        .reduce((one, other) => one * other, 1)
      return negative ? -product : product
    })
    .reduce((one, other) => one + other, 0)
}
