import { type SchemaDefinition, SingletableError, Table, type TableOptions } from 'singletable'
import type { Engine, Item, OperationName } from 'singletable/engine'
import { expect } from 'vitest'

/** A table on an engine whose requests and warnings are noted. */
export interface LibraryTable<TSchema extends SchemaDefinition> {
  readonly table: Table<TSchema>
  /** The entities as JavaScript sees them, for inputs that no type would let through. */
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  readonly loose: Readonly<Record<string, any>>
  /** Requests since the table was created, in their order. */
  readonly sent: { readonly operation: OperationName; readonly request: unknown }[]
  readonly warnings: string[]
  /** All items as they are stored. */
  items(): Promise<Item[]>
  /** Stores an item by other means than the library. */
  store(item: Item): Promise<void>
}

export type LibraryOptions<TSchema extends SchemaDefinition> = Partial<
  Omit<TableOptions<TSchema>, 'schema'>
>

/** Creates a table of the library. Pauses between attempts are as short as they can be. */
export async function libraryTable<const TSchema extends SchemaDefinition>(
  engine: Engine,
  schema: TSchema,
  options: LibraryOptions<TSchema> = {},
): Promise<LibraryTable<TSchema>> {
  const sent: { operation: OperationName; request: unknown }[] = []
  const warnings: string[] = []
  const name = options.name ?? 'library'
  const table = new Table<TSchema>({
    name,
    schema,
    client: {
      send(operation, request, sendOptions) {
        sent.push({ operation, request })
        return engine.send(operation, request, sendOptions)
      },
    },
    retry: { delayMsBase: 0, delayMsMax: 0 },
    onWarning: (message) => void warnings.push(message),
    ...options,
  })
  await table.create()
  sent.length = 0
  return {
    table,
    loose: table.entities,
    sent,
    warnings,
    items: async () => (await engine.send('Scan', { TableName: name })).Items ?? [],
    store: async (item) => void (await engine.send('PutItem', { TableName: name, Item: item })),
  }
}

/** The error of a call that must fail, whether it throws at once or rejects. */
export async function failureOf(
  call: () => unknown,
): Promise<Error & { readonly [member: string]: unknown }> {
  let answer: unknown
  try {
    answer = await call()
  } catch (error) {
    if (error instanceof Error) return error as Error & { readonly [member: string]: unknown }
    throw error
  }
  throw new Error(`expected an error, but got ${String(answer)}`)
}

/** Asserts that the call fails with an error of ours that has this code, or one of them. */
export async function refuses(call: () => unknown, ...codes: readonly string[]): Promise<Error> {
  const error = await failureOf(call)
  if (!SingletableError.is(error)) throw error
  expect(codes, error.message).toContain(error.code)
  return error
}
