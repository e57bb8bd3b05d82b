import type { Canned } from '../canned.ts'
import { ourLibrary } from '../our-library.ts'
import { sdkClient } from '../sdk-client.ts'
import { work } from '../worker.ts'

await work((setting, canned) => {
  const client = setting === 'sdk' ? sdkClient(canned) : transport(canned)
  return ourLibrary(client)
})

function transport(canned: Canned) {
  return {
    send(operation: string, request: unknown) {
      canned.received(request)
      return Promise.resolve(canned.wire(operation))
    },
  }
}
