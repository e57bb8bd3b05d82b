import { lmdbStorage } from '@singletable/kit/storage'

// Opens the folder, writes its number there, says so, and stays.
const storage = lmdbStorage(process.argv[2]!)
await storage.transaction((transaction) => transaction.put('owner', { pid: process.pid }))
console.log('open')
setInterval(() => {}, 1000)
