import { type Listener, listen } from '@singletable/kit/server'
import type { Transport } from 'singletable'
import { connect } from 'singletable/direct'
import { createEngine, type Engine } from 'singletable/engine'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refereePort } from '../../referee/referee-port.ts'
import { CHROMIUM, launchChromium } from '../chromium.ts'
import { type OpenApp, openApp } from './open-app.ts'
import { buildPage, openStudio, rowOf } from './open-studio.ts'

const local = await refereePort()
if (local === undefined) console.log('studio on DynamoDB Local: skipped, Java not found')

let engine: Engine
let server: Listener
beforeAll(async () => {
  engine = createEngine()
  server = await listen(engine, { port: 0 })
})
afterAll(async () => {
  await server.close()
  await engine.close()
})

/** The studio talks to both as to any endpoint. */
function open(place: string): { transport: Transport; url: string } {
  const url = place === 'DynamoDB Local' ? `http://127.0.0.1:${local}` : server.url
  const options = { endpoint: url, region: 'local', credentials, requestTimeoutMs: 20_000 }
  return { transport: connect(options), url }
}
const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' }

describe.each(['the HTTP server', 'DynamoDB Local'])('the API of the studio on %s', (place) => {
  const isSkipped = place === 'DynamoDB Local' && local === undefined
  let app: OpenApp
  const tableName = `Studio${process.pid}`
  beforeAll(async () => {
    if (isSkipped) return
    app = await openApp(open(place).transport, { tableName })
    await app.table.entities.User.put({ username: 'ada', email: 'ada@example.com' })
    for (const postId of ['p1', 'p2', 'p3']) {
      await app.table.entities.Post.create({
        username: 'ada',
        postId,
        title: `About ${postId}`,
        status: postId === 'p3' ? 'draft' : 'live',
      })
    }
  })

  test.skipIf(isSkipped)('counts, pages, queries and runs statements', async () => {
    const { counted, spent } = await app.call('/api/overview')
    expect(counted?.indexes).toEqual([
      { index: 'primary', items: 5 },
      { index: 'gsi1', items: 3 },
    ])
    expect(spent.units).toBeGreaterThan(0)
    const first = await app.call('/api/scan', { index: 'primary', limit: 3 })
    const rest = await app.call('/api/scan', { index: 'primary', limit: 9, cursor: first.cursor })
    const keys = [...first.items, ...rest.items].map(({ item }) => JSON.stringify(item.sk))
    expect(new Set(keys).size).toBe(5)
    const sort = { op: 'begins_with', values: ['POST#'] }
    const posts = await app.call('/api/query', {
      index: 'primary',
      limit: 2,
      hash: ['USER#ada'],
      sort,
      isReversed: true,
    })
    expect(posts.items.map(({ item }) => item.postId?.S)).toEqual(['p3', 'p2'])
    expect(posts.cursor).not.toBe(null)
    expect((await app.call('/api/heat', { index: 'gsi1' })).partitionCount).toBe(2)
    const plan = await app.call('/api/plan', {
      pattern: 'postsByStatus',
      input: { status: 'live' },
    })
    const statement = plan.code.find(({ language }) => language === 'PartiQL')?.text
    const selected = await app.call('/api/statement', { statement, limit: 10 })
    expect(selected.items.length).toBe(2)
  })

  test.skipIf(isSkipped)('runs a pattern and shows an item in each index', async () => {
    const { groups, spent } = await app.call('/api/pattern', {
      pattern: 'postsOfUser',
      input: { username: 'ada', postId: { from: 'p2' } },
    })
    expect(groups[0]?.rows.map(({ postId }) => postId)).toEqual(['p2', 'p3'])
    expect(spent).toMatchObject({ itemsRead: 2, itemsReturned: 2, requests: 1 })
    const key = { pk: { S: 'USER#ada' }, sk: { S: 'POST#p2' } }
    const { detail } = await app.call('/api/item', { key })
    expect(detail?.indexes.map(({ index, state }) => [index, state])).toEqual([
      ['primary', 'present'],
      ['gsi1', 'present'],
    ])
  })

  test.skipIf(isSkipped)('saves, refuses what somebody else changed, and takes back', async () => {
    const key = { pk: { S: 'USER#ada' }, sk: { S: 'POST#p1' } }
    const before = (await app.call('/api/item', { key })).detail?.found.item
    const change = { kind: 'update', entity: 'Post', before, strings: { status: 'draft' } }
    const saved = await app.call('/api/change', { change })
    expect(saved).toMatchObject({ state: 'saved' })
    expect(await app.call('/api/change', { change })).toMatchObject({ state: 'conflict' })
    const undo = 'undo' in saved ? saved.undo : null
    expect(await app.call('/api/change', { change: undo })).toMatchObject({ state: 'saved' })
    expect((await app.call('/api/item', { key })).detail?.strings.status).toBe('live')
    const taken = { username: 'eve', email: 'ada@example.com' }
    expect(
      await app.call('/api/change', {
        change: { kind: 'create', entity: 'User', strings: taken },
      }),
    ).toMatchObject({ state: 'failed', failure: { code: 'UNIQUE_TAKEN' } })
    expect(app.faults).toEqual([])
  })

  test.skipIf(isSkipped || CHROMIUM === undefined)(
    'in a browser an item is found, changed and saved',
    async () => {
      await buildPage()
      const { transport, url } = open(place)
      const { studio, faults, close } = await openStudio('examples/blog/schema.ts', {
        transport,
        tableName: `Browser${process.pid}`,
        place: url,
        count: 20,
      })
      const browser = await launchChromium()
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
      await page.goto(studio.url)
      await page.getByText(url).first().waitFor()
      await page.getByRole('link', { name: 'Data' }).click()
      await rowOf(page, 'User').first().click()
      await page.getByRole('button', { name: 'Edit' }).click()
      await page.locator('.inspector').getByRole('textbox', { name: /^name/ }).fill('Ada Lovelace')
      await page.getByRole('button', { name: /^Stage/ }).click()
      await page.keyboard.press('Control+s')
      await page.getByRole('button', { name: 'Save 1 change' }).click()
      await page.locator('.inspector').getByText('Ada Lovelace').waitFor()
      const { Items } = await transport.send('Scan', { TableName: `Browser${process.pid}` })
      expect(Items?.filter(({ name }) => name?.S === 'Ada Lovelace').length).toBe(1)
      expect(faults).toEqual([])
      await browser.close()
      await close()
    },
  )
})

test.skipIf(CHROMIUM === undefined)(
  'an endpoint that is gone is shown as such, and not as a table without items',
  async () => {
    await buildPage()
    const own = createEngine()
    const gone = await listen(own, { port: 0 })
    const transport = connect({ endpoint: gone.url, region: 'local', credentials })
    const { studio, close } = await openStudio('examples/blog/schema.ts', {
      ...{ transport, place: gone.url, count: 20 },
    })
    const browser = await launchChromium()
    const page = await browser.newPage({ viewport: { width: 900, height: 700 } })
    await page.goto(studio.url)
    await page.locator('.dot.is-answers').waitFor()
    await gone.close()
    const dot = page.locator('.place')
    await page.getByRole('link', { name: 'Data' }).click()
    await page.getByText('waiting for').waitFor()
    await page.getByText('No answer came').waitFor()
    expect(await dot.innerText()).toContain('no answer from')
    expect(await page.locator('.toolbar').getByRole('status').innerText()).toBe('')
    // It is there again.
    const port = Number(new URL(gone.url).port)
    const again = await listen(own, { port })
    await page.getByRole('button', { name: 'gsi1' }).click()
    await page.locator('.row').first().waitFor()
    await page.locator('.dot.is-answers').waitFor()
    await browser.close()
    await close()
    await again.close()
    await own.close()
  },
)
