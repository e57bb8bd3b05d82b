import { statSync } from 'node:fs'
import { join } from 'node:path'
import { lmdbStorage } from '@singletable/kit/storage'
import { createEngine } from 'singletable/engine'

const [folder = '', count = ''] = process.argv.slice(2)
const items = Number(count)
const TABLE = 'large'
const BATCH_ITEMS = 25
const BATCHES_AT_A_TIME = 40

const engine = createEngine({ storage: lmdbStorage(folder) })
await engine.send('CreateTable', {
  TableName: TABLE,
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
  ],
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  BillingMode: 'PAY_PER_REQUEST',
})
const begin = performance.now()
const step = Math.max(1, Math.floor(items / 10))
for (let done = 0; done < items; ) {
  const before = done
  const batches: Promise<unknown>[] = []
  for (let batch = 0; batch < BATCHES_AT_A_TIME && done < items; batch++) {
    const requests = []
    for (let n = 0; n < BATCH_ITEMS && done < items; n++, done++) {
      const Item = {
        pk: { S: `USER#${Math.floor(done / 100)}` },
        sk: { S: `POST#${String(done % 100).padStart(3, '0')}` },
        title: { S: `Post number ${done}` },
        likes: { N: String(done % 1000) },
      }
      requests.push({ PutRequest: { Item } })
    }
    batches.push(engine.send('BatchWriteItem', { RequestItems: { [TABLE]: requests } }))
  }
  await Promise.all(batches)
  if (Math.floor(done / step) > Math.floor(before / step)) {
    const seconds = (performance.now() - begin) / 1000
    console.log(
      `${String(done).padStart(9)} items after ${seconds.toFixed(0)} s, ${Math.round(done / seconds)} a second`,
    )
  }
}
await engine.close()
const { size } = statSync(join(folder, 'data.mdb'))
console.log(`file: ${(size / 1e6).toFixed(0)} MB, ${Math.round(size / items)} bytes an item`)
