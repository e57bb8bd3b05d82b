import { appendFileSync } from 'node:fs'
import { lmdbStorage } from '@singletable/kit/storage'
import { createEngine, seededRandom } from 'singletable/engine'
import type { Transport } from 'singletable/tools'
import { countLogin, ITEMS, run } from './killed-migration.ts'

/**
 * A process that has a data folder, migrates it while an application writes, and kills itself at a
 * request of the runner: right before it is carried out, or right after.
 */
const [folder = '', direction = '', diesAt = '', moment = '', seed = '', log = ''] =
  process.argv.slice(2)
const engine = createEngine({ storage: lmdbStorage(folder) })
const die = (): void => void process.kill(process.pid, 'SIGKILL')
let requests = 0
const mortal: Transport = {
  async send(operation, request, options) {
    const isLast = ++requests === Number(diesAt)
    if (isLast && moment === 'before') die()
    const response = await engine.send(operation, request, options)
    if (isLast) die()
    return response
  },
}
const random = seededRandom(Number(seed))
let isOver = false
const writer = (async () => {
  while (!isOver) {
    const id = String(Math.floor(random() * ITEMS))
    appendFileSync(log, `begin ${id}\n`)
    await countLogin(engine, id)
    appendFileSync(log, `end ${id}\n`)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
})()
await run(mortal, direction === 'down')
isOver = true
await writer
await engine.close()
console.log(requests)
