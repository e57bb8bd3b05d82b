import { readFileSync } from 'node:fs'
import { lmdbStorage } from '@singletable/kit/storage'
import { createEngine, seededRandom } from 'singletable/engine'

const [folder = '', count = ''] = process.argv.slice(2)
const items = Number(count)
const TABLE = 'large'
const GETS = 200_000
const random = seededRandom(1)

printMemory('before opening')
const begin = performance.now()
const engine = createEngine({ storage: lmdbStorage(folder) })
const opened = performance.now()
await get(Math.floor(items / 2))
const answered = performance.now()
console.log(`open: ${(opened - begin).toFixed(1)} ms`)
console.log(`first GetItem: ${(answered - opened).toFixed(1)} ms`)
const { Table } = await engine.send('DescribeTable', { TableName: TABLE })
console.log(`DescribeTable: ${Table?.ItemCount} items, ${Table?.TableSizeBytes} bytes`)
printMemory('after opening')

const gets = performance.now()
for (let n = 0; n < GETS; n++) await get(Math.floor(random() * items))
console.log(`${GETS} random GetItems: ${perCall(gets, GETS)} µs each`)
printMemory('after the GetItems')

const scan = performance.now()
let found = 0
let start: object | undefined
do {
  const { Count, LastEvaluatedKey } = await engine.send('Scan', {
    TableName: TABLE,
    ...(start === undefined ? {} : { ExclusiveStartKey: start as never }),
  })
  found += Count ?? 0
  start = LastEvaluatedKey
} while (start !== undefined)
console.log(`Scan in pages: ${found} items, ${perCall(scan, found)} µs each`)
printMemory('after the Scan')
await engine.close()

async function get(n: number): Promise<void> {
  const sk = `POST#${String(n % 100).padStart(3, '0')}`
  const Key = { pk: { S: `USER#${Math.floor(n / 100)}` }, sk: { S: sk } }
  const { Item } = await engine.send('GetItem', { TableName: TABLE, Key })
  if (Item?.title?.S !== `Post number ${n}`) throw new Error(`item ${n} is wrong`)
}

function perCall(since: number, calls: number): string {
  return (((performance.now() - since) * 1000) / calls).toFixed(1)
}

/**
 * RSS counts pages of the mapped file too. They are copies of what is on disk, and the system takes
 * them back when memory is wanted; what the process needs for itself is the anonymous part.
 */
function printMemory(when: string): void {
  globalThis.gc?.()
  const status = readFileSync('/proc/self/status', 'utf8')
  const megabytes = (name: string): string =>
    (Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024).toFixed(0)
  console.log(
    `memory ${when}: RSS ${megabytes('VmRSS')} MB, of it anonymous ${megabytes('RssAnon')} MB, of files ${megabytes('RssFile')} MB`,
  )
}
