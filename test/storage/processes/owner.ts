import { cpSync } from 'node:fs'
import { lmdbStorage } from '@singletable/kit/storage'

// Opens the folder, writes its number there, copies it if asked to, says so, and stays until it
// gets a message.
const storage = lmdbStorage(process.argv[2]!)
await storage.transaction((transaction) => transaction.put('owner', { pid: process.pid }))
// A copy reads all files, which ends every lock of the system that the process has on them.
if (process.argv[3] !== undefined) {
  cpSync(process.argv[2]!, process.argv[3], { recursive: true })
}
console.log('open')
process.once('message', async () => {
  await storage.transaction((transaction) => transaction.put('owner', { pid: -process.pid }))
  await storage.close()
  process.exit()
})
setInterval(() => {}, 1000)
