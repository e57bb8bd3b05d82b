import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ROOT } from '../../architecture/package-manifest.ts'
import { CHROMIUM, launchChromium } from '../chromium.ts'
import { buildPage, type OpenStudio, openStudio } from './open-studio.ts'

const PICTURES = path.join(ROOT, 'node_modules/.cache/singletable-studio-pictures')
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const SCREENS = ['overview', 'data', 'patterns', 'query', 'design', 'lint', 'heat'] as const

/** Texts that do something in a page that takes them for markup. */
const HOSTILE = [
  '<script>window.hit=1</script>',
  '<img src=x onerror="window.hit=1">',
  'javascript:window.hit=1',
  '"><svg onload=window.hit=1>',
  '{{constructor.constructor("window.hit=1")()}}',
  '</script><script>window.hit=1</script>',
]

describe.skipIf(CHROMIUM === undefined)('the studio in a browser', () => {
  let browser: Browser
  let open: OpenStudio
  let context: BrowserContext
  let page: Page
  /** What the browser complained of, and hosts that it asked. */
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
    await page.locator('.row').filter({ hasText: 'Post' }).first().click()
    await page.getByRole('tab', { name: 'In all indexes' }).click()
    const copy = page.locator('.copy', { has: page.locator('strong', { hasText: 'gsi1' }) })
    await copy.getByRole('button').click()
    await expect.poll(() => page.url()).toContain('index=gsi1')
    await page.locator('.band').first().waitFor()
    expect(await page.locator('.band').count()).toBe(1)
    await page.goBack()
    await expect.poll(() => page.url()).not.toContain('index=gsi1')
    await page.locator('.band').nth(1).waitFor()
    expect(complaints).toEqual([])
  })

  test('a pattern gives in the page what the library gives', async () => {
    const answer = await open.engine.send('Scan', { TableName: 'Studio' })
    const post = answer.Items?.find(
      (item) =>
        item.postId !== undefined && item.username !== undefined && item.commentId === undefined,
    )
    const username = post?.username?.S ?? ''
    const expected = answer.Items?.filter(
      (item) => item.pk?.S === `USER#${username}` && item.sk?.S?.startsWith('POST#'),
    )
    await go('patterns?pattern=postsByUser')
    await page.getByLabel('username', { exact: false }).first().fill(username)
    await page.keyboard.press('Control+Enter')
    await page.getByText(`${expected?.length} result`).waitFor()
    for (const { postId } of expected ?? [])
      await page
        .getByText(postId?.S ?? '?')
        .first()
        .waitFor()
    await page.getByRole('tab', { name: 'Code' }).click()
    await page.getByText('table.patterns.postsByUser').waitFor()
    expect(complaints).toEqual([])
  })

  test('an item is edited, reviewed and saved, and its index keys follow', async () => {
    await go('data')
    await page.locator('.row').filter({ hasText: 'Post' }).first().click()
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
    await page.locator('.row').filter({ hasText: 'User' }).first().click()
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

  test('a new item that the schema refuses says why, and the right one is saved', async () => {
    await go('data')
    await page.getByRole('button', { name: 'New item' }).click()
    await page.getByLabel('entity').selectOption('User')
    await page.getByRole('button', { name: 'Stage the item' }).click()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('alert').first().waitFor()
    expect(await page.getByRole('alert').first().textContent()).toContain('username')
    await page.getByRole('button', { name: /^Discard the change/ }).click()
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

  test('markup in keys, values and names is shown as text', async () => {
    for (const [at, text] of HOSTILE.entries()) {
      const Item = { pk: { S: `A${at} ${text}` }, sk: { S: text }, [text]: { S: text } }
      await open.engine.send('PutItem', { TableName: 'Studio', Item })
    }
    for (const [at, text] of HOSTILE.entries()) {
      const hash = `A${at} ${text}`
      await go(`data?pk=${encodeURIComponent(JSON.stringify([hash]))}`)
      await page
        .locator('.band')
        .filter({ hasText: `A${at} ` })
        .waitFor()
      await page.locator('.row').first().click()
      await page.locator('.inspector').getByText(text, { exact: false }).first().waitFor()
      await page.getByRole('tab', { name: 'Stored' }).click()
      await page.getByRole('tab', { name: 'Decoded' }).click()
    }
    expect(await page.evaluate('window.hit')).toBeUndefined()
    expect(complaints).toEqual([])
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
    await page.locator('.row').first().click()
    const inspector = page.locator('.inspector')
    for (const text of [digits, '99999999999999999999', 'AAEC/w==', 'odd/,%#😀']) {
      await inspector.getByText(text).first().waitFor()
    }
    expect(complaints).toEqual([])
  })

  test('everything can be reached by keyboard alone', async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await page.locator('.row').first().waitFor()
    await page.locator('.table').focus()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByText('1 item selected').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.inspector').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.inspector').waitFor({ state: 'detached' })
    await page.keyboard.press(']')
    await expect.poll(() => page.url()).toContain('index=gsi1')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).fill('postsByUser')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => page.url()).toContain('pattern=postsByUser')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('a server that is gone is said, and nothing is lost', async () => {
    await go('data')
    await page.locator('.row').first().waitFor()
    await open.studio.close()
    await page.getByText('The studio does not answer.').first().waitFor()
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
            await page.locator('.row').first().click()
            await page.locator('.inspector .facts').waitFor()
          }
          await page.screenshot({ path: path.join(PICTURES, `${screen}-${theme}-${width}.png`) })
          if (process.env.PICTURES === '1' && width === 1440 && theme === 'light') {
            await page.screenshot({ path: path.join(ROOT, 'docs/images', `studio-${screen}.png`) })
          }
          await page.evaluate(AXE)
          const found = (await page.evaluate(
            `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html.slice(0, 160)).slice(0, 3).join(' ')))`,
          )) as readonly string[]
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
