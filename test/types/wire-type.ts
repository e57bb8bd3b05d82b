/**
 * A type of the AWS SDK, or one of ours, as it is in JSON: binaries are Base64 text, times are
 * numbers, a required member is there (the SDK lets it be undefined), and a member that can't have
 * a value is not a member.
 */
export type WireType<T> = T extends Uint8Array
  ? string
  : T extends Date
    ? number
    : T extends readonly (infer TElement)[]
      ? readonly WireType<TElement>[]
      : // The SDK keeps a place for types of attribute values that are yet to come.
        T extends { $unknown: unknown }
        ? never
        : T extends object
          ? WireObject<T>
          : T

type WireObject<T> = {
  -readonly [Name in keyof T as [Exclude<T[Name], undefined>] extends [never]
    ? never
    : Name]: WireType<Exclude<T[Name], undefined>>
}

/** Fails to compile unless its argument is `true`. */
export type Expect<TTruth extends true> = TTruth

/** Whether a value of one type may be where the other is asked for. */
export type Assignable<TFrom, TTo> = [TFrom] extends [TTo] ? true : false

/** Whether two types are the same to the compiler, down to `readonly` and `?`. */
export type Equal<TOne, TOther> =
  (<T>() => T extends TOne ? 1 : 2) extends <T>() => T extends TOther ? 1 : 2 ? true : false
