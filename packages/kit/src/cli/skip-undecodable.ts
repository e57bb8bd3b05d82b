import {
  type Item,
  modelOf,
  type Schema,
  SingletableError,
  type Transport,
} from 'singletable/tools'

/** Stored items that their models can't decode are left out of what a transport gives. */
export interface SkippingTransport {
  readonly transport: Transport
  /** How many were left out. */
  readonly skipped: () => number
}

/** Leaves such items out, and calls back for each: one that is damaged must not hide all others. */
export function skipUndecodable(
  transport: Transport,
  schema: Schema,
  onSkipped: (reason: string) => void,
): SkippingTransport {
  let skipped = 0
  const isReadable = (item: Item): boolean => {
    try {
      modelOf({ schema }, item)?.decode(item, true)
      return true
    } catch (error) {
      if (!SingletableError.is(error) || error.code !== 'DECODE_FAILED') return true
      skipped++
      onSkipped(`${error.what}\n  where:  ${error.where}`)
      return false
    }
  }
  return {
    transport: {
      // What a response has is known by its operation; those of others are passed on as they are.
      async send(operation, request, options) {
        const response = await transport.send(operation, request, options)
        const { Items, Item, Responses } = response as {
          readonly Items?: readonly Item[]
          readonly Item?: Item
          readonly Responses?: Readonly<Record<string, readonly Item[]>>
        }
        if (operation === 'Query' || operation === 'Scan') {
          return { ...response, ...(Items && { Items: Items.filter(isReadable) }) }
        }
        if (operation === 'GetItem' && Item && !isReadable(Item)) {
          return { ...response, Item: undefined }
        }
        if (operation !== 'BatchGetItem' || Responses === undefined) return response
        const readable = Object.entries(Responses).map(
          ([table, items]) => [table, items.filter(isReadable)] as const,
        )
        return { ...response, Responses: Object.fromEntries(readable) }
      },
    },
    skipped: () => skipped,
  }
}
