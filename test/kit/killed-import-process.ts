import { importOnce } from './killed-import.ts'

/** A process that imports, and kills itself at a row or a request: before it is carried out, or
 * after. */
const [folder = '', kind = '', diesAt = '', moment = ''] = process.argv.slice(2)
let steps = 0
await importOnce(folder, kind === 'files' ? 'files' : 'table', (isAfter) => {
  if (isAfter === (moment === 'after')) steps++
  if (steps === Number(diesAt)) process.kill(process.pid, 'SIGKILL')
})
