import { lmdbStorage } from '@singletable/kit/storage'
import { SingletableError } from 'singletable/engine'

// Writes until it is no longer possible, and prints what happened.
const storage = lmdbStorage(process.argv[2]!)
let acknowledged = 0
let code: string | undefined
while (code === undefined && acknowledged < 10_000) {
  code = await put(acknowledged)
  if (code === undefined) acknowledged++
}
const later = await put(acknowledged + 1)
let readable = 0
storage.visit({ start: 'k', end: 'l' }, () => ++readable > 0)
await storage.close()
console.log(JSON.stringify({ acknowledged, code, later, readable }))

async function put(n: number): Promise<string | undefined> {
  try {
    await storage.transaction((transaction) =>
      transaction.put(`k${String(n).padStart(6, '0')}`, { text: 'x'.repeat(20_000) }),
    )
    return undefined
  } catch (error) {
    return SingletableError.is(error) ? error.code : String(error)
  }
}
