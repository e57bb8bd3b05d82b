import { connect } from 'singletable/direct'
import { copyShop } from './copied-shop.ts'

/** A process that does what the phase of a live copy asks for, on a server. */
const [url = '', now = ''] = process.argv.slice(2)
const credentials = { accessKeyId: 'copy', secretAccessKey: 'local' }
const client = connect({
  region: 'us-east-1',
  endpoint: url,
  credentials,
  connectionTimeoutMs: 60_000,
  requestTimeoutMs: 60_000,
})
const report = await copyShop(client, { now: () => Number(now), isTakingOver: true })
client.close()
console.log(JSON.stringify(report.convergence ?? null))
