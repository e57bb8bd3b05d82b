import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { Table } from 'singletable'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { blogSchema } from '../../../examples/blog/schema.ts'
import { writeMigration } from '../../../packages/kit/src/migrate/write-migration.ts'
import { ROOT } from '../../architecture/package-manifest.ts'
import { CHROMIUM, launchChromium } from '../chromium.ts'
import { buildPage, type OpenStudio, openStudio, rowOf } from './open-studio.ts'
import { violationsOf } from './violations.ts'

const PICTURES = path.join(ROOT, 'node_modules/.cache/singletable-studio-pictures')
const SCREENS = [
  'overview',
  'data',
  'patterns',
  'query',
  'design',
  'lint',
  'heat',
  'stream',
  'migrate',
  'transfer',
] as const

/** Strings that do something in a page that takes them for markup. */
const HOSTILE = [
  '<script>window.hit=1</script>',
  '<img src=x onerror="window.hit=1">',
  'javascript:window.hit=1',
  '"><svg onload=window.hit=1>',
  '{{constructor.constructor("window.hit=1")()}}',
  '</script><script>window.hit=1</script>',
  "'-window.hit=1-'",
  '<iframe srcdoc="<script>parent.hit=1</script>">',
  '<a href="javascript:window.hit=1">x</a>',
  '<style>@import "http://evil.example/x.css"</style>',
  '<math><mtext><img src onerror=window.hit=1>',
  '<details open ontoggle=window.hit=1>',
  '\u003cimg src=x onerror=window.hit=1\u003e',
  '&lt;img src=x onerror=window.hit=1&gt;',
  '${window.hit=1}',
  '<base href="http://evil.example/">',
  '<form action="http://evil.example"><button>x</button></form>',
  '<object data="javascript:window.hit=1">',
  '\u202e<b onmouseover=window.hit=1>x',
  '__proto__',
]

describe.skipIf(CHROMIUM === undefined)('the studio in a browser', () => {
  let browser: Browser
  let open: OpenStudio
  let context: BrowserContext
  let page: Page
  /** What the browser reported, and hosts that it asked. */
  let complaints: string[]
  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true })
    await buildPage()
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    open = await openStudio('examples/blog/schema.ts', { count: 80 })
    context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    page = await context.newPage()
    complaints = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('request', (request) => {
      if (!request.url().startsWith(`http://127.0.0.1:${open.studio.port}/`))
        complaints.push(request.url())
    })
    await page.goto(open.studio.url)
    await page.getByRole('heading', { name: 'Studio', level: 1 }).waitFor()
  })
  afterEach(async () => {
    expect(open.faults).toEqual([])
    await context.close()
    await open.close()
  })

  const go = async (hash: string): Promise<void> => {
    await page.goto(`http://127.0.0.1:${open.studio.port}/#/${hash}`)
  }

  test('the address with the token opens the overview, and the token leaves the address', async () => {
    expect(page.url()).not.toContain('t=')
    await page.locator('.card-value', { hasText: /^\d+$/ }).first().waitFor()
    for (const entity of ['User', 'Post', 'Comment']) {
      await page.getByRole('row').filter({ hasText: entity }).first().waitFor()
    }
    expect(complaints).toEqual([])
  })

  test('a partition is opened, an item pivots to an index, and back leads back', async () => {
    await go('data')
    await rowOf(page, 'Post').first().click()
    await page.getByRole('tab', { name: 'In all indexes' }).click()
    const copy = page.locator('.copy', { has: page.locator('strong', { hasText: 'gsi1' }) })
    await copy.getByRole('button').click()
    await expect.poll(() => page.url()).toContain('index=gsi1')
    await expect.poll(() => page.locator('.band').count()).toBe(1)
    await page.goBack()
    await expect.poll(() => page.url()).not.toContain('index=gsi1')
    await page.locator('.band').nth(1).waitFor()
    expect(complaints).toEqual([])
  })

  test('every pattern that reads gives in the page what the library gives', async () => {
    const table = new Table({ name: 'Studio', schema: blogSchema, client: open.engine })
    const [[post], [comment], [session], [tag]] = [
      await table.entities.Post.scan(),
      await table.entities.Comment.scan(),
      await table.entities.Session.scan(),
      await table.entities.PostTag.scan(),
    ]
    const [username, postId] = [post?.username ?? '', post?.postId ?? '']
    const { patterns } = table
    const calls: readonly (readonly [string, Record<string, string>, PromiseLike<object>])[] = [
      ['getUser', { username }, patterns.getUser({ username })],
      ['postsByUser', { username }, patterns.postsByUser({ username })],
      ['userFeed', { username }, patterns.userFeed({ username })],
      ['publishedPosts', { published: 'true' }, patterns.publishedPosts({ published: true })],
      ['commentsOnPost', { postId }, patterns.commentsOnPost({ postId })],
      [
        'commentsByUser',
        { username: comment?.username ?? '' },
        patterns.commentsByUser({ username: comment?.username ?? '' }),
      ],
      ['tagsOfPost', { postId }, patterns.tagsOfPost({ postId })],
      ['postsWithTag', { tag: tag?.tag ?? '' }, patterns.postsWithTag({ tag: tag?.tag ?? '' })],
      [
        'session',
        { token: session?.token ?? '' },
        patterns.session({ token: session?.token ?? '' }),
      ],
    ]
    for (const [name, input, call] of calls) {
      const result = (await call) as {
        readonly item?: object
        readonly items?: readonly object[]
        readonly groups?: Readonly<Record<string, readonly object[]>>
      }
      const items = result.items ?? Object.values(result.groups ?? { item: [result.item] }).flat()
      const count = items.filter((each) => each !== undefined).length
      await go(`patterns?pattern=${name}&input=${encodeURIComponent(JSON.stringify(input))}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('.results .panel, .results .empty strong').first().waitFor()
      await expect
        .poll(async () => [name, await page.locator('.results tbody tr').count()])
        .toEqual([name, count])
    }
    await go('patterns?pattern=postsByUser')
    await page.getByLabel('username', { exact: false }).first().fill(username)
    await page.keyboard.press('Control+Enter')
    await page.locator('.results tbody tr').first().waitFor()
    await page.getByRole('tab', { name: 'Code' }).click()
    for (const text of ['table.patterns.postsByUser', 'QueryCommand', 'aws dynamodb query']) {
      await page.getByText(text).first().waitFor()
    }
    await page.getByText('SELECT *').waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as test' }).click()
    expect((await saved).suggestedFilename()).toBe('postsByUser.test.ts')
    await page.getByRole('button', { name: username, exact: true }).first().click()
    await page.locator('.inspector').getByText('User', { exact: true }).waitFor()
    expect(complaints).toEqual([])
  })

  test('each pattern shows whether it was run, and the list can be filtered and sorted', async () => {
    await page.getByRole('link', { name: /^Pattern coverage\s*0 of \d+/ }).click()
    const list = page.getByRole('navigation', { name: 'Access patterns' })
    await list.getByText('userFeed').click()
    await page.getByRole('tab', { name: 'Status' }).click()
    await page.locator('.plan dd', { hasText: 'not run' }).waitFor()
    await page.getByText('There is no recording of tests').waitFor()
    await page.getByLabel('username', { exact: false }).first().fill('nobody')
    await page.keyboard.press('Control+Enter')
    await page.locator('.plan dd', { hasText: /^1 call, 95 % within [\d.]+ ms$/ }).waitFor()
    // The list shows those that were not run.
    await expect.poll(() => list.getByText('userFeed').count()).toBe(0)
    await page.getByLabel('Which patterns').selectOption('run')
    await list.getByRole('link', { name: /userFeed.*p95 [\d.]+ ms/s }).waitFor()
    expect(await list.getByRole('link').count()).toBe(1)
    await page.getByLabel('Which patterns').selectOption('')
    await page.getByLabel('Order').selectOption('p95')
    expect(await list.getByRole('link').first().textContent()).toContain('userFeed')
    await page.getByLabel('Order').selectOption('name')
    const names = await list.locator('a > span:first-child').allTextContents()
    expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')))
    await go('overview')
    await page
      .getByRole('link', { name: /^Pattern coverage\s*1 of \d+\s*run by this studio/ })
      .waitFor()
    expect(complaints).toEqual([])
  })

  test('an item is edited, reviewed and saved, and its index keys follow', async () => {
    await go('data')
    await rowOf(page, 'Post').first().click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.locator('.inspector').getByLabel('title', { exact: false }).fill('A better title')
    await page.getByRole('button', { name: 'Stage 1 change' }).click()
    await page.getByText('1 staged change').waitFor()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('sends UpdateItem').or(page.getByText('sends Transact')).first().waitFor()
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await page.locator('.inspector').getByText('A better title').waitFor()
    const { Items } = await open.engine.send('Scan', { TableName: 'Studio' })
    expect(Items?.filter(({ title }) => title?.S === 'A better title').length).toBe(1)
    expect(complaints).toEqual([])
  })

  test('a change after somebody else changed the item is a conflict, and theirs stays', async () => {
    await go('data')
    await rowOf(page, 'User').first().click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.locator('.inspector').getByRole('textbox', { name: /^name/ }).fill('Ours')
    await page.getByRole('button', { name: /^Stage/ }).click()
    const item = JSON.parse(new URLSearchParams(page.url().split('?')[1]).get('item') ?? '{}')
    await open.engine.send('UpdateItem', {
      TableName: 'Studio',
      Key: item,
      UpdateExpression: 'SET #n = :n',
      ExpressionAttributeNames: { '#n': 'name' },
      ExpressionAttributeValues: { ':n': { S: 'Theirs' } },
    })
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('Somebody changed the item after it was read.').waitFor()
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByRole('button', { name: /^Discard my change/ }).click()
    const { Item } = await open.engine.send('GetItem', { TableName: 'Studio', Key: item })
    expect(Item?.name).toEqual({ S: 'Theirs' })
  })

  test('a conflict shows what was changed meanwhile, and the change can be made of that', async () => {
    await go('data')
    await rowOf(page, 'User').first().click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.locator('.inspector').getByRole('textbox', { name: /^name/ }).fill('Ours')
    await page.getByRole('button', { name: /^Stage/ }).click()
    const Key = JSON.parse(new URLSearchParams(page.url().split('?')[1]).get('item') ?? '{}')
    await open.engine.send('UpdateItem', {
      TableName: 'Studio',
      Key,
      UpdateExpression: 'SET #n = :n, #o = :o',
      ExpressionAttributeNames: { '#n': 'name', '#o': 'other' },
      ExpressionAttributeValues: { ':n': { S: 'Theirs' }, ':o': { S: 'kept' } },
    })
    await page.getByRole('button', { name: 'Review' }).click()
    const meanwhile = page.getByRole('region', { name: 'What was changed meanwhile' })
    await meanwhile.getByText('Theirs').waitFor()
    await page.getByRole('button', { name: 'Change the item as it is now' }).click()
    await meanwhile.waitFor({ state: 'detached' })
    await page.getByText('sends').waitFor()
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await page.getByText('1 change saved').waitFor()
    const { Item } = await open.engine.send('GetItem', { TableName: 'Studio', Key })
    expect([Item?.name, Item?.other]).toEqual([{ S: 'Ours' }, { S: 'kept' }])
  })

  test('what an address names and does not exist is said, and staged changes are not forgotten', async () => {
    await go('nowhere')
    await page.getByText('There is no screen "nowhere".').waitFor()
    await go('data?index=gsi9')
    await page.getByText('There is no index "gsi9".').waitFor()
    await go('data?pk=notjson')
    await page.getByText("The partition of this address can't be read.").waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    expect(page.url()).toContain('#/data')
    await rowOf(page, 'User').first().click()
    await page.locator('.inspector .facts').waitFor()
    await page.keyboard.press('Delete')
    await page.getByText('1 staged change').waitFor()
    const asked = page.waitForEvent('dialog')
    const reloaded = page.reload({ timeout: 5000 }).catch(() => {})
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await reloaded
    await page.getByText('1 staged change').waitFor()
  })

  test('an item is made after a refusal, duplicated, deleted, and the delete taken back', async () => {
    const stored = async (username: string): Promise<object | undefined> => {
      const Key = { pk: { S: `USER#${username}` }, sk: { S: `USER#${username}` } }
      return (await open.engine.send('GetItem', { TableName: 'Studio', Key })).Item
    }
    await go('data')
    await page.getByRole('button', { name: 'New item' }).click()
    await page.getByLabel('entity').selectOption('User')
    await page.getByRole('button', { name: 'Stage the item' }).click()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('alert').first().waitFor()
    expect(await page.getByRole('alert').first().textContent()).toContain('username')
    await page.getByRole('button', { name: /^Discard the change/ }).click()
    await page.getByRole('button', { name: 'Back' }).click()

    await page.getByRole('button', { name: 'New item' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('entity').selectOption('User')
    await form.getByRole('textbox', { name: /^username/ }).fill('grüße,/%😀')
    await form.getByText('USER#grüße,/%😀').waitFor()
    await form.getByRole('textbox', { name: /^name/ }).fill('Ada')
    await form.getByRole('textbox', { name: /^email/ }).fill('ada@example.com')
    await page.getByRole('button', { name: 'Stage the item' }).click()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await page.getByText('1 change saved').waitFor()
    expect(await stored('grüße,/%😀')).toMatchObject({ name: { S: 'Ada' } })

    await go(`data?pk=${encodeURIComponent(JSON.stringify(['USER#grüße,/%😀']))}`)
    await page.locator('.band').filter({ hasText: 'grüße' }).waitFor()
    await page.locator('.row .table-sort').first().click()
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await form.getByRole('textbox', { name: /^username/ }).fill('bob')
    await page.getByRole('button', { name: 'Stage the item' }).click()
    await page.keyboard.press('Delete')
    await page.getByText('2 staged changes').waitFor()
    await page.keyboard.press('Control+s')
    await page.getByRole('button', { name: 'Save 2 changes' }).click()
    await page.getByText('2 changes saved').waitFor()
    expect(await stored('bob')).toMatchObject({ name: { S: 'Ada' } })
    expect(await stored('grüße,/%😀')).toBeUndefined()

    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Save 2 changes' }).click()
    await page.getByText('2 changes saved').waitFor()
    expect(await stored('bob')).toBeUndefined()
    expect(await stored('grüße,/%😀')).toMatchObject({ name: { S: 'Ada' } })
    expect(complaints).toEqual([])
  })

  test('several items are changed together, each through the library', async () => {
    await go('data?entity=Comment')
    await page.locator('.row').nth(1).waitFor()
    await page.locator('.row-check').nth(0).check()
    await page.locator('.row-check').nth(1).check()
    await page.getByText('2 items selected').waitFor()
    await page.getByLabel('Attribute to set').selectOption('content')
    await page.getByLabel('Value of content').fill('Moderated')
    await page.getByRole('button', { name: 'Stage updates' }).click()
    await page.getByText('2 staged changes').waitFor()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Save 2 changes' }).click()
    await page.getByText('2 staged changes').waitFor({ state: 'detached' })
    const { Items } = await open.engine.send('Scan', { TableName: 'Studio' })
    expect(Items?.filter(({ content }) => content?.S === 'Moderated').length).toBe(2)
    expect(complaints).toEqual([])
  })

  test('markup in keys, values, names and errors is shown as text', async () => {
    const values = Object.fromEntries(
      HOSTILE.map((text) => [text, { L: [{ S: text }, { M: { [text]: { S: text } } }] }]),
    )
    for (const text of HOSTILE) {
      const Item = { ...values, pk: { S: `A ${text}` }, sk: { S: text } }
      await open.engine.send('PutItem', { TableName: 'Studio', Item })
    }
    for (const text of HOSTILE.slice(0, 2)) {
      await go(`data?pk=${encodeURIComponent(JSON.stringify([`A ${text}`]))}`)
      const band = page.locator('.band').filter({ hasText: `A ${text}` })
      await band.waitFor()
      await page.locator('.row .table-sort').first().click()
      await page.locator('.inspector').getByText(text, { exact: false }).first().waitFor()
      for (const name of ['Stored', 'In all indexes', 'Decoded']) {
        await page.getByRole('tab', { name }).click()
      }
    }
    await go('data')
    await page.locator('.row').first().waitFor()
    for (const text of HOSTILE.slice(0, 3)) {
      await go(`query?kind=statement&statement=${encodeURIComponent(`SELECT ${text}`)}`)
      await page.getByRole('alert').first().waitFor()
      await go(`heat?index=${encodeURIComponent(text)}`)
      await page.getByRole('alert').first().waitFor()
    }
    await go('heat')
    await page.locator('.heat li').first().waitFor()
    expect(await page.evaluate('window.hit')).toBeUndefined()
    // An answer that is a refusal is logged by the browser; nothing else is.
    expect(complaints.filter((each) => !each.includes('400 (Bad Request)'))).toEqual([])
  })

  test('digits, sets, bytes and empty strings are shown as they are stored', async () => {
    const digits = '12345678901234567890123456789012345678'
    const Item = {
      pk: { S: 'odd/,%#😀' },
      sk: { S: '1' },
      digits: { N: digits },
      set: { NS: ['0.1', '99999999999999999999'] },
      bytes: { B: 'AAEC/w==' },
      none: { S: '' },
    }
    await open.engine.send('PutItem', { TableName: 'Studio', Item })
    await go(`data?pk=${encodeURIComponent(JSON.stringify([Item.pk.S]))}`)
    await page.locator('.row .table-sort').first().click()
    const inspector = page.locator('.inspector')
    for (const text of [digits, '99999999999999999999', 'AAEC/w==', 'odd/,%#😀']) {
      await inspector.getByText(text).first().waitFor()
    }
    expect(complaints).toEqual([])
  })

  test('an item is found, edited and saved by keyboard alone', async () => {
    const { keyboard } = page
    await keyboard.press('g')
    await keyboard.press('c')
    await page.locator('.row').first().waitFor()
    await keyboard.press('j')
    await keyboard.press('j')
    await keyboard.press('x')
    await page.getByText('1 item selected').waitFor()
    await keyboard.press('x')
    await keyboard.press(']')
    await expect.poll(() => page.url()).toContain('index=gsi1')
    await keyboard.press('[')
    await expect.poll(() => page.url()).not.toContain('index=gsi1')
    await keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).fill('User')
    await keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain('entity=User')
    await rowOf(page, 'User').first().waitFor()
    await keyboard.press('j')
    await keyboard.press('j')
    await keyboard.press('Enter')
    await page.locator('.inspector .facts').waitFor()
    await keyboard.press('e')
    // The first field that may change has the focus.
    await page.locator('.inspector input:focus').waitFor()
    await keyboard.press('Control+a')
    await keyboard.type('By keyboard')
    await keyboard.press('Enter')
    await page.getByText('1 staged change').waitFor()
    await keyboard.press('Control+s')
    await page.getByText('sends').waitFor()
    await keyboard.press('Enter')
    await page.getByText('1 change saved').waitFor()
    await page.locator('.inspector').getByText('By keyboard').waitFor()
    await keyboard.press('Escape')
    await page.locator('.inspector').waitFor({ state: 'detached' })
    await keyboard.press('/')
    await keyboard.type('USER#nobody')
    await keyboard.press('Enter')
    await page.getByText('This partition has no items.').waitFor()
    await keyboard.press('Escape')
    await keyboard.press('?')
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor()
    await keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('changes appear while they are made, and a pause holds them back', async () => {
    await go('stream')
    await page.getByText('Nothing has changed yet.').waitFor()
    const put = (sk: string): Promise<unknown> =>
      open.engine.send('PutItem', {
        TableName: 'Studio',
        Item: { pk: { S: '<b>tail' }, sk: { S: sk }, note: { S: HOSTILE[0] ?? '' } },
      })
    let written = 0
    // The stream is followed from its first read on, so that one item may come before that.
    await expect
      .poll(async () => {
        await put(`${written++}`)
        return page.locator('.tail-change').count()
      })
      .toBeGreaterThan(0)
    await page
      .locator('.tail-change')
      .filter({ hasText: HOSTILE[0] ?? '' })
      .first()
      .waitFor()
    await page.locator('h1').click()
    await page.keyboard.press('Space')
    await put('during the pause')
    await page.getByRole('button', { name: /^Continue \(\d+ new\)/ }).click()
    await page.getByLabel('Text in the key, a value or the cause').fill('during the pause')
    await page.getByText('1 change', { exact: true }).waitFor()
    expect(page.url()).toContain('text=during')
    expect(await page.evaluate('window.hit')).toBeUndefined()
    expect(complaints).toEqual([])
  })

  test('an export is imported again: first a dry run, then through the library', async () => {
    await go('transfer?format=dynamodb&entity=Post')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ])
    const file = await download.path()
    const text = readFileSync(file, 'utf8')
    expect(download.suggestedFilename()).toBe('Studio-Post.jsonl')
    const [line = ''] = text.split('\n')
    const posts = text.trimEnd().split('\n').length
    const other = line.replaceAll(/(POST#|"postId":\{"S":")/g, '$1new')
    await page.getByLabel('Drop a file here, or choose one').setInputFiles({
      name: 'posts.jsonl',
      mimeType: 'application/jsonl',
      buffer: Buffer.from(`${text}${other}\n`),
    })
    await page.getByRole('button', { name: 'Dry run' }).click()
    await page.getByText(`Dry run: ${posts + 1} items`).waitFor()
    await page.getByRole('button', { name: 'Import 1 item' }).click()
    await page.getByText(`Imported into Studio: ${posts + 1} items`).waitFor()
    const { Items } = await open.engine.send('Scan', { TableName: 'Studio' })
    expect(Items?.filter(({ sk }) => sk?.S?.startsWith('POST#new')).length).toBe(1)
    expect(complaints).toEqual([])
  })

  test('columns are pinned and resized by mouse and by keyboard, and the address has it', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await go('data?entity=Post')
    await page.locator('.row').first().waitFor()
    const head = (name: string): Locator => page.getByRole('columnheader', { name })
    const width = async (name: string): Promise<number> =>
      (await head(name).boundingBox())?.width ?? 0
    const before = await width('title')
    const box = await head('title').locator('.column-resize').boundingBox()
    await page.mouse.move((box?.x ?? 0) + 3, (box?.y ?? 0) + 10)
    await page.mouse.down()
    await page.mouse.move((box?.x ?? 0) + 83, (box?.y ?? 0) + 10, { steps: 3 })
    await page.mouse.up()
    await expect.poll(() => width('title')).toBe(before + 80)
    await head('title').hover()
    await page.getByRole('button', { name: 'Pin title' }).click()
    await expect.poll(() => page.url()).toContain('pin=')
    expect(
      await page.locator('.row').first().locator('.cell').nth(1).getAttribute('class'),
    ).toMatch(/is-pinned/)
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('ArrowRight')
    await page.locator('.cell.is-marked').waitFor()
    const title = await page.locator('.cell.is-marked').textContent()
    await page.keyboard.press('Control+c')
    const copied = (): Promise<unknown> => page.evaluate('navigator.clipboard.readText()')
    await expect.poll(copied).toBe(JSON.stringify({ S: title }))
    await page.keyboard.press('c')
    await expect.poll(copied).toBe(title)
    await page.keyboard.press('Shift+ArrowLeft')
    await expect.poll(() => width('title')).toBe(before + 56)
    await page.keyboard.press('p')
    await expect.poll(() => page.url()).not.toContain('pin=')
    await page.reload()
    await expect.poll(() => width('title')).toBe(before + 56)
    expect(complaints).toEqual([])
  })

  test('a value in the table leads to the item it names, and a key to its partition', async () => {
    await go('data?entity=Session')
    await rowOf(page, 'Session').first().waitFor()
    await page.locator('.cell.is-link').first().click()
    await page.locator('.inspector').getByText('User', { exact: true }).waitFor()
    await page.locator('.crumb').click()
    await expect.poll(() => page.url()).toContain('entity=Session')
    await go('data?entity=Comment')
    const key = page.locator('.cell.is-link', { hasText: /^USER#/ }).first()
    const partition = (await key.textContent()) ?? ''
    await key.click()
    await expect.poll(() => page.url()).toContain('index=gsi1')
    await page.locator('.band').filter({ hasText: partition }).waitFor()
    expect(complaints).toEqual([])
  })

  test('a server that is gone is said, and what was staged stays', async () => {
    await go('data')
    await rowOf(page, 'User').first().click()
    await page.locator('.inspector .facts').waitFor()
    await page.keyboard.press('Delete')
    await page.getByText('1 staged change').waitFor()
    await open.studio.close()
    await page.getByText('The studio does not answer.').first().waitFor()
    await page.getByRole('button', { name: 'gsi1', exact: true }).click()
    await page.getByRole('alert').first().waitFor()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await page.getByText('1 staged change').waitFor()
  })

  test('a selection is saved as a fixture, and the drawing as SVG and PNG', async () => {
    await go('data?entity=User')
    await rowOf(page, 'User').first().waitFor()
    await page.locator('.row-check').first().check()
    const files: string[] = []
    for (const [name, hash] of [
      ['Save as fixture', ''],
      ['Export JSON lines', ''],
      ['Save as SVG', 'design'],
      ['Save as PNG', 'design'],
    ] as const) {
      if (hash !== '') await go(hash)
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name }).click()
      const download = await saved
      files.push(download.suggestedFilename())
      const content = readFileSync(await download.path(), 'latin1')
      expect(content).toMatch(/export const seed = \{|"Item":|<svg.*>User<|^\x89PNG/s)
    }
    expect(files).toEqual([
      'fixtures.ts',
      'Studio.jsonl',
      'Studio-entities.svg',
      'Studio-entities.png',
    ])
    expect(complaints).toEqual([])
  })

  test('a finding shows the change of the schema that fixes it', async () => {
    await go('lint')
    const finding = page.locator('.finding', { has: page.locator('.diff') }).first()
    await finding.locator('.added').first().waitFor()
    expect(await finding.locator('.diff-place').first().textContent()).toContain('schema.ts:')
  })

  test.each(['light', 'dark'] as const)(
    'no screen has a violation of accessibility or a layout that overflows, %s',
    async (theme) => {
      await page.emulateMedia({ colorScheme: theme })
      for (const width of [1440, 900]) {
        await page.setViewportSize({ width, height: width === 900 ? 700 : 900 })
        for (const screen of SCREENS) {
          await go(screen)
          await page.waitForLoadState('networkidle').catch(() => {})
          await page.locator('.screen').waitFor()
          if (screen === 'data') {
            await page.locator('.row .table-sort').first().click()
            await page.locator('.inspector .facts').waitFor()
          }
          await page.screenshot({ path: path.join(PICTURES, `${screen}-${theme}-${width}.png`) })
          const found = await violationsOf(page)
          expect(found, `${screen} at ${width}, ${theme}`).toEqual([])
          const overflow = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          )
          expect(overflow, `${screen} at ${width}`).toBe(0)
        }
      }
      expect(complaints).toEqual([])
    },
  )
})

describe.skipIf(CHROMIUM === undefined)('other studios in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    await buildPage()
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())
  const visit = async (
    schema: string,
    options: Parameters<typeof openStudio>[1],
    run: (page: Page, open: OpenStudio, go: (hash: string) => Promise<unknown>) => Promise<void>,
  ): Promise<void> => {
    const open = await openStudio(schema, options)
    const page = await browser.newPage({ viewport: { width: 900, height: 700 } })
    await page.goto(open.studio.url)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await run(page, open, (hash) => page.goto(`http://127.0.0.1:${open.studio.port}/#/${hash}`))
    expect(open.faults).toEqual([])
    await page.close()
    await open.close()
  }

  test('on AWS nothing is read before it is asked for, and saving asks for the name', async () => {
    await visit('examples/blog/schema.ts', { isAws: true, count: 10 }, async (page, open, go) => {
      await page.getByText('writes allowed').waitFor()
      await page.getByRole('button', { name: 'Count items' }).waitFor()
      await go('data')
      await page.getByRole('button', { name: 'Read the first page' }).click()
      await rowOf(page, 'User').first().click()
      await page.locator('.inspector .facts').waitFor()
      await page.keyboard.press('Delete')
      await page.keyboard.press('Control+s')
      const save = page.getByRole('button', { name: 'Save 1 change' })
      await save.waitFor()
      expect(await save.isDisabled()).toBe(true)
      await page.getByLabel(/Type its name/).fill('Studi')
      expect(await save.isDisabled()).toBe(true)
      await page.getByLabel(/Type its name/).fill('Studio')
      const before = (await open.engine.send('Scan', { TableName: 'Studio' })).Count ?? 0
      await save.click()
      await page.getByText('1 change saved').waitFor()
      expect((await open.engine.send('Scan', { TableName: 'Studio' })).Count).toBe(before - 1)
    })
  })

  test('migrations are listed, and requests are counted by partition', async () => {
    const migrations = mkdtempSync(path.join(tmpdir(), 'studio-migrations-'))
    const shared = { directory: migrations, nowMs: 0, parents: [], changes: [] }
    const id = writeMigration({ ...shared, name: 'first', definition: blogSchema })
    await visit('examples/blog/schema.ts', { migrations, count: 10 }, async (page, _, go) => {
      await go('migrate')
      await page.getByText('1 migration is not applied.').waitFor()
      await page.getByRole('button', { name: id }).click()
      await page.getByText('It has no steps that change items.').waitFor()
      expect(page.url()).toContain(`migration=${id}`)
      await go('heat?by=requests&index=gsi1')
      await page.getByText('No partition was asked for').waitFor()
      await go('data?index=gsi1&pk=%5B%22POST%22%5D')
      await page.locator('.row').first().waitFor()
      await go('heat?by=requests&index=gsi1')
      await page.locator('.heat li').filter({ hasText: '1 read' }).waitFor()
    })
    rmSync(migrations, { recursive: true })
  })

  test('a read-only studio says so, and offers no change', async () => {
    await visit('examples/blog/schema.ts', { isReadOnly: true, count: 10 }, async (page, _, go) => {
      await page.getByText('read-only').waitFor()
      await go('data')
      await page.locator('.row .table-sort').first().click()
      await page.locator('.inspector .facts').waitFor()
      await page.keyboard.press('e')
      await page.keyboard.press('n')
      await page.keyboard.press('Delete')
      for (const name of ['Edit', 'Delete', 'New item', 'Duplicate', 'Review']) {
        expect([name, await page.getByRole('button', { name }).count()]).toEqual([name, 0])
      }
    })
  })

  test('digits, sets and dates that were not touched are stored as they were', async () => {
    await visit('test/kit/rides/schema.ts', { count: 40 }, async (page, open, go) => {
      const Key = { pk: { S: 'SETTINGS' }, sk: { S: 'SETTINGS' } }
      const digits = '12345678901234567890.123456789012345678'
      await open.engine.send('UpdateItem', {
        TableName: 'Studio',
        Key,
        UpdateExpression: 'SET minimumPrice = :p, cities = :c',
        ExpressionAttributeValues: { ':p': { N: digits }, ':c': { SS: ['Łódź', '😀'] } },
      })
      await go(`data?pk=${encodeURIComponent('["SETTINGS"]')}`)
      await page.locator('.row .table-sort').first().click()
      await page.locator('.inspector').getByText(digits).waitFor()
      await page.getByRole('button', { name: 'Edit' }).click()
      await page
        .locator('.inspector')
        .getByRole('textbox', { name: /^cities/ })
        .fill('["Łódź","😀","x"]')
      await page.getByRole('button', { name: 'Stage 1 change' }).click()
      await page.keyboard.press('Control+s')
      await page.getByRole('button', { name: 'Save 1 change' }).click()
      await page.getByText('1 change saved').waitFor()
      const { Item } = await open.engine.send('GetItem', { TableName: 'Studio', Key })
      expect(Item?.minimumPrice).toEqual({ N: digits })
      expect(new Set(Item?.cities?.SS)).toEqual(new Set(['Łódź', '😀', 'x']))
    })
  })
})

test('the page is at most 120 KB compressed', async () => {
  const { gzipSync } = await import('node:zlib')
  const { readdirSync } = await import('node:fs')
  const web = await buildPage()
  const bytes = readdirSync(web, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((each) => each.isFile())
    .map(
      (each) => gzipSync(readFileSync(path.join(each.parentPath, each.name)), { level: 9 }).length,
    )
    .reduce((sum, each) => sum + each, 0)
  console.log(`page of the studio: ${bytes} bytes compressed`)
  expect(bytes).toBeLessThan(120 * 1024)
})
