import { createCanned } from './canned.ts'
import { checkOperation } from './check.ts'
import { type CreateLibrary, callOf } from './library.ts'
import { COLD, OPERATIONS, type Operation, SETTINGS } from './operations.ts'

/** Asks for one round: calls for about this many milliseconds. */
export interface RoundRequest {
  readonly operation: Operation
  readonly milliseconds: number
}
/** `ready` once, then CPU microseconds per call for each round that was asked for. */
export type WorkerMessage = { readonly ready: true } | { readonly microseconds: number }

/** Serves rounds of one library to the parent process, which ends it by closing the channel. */
export async function work(createLibrary: CreateLibrary): Promise<void> {
  if (process.argv[2] === COLD) return startCold(createLibrary)
  const setting = SETTINGS.find((name) => name === process.argv[2])
  if (setting === undefined) throw new Error(`No such setting: ${process.argv[2]}`)
  const canned = createCanned()
  const library = createLibrary(setting, canned)
  for (const { name } of OPERATIONS) await checkOperation(library, canned, name)

  const calls = new Map(OPERATIONS.map(({ name }) => [name, callOf(library, name)]))
  const costs = new Map<Operation, number>()
  process.on('message', (request: RoundRequest) => {
    round(request).then((microseconds) => sendMessage({ microseconds }), fail)
  })
  sendMessage({ ready: true })

  async function round({ operation, milliseconds }: RoundRequest): Promise<number> {
    const call = calls.get(operation)
    if (call === undefined) throw new Error(`No such operation: ${operation}`)
    canned.queryItems = operation === 'query 100' ? 100 : 25
    const estimate = costs.get(operation) ?? (await cost(call, 20))
    const microseconds = await cost(call, Math.max(20, (milliseconds * 1000) / estimate))
    costs.set(operation, microseconds)
    // A library that changes the ready responses would find less in them the next time.
    await checkOperation(library, canned, operation)
    return microseconds
  }
}

/** Makes one call, and prints the CPU microseconds of this process since it was started. */
async function startCold(createLibrary: CreateLibrary): Promise<void> {
  const library = createLibrary('sdk', createCanned())
  const item = library.itemFrom(await callOf(library, 'get')(0))
  const { user, system } = process.cpuUsage()
  process.stdout.write(JSON.stringify({ microseconds: user + system, item }))
  process.exit(0)
}

/** CPU time is that of all threads of this process: the compiler's and the garbage collector's
 * too. */
async function cost(call: (turn: number) => Promise<unknown>, count: number): Promise<number> {
  // Not a full collection: that one throws away shapes of objects that only the last calls had, and
  // the code compiled for them.
  globalThis.gc?.({ type: 'minor' })
  const before = process.cpuUsage()
  let turn = 0
  for (; turn < count; turn++) await call(turn)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / turn
}

function sendMessage(message: WorkerMessage): void {
  process.send?.(message)
}

function fail(error: unknown): never {
  console.error(error)
  process.exit(1)
}
