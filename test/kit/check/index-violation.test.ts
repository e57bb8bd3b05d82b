import { defineSchema } from 'singletable'
import { createEngine } from 'singletable/engine'
import {
  type AttributeValue,
  compileSchema,
  createTableRequest,
  type Item,
} from 'singletable/tools'
import { expect, test } from 'vitest'
import { readDesign } from '../../../packages/kit/src/check/design/design.ts'
import { sampleTable } from '../../../packages/kit/src/check/evidence/sample-table.ts'
import { indexViolation } from '../../../packages/kit/src/check/rules/data/d04-index-violation.ts'

const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byOwner: { hash: 'owner', sort: 'rank' },
  },
  models: {
    Thing: {
      key: { pk: 'THING#${id}', sk: 'THING' },
      attributes: { id: { type: String }, owner: { type: String }, rank: { type: Number } },
    },
  },
})

const OWNERS: readonly (AttributeValue | undefined)[] = [
  undefined,
  { S: 'alice' },
  { S: '' },
  { S: 'o'.repeat(2048) },
  { S: 'o'.repeat(2049) },
  { N: '7' },
  { BOOL: true },
  { NULL: true },
  { L: [{ S: 'alice' }] },
]
const RANKS: readonly (AttributeValue | undefined)[] = [undefined, { N: '1' }, { S: 'first' }]

test('the items that it calls absent are those that the index of the engine lacks, but for those without its keys', async () => {
  const items = OWNERS.flatMap((owner, at) =>
    RANKS.map((rank, place): Item => {
      const id = `${at}-${place}`
      const keys = { pk: { S: `THING#${id}` }, sk: { S: 'THING' }, id: { S: id } }
      return { ...keys, ...(owner && { owner }), ...(rank && { rank }) }
    }),
  )
  const engine = createEngine()
  const TableName = 'Things'
  const { GlobalSecondaryIndexes, AttributeDefinitions, ...table } = createTableRequest(
    compileSchema(schema),
    TableName,
  )
  const primary = AttributeDefinitions.filter(({ AttributeName }) => /^[ps]k$/.test(AttributeName))
  await engine.send('CreateTable', { ...table, AttributeDefinitions: primary })
  for (const Item of items) await engine.send('PutItem', { TableName, Item })
  // The index comes when the items are there.
  const [index] = GlobalSecondaryIndexes ?? []
  if (index === undefined) throw new Error('no index')
  await engine.send('UpdateTable', {
    TableName,
    AttributeDefinitions,
    GlobalSecondaryIndexUpdates: [{ Create: index }],
  })
  await expect
    .poll(async () => {
      const { Table } = await engine.send('DescribeTable', { TableName })
      return Table.GlobalSecondaryIndexes?.[0]?.IndexStatus
    })
    .toBe('ACTIVE')
  const { Items = [] } = await engine.send('Scan', { TableName, IndexName: 'byOwner' })
  const present = new Set(Items.map(({ id }) => id?.S))
  expect(present.size).toBe(2)

  for (const item of items) {
    const sample = { items: [item], itemCount: 1, takenOn: '2026-11-15' }
    const notices = [...indexViolation.check(readDesign(schema, { sample }))]
    const isMeant = item.owner !== undefined && item.rank !== undefined
    expect([item, notices.length > 0]).toEqual([item, isMeant && !present.has(item.id?.S)])
  }
  const whole = await sampleTable({
    transport: engine,
    tableName: TableName,
    budget: 100,
    today: '2026-11-15',
  })
  const messages = Array.from(
    indexViolation.check(readDesign(schema, { sample: whole })),
    ({ message }) => message.replace(/, e\.g\. .*/, ''),
  )
  expect(messages).toHaveLength(4)
  expect(messages).toContain('2 items (of all 27) are absent from byOwner (owner is empty)')
  await engine.close()
})
