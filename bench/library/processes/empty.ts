import { work } from '../worker.ts'

// What a cold start is compared with: a process that loads no library and makes no call.
await work(() => {
  const nothing = async (): Promise<unknown> => undefined
  return {
    get: nothing,
    put: nothing,
    update: nothing,
    query: nothing,
    batchWrite: nothing,
    transactWrite: nothing,
    itemFrom: (result) => result,
    itemsFrom: () => [],
    cursorFrom: () => undefined,
  }
})
