import { measureCalls } from './calls.ts'
import { measureServers } from './servers.ts'
import { hasWrk } from './wrk.ts'

/** Engines over HTTP under the load of wrk, and whole calls of clients over a loopback socket. */
const quick = process.argv.includes('--quick')
const only = process.argv.find((each) => each.startsWith('--only='))?.slice('--only='.length)

if (only !== 'servers') {
  console.log(
    'Whole calls over a loopback socket: CPU µs of the client, and ratio to the DocumentClient',
  )
  console.log(
    await measureCalls({ root: process.cwd(), rounds: quick ? 2 : 7, calls: quick ? 200 : 1000 }),
  )
}
if (only !== 'calls') {
  if (hasWrk()) {
    const settings = quick ? { seconds: 1, rounds: 1 } : { seconds: 2, rounds: 3 }
    console.log(
      `\nEngines over HTTP, by wrk: median of ${settings.rounds} rounds of ${settings.seconds} s in turn`,
    )
    console.log(await measureServers({ ...settings, root: process.cwd() }))
  } else {
    console.error('The servers are not measured: install wrk (Debian: apt-get install wrk).')
    process.exitCode = 1
  }
}
