import type { Comparator } from '../expression/tree.ts'
import type { Reference, SizeReference } from './reference.ts'

/** A condition as the caller wrote it: references to attributes and plain JavaScript values, nothing encoded yet. */
export type Where =
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly Where[] }
  | { readonly kind: 'not'; readonly condition: Where }
  | {
      readonly kind: 'compare'
      readonly operator: Comparator
      readonly left: Reference | SizeReference
      /** A value, or another attribute. */
      readonly right: unknown
    }
  | {
      readonly kind: 'between'
      readonly left: Reference | SizeReference
      readonly low: unknown
      readonly high: unknown
    }
  | {
      readonly kind: 'in'
      readonly left: Reference | SizeReference
      readonly values: readonly unknown[]
    }
  | { readonly kind: 'exists'; readonly reference: Reference; readonly negated: boolean }
  | { readonly kind: 'type'; readonly reference: Reference; readonly type: string }
  | { readonly kind: 'begins'; readonly reference: Reference; readonly prefix: unknown }
  | { readonly kind: 'contains'; readonly reference: Reference; readonly value: unknown }
