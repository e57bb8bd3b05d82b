import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { compileSchema, GUARD, type SchemaDefinition } from 'singletable/tools'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { blogSchema } from '../../../examples/blog/schema.ts'
import { diffSchemas } from '../../../packages/kit/src/migrate/diff-schemas.ts'
import { writeMigration } from '../../../packages/kit/src/migrate/write-migration.ts'
import { CHROMIUM, launchChromium } from '../chromium.ts'
import { buildPage, type OpenStudio, openStudio } from './open-studio.ts'
import { violationsOf } from './violations.ts'

/** A key that no address or template may take apart. */
const STRANGE = { pk: { S: 'stray, 50% #1/2?&=😀' }, sk: { S: '<b>\u202e"\\' } }
const DIGITS = '12345678901234567890.123456789012345678'

describe.skipIf(CHROMIUM === undefined)('what the studio does to items of no entity', () => {
  let browser: Browser
  let open: OpenStudio
  let page: Page
  let migrations: string
  const complaints: string[] = []
  beforeAll(async () => {
    await buildPage()
    browser = await launchChromium()
    migrations = mkdtempSync(path.join(tmpdir(), 'studio-features-'))
    writeRename(migrations)
    open = await openStudio('examples/blog/schema.ts', {
      ...{ count: 30, migrations, showsTables: true },
    })
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    await page.goto(open.studio.url)
    await page.getByRole('heading', { name: 'Studio', level: 1 }).waitFor()
  })
  afterEach(() => {
    expect(open.faults).toEqual([])
    expect(complaints).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await open?.close()
    rmSync(migrations, { recursive: true, force: true })
  })
  const go = async (hash: string): Promise<void> => {
    await page.goto(`http://127.0.0.1:${open.studio.port}/#/${hash}`)
  }
  const partition = `data?pk=${encodeURIComponent(JSON.stringify([STRANGE.pk.S]))}`
  const stored = async (): Promise<object | undefined> =>
    (await open.engine.send('GetItem', { TableName: 'Studio', Key: STRANGE })).Item

  test('one is written in DynamoDB JSON, changed, and the change taken back', async () => {
    await go(partition)
    await page.getByText('This partition has no items.').waitFor()
    await page.keyboard.press('n')
    await page.getByLabel('entity').selectOption({ label: 'no entity: DynamoDB JSON' })
    const editor = page.getByLabel('The new item in DynamoDB JSON')
    await editor.fill('{"pk": {"S": "x"}')
    await page.getByText(/Expected .*line 1/).waitFor()
    expect(await page.getByRole('button', { name: 'Stage the item' }).isDisabled()).toBe(true)
    const item = { ...STRANGE, digits: { N: DIGITS }, empty: { S: '' }, bytes: { B: 'AAEC' } }
    await editor.fill(JSON.stringify({ ...item, set: { SS: ['b', 'a'] } }))
    await page.keyboard.press('Control+Enter')
    await page.getByText('1 staged change').waitFor()
    await page.keyboard.press('Control+s')
    await page.getByRole('dialog').getByText('sends PutItem').waitFor()
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await page.getByText('1 change saved').waitFor()
    expect(await stored()).toEqual({ ...item, set: { SS: ['b', 'a'] } })
    // The list is read again, and the item is open to the keyboard.
    await page.locator('.row .table-sort').first().click()
    await page.locator('.inspector').getByText(DIGITS).waitFor()
    await page.keyboard.press('e')
    const again = page.getByLabel('The item in DynamoDB JSON')
    await again.fill((await again.inputValue()).replace('{"S":""}', '{"NULL":true}'))
    await page.keyboard.press('Control+Enter')
    await page.keyboard.press('Control+s')
    await page.getByRole('dialog').getByText('{"NULL":true}').waitFor()
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await page.getByText('1 change saved').waitFor()
    expect(await stored()).toMatchObject({ digits: { N: DIGITS }, empty: { NULL: true } })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await expect.poll(stored).toMatchObject({ empty: { S: '' } })
  })

  test('one that somebody changes meanwhile is a conflict, and one is deleted', async () => {
    await open.engine.send('PutItem', { TableName: 'Studio', Item: { ...STRANGE, n: { N: '1' } } })
    await go(partition)
    await page.locator('.row .table-sort').first().click()
    await page.locator('.inspector').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('1 staged change').waitFor()
    await open.engine.send('PutItem', { TableName: 'Studio', Item: { ...STRANGE, n: { N: '2' } } })
    await page.keyboard.press('Control+s')
    await page.getByText('Somebody changed the item after it was read.').waitFor()
    await page.getByRole('button', { name: 'Discard my change and read the item again' }).click()
    await page.keyboard.press('Escape')
    await page.locator('.inspector').getByText('2', { exact: true }).waitFor()
    await page.keyboard.press('Delete')
    await page.keyboard.press('Control+s')
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await expect.poll(stored).toBeUndefined()
    await page.getByText('The item is not in the table any more.').waitFor()
  })

  test('JSON of an entity is written through the library, and its keys are protected', async () => {
    await go('data?entity=Post')
    await page.locator('.row .table-sort').first().click()
    await page.getByRole('tab', { name: 'Stored' }).click()
    const title = 'Another title'
    const edit = async (change: (text: string) => string): Promise<void> => {
      await page.getByRole('button', { name: 'Edit JSON' }).click()
      const editor = page.getByLabel('The item in DynamoDB JSON')
      await editor.fill(change(await editor.inputValue()))
      await page.getByRole('button', { name: 'Stage the item' }).click()
      await page.getByRole('button', { name: 'Review' }).click()
    }
    await edit((text) => text.replace(/"gsi1sk": \{"S":"[^"]*"\}/, '"gsi1sk": {"S":"wrong"}'))
    await page.getByText('"gsi1sk" is made by Post from other attributes.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard', exact: true }).click()
    await edit((text) => text.replace(/"title": \{"S":"[^"]*"\}/, `"title": {"S":"${title}"}`))
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await page.locator('.row', { hasText: title }).first().waitFor()
  })

  test('the bands are saved as SVG and PNG, with values as text', async () => {
    const hostile = '</text><script>window.hit=1</script>'
    await open.engine.send('PutItem', {
      TableName: 'Studio',
      Item: { ...STRANGE, note: { S: hostile } },
    })
    await go(partition)
    await page.locator('.row').first().waitFor()
    const save = async (name: string): Promise<[string, Buffer]> => {
      const saved = page.waitForEvent('download')
      await page.locator('summary', { hasText: 'Picture' }).click()
      await page.getByRole('button', { name }).click()
      const download = await saved
      return [download.suggestedFilename(), readFileSync(await download.path())]
    }
    const [svgName, svg] = await save('Save as SVG')
    expect(svgName).toBe('Studio-stray-50-1-2-.svg')
    expect(svg.toString()).toContain('stray, 50% #1/2?&amp;=😀')
    expect(svg.toString()).toContain('&lt;/text&gt;&lt;script&gt;')
    expect(svg.toString()).not.toContain('<script')
    const [pngName, png] = await save('Save as PNG')
    expect([pngName, png.subarray(1, 4).toString()]).toEqual(['Studio-stray-50-1-2-.png', 'PNG'])
    expect(png.readUInt32BE(16)).toBeGreaterThan(600)
  })

  test('migrations are run from the page with their progress, after they were confirmed', async () => {
    await go('migrate')
    await page.getByText('2 migrations are not applied.').waitFor()
    await page.getByRole('button', { name: 'Run 2 migrations' }).click()
    const dialog = page.getByRole('dialog', { name: 'Run migrations' })
    await dialog.getByText('1 step, at most').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Run 2 migrations' }).click()
    await dialog.getByRole('button', { name: 'Run', exact: true }).click()
    await expect
      .poll(() => page.locator('.finding.is-info', { hasText: 'applied' }).count(), {
        timeout: 20_000,
      })
      .toBe(2)
    expect(await page.getByRole('button', { name: /^(Run|Pause|Resume)/ }).count()).toBe(0)
  })

  test('another table of the endpoint is opened without a schema, changed, and left again', async () => {
    await open.engine.send('CreateTable', {
      TableName: 'Legacy',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    })
    const Key = { id: { S: 'a' } }
    await open.engine.send('PutItem', { TableName: 'Legacy', Item: { ...Key, n: { N: '1' } } })
    await go('overview')
    await page.getByText('Time to live:').waitFor()
    await page.getByRole('link', { name: 'Tables' }).click()
    await page.getByLabel('Find a table').fill('lega')
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    await page.getByRole('link', { name: 'Legacy' }).click()
    await page.getByRole('heading', { name: 'Legacy', level: 1 }).waitFor()
    await page.getByText('guessed schema').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await page.locator('.row .table-sort').first().click()
    await page.locator('.inspector .tabs').waitFor()
    await page.keyboard.press('e')
    const editor = page.getByLabel('The item in DynamoDB JSON')
    await editor.fill((await editor.inputValue()).replace('"1"', '"2"'))
    await page.keyboard.press('Control+Enter')
    await page.keyboard.press('Control+s')
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await page.getByText('1 change saved').waitFor()
    const { Item } = await open.engine.send('GetItem', { TableName: 'Legacy', Key })
    expect(Item).toEqual({ ...Key, n: { N: '2' } })
    // The address has the table, so that it can be reloaded and left.
    expect(page.url()).toContain('table=Legacy')
    await page.reload()
    await page.locator('.inspector').getByText('2', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Tables' }).click()
    await page.getByRole('link', { name: 'Studio', exact: true }).click()
    await page.getByRole('heading', { name: 'Studio', level: 1 }).waitFor()
    await page.getByRole('row').filter({ hasText: 'Post' }).first().waitFor()
  })

  test('guards can be hidden, blanks and empty strings are seen, and the item covers no button', async () => {
    const Key = { pk: { S: 'blanks' }, sk: { S: ' 1 ' } }
    await open.engine.send('PutItem', {
      TableName: 'Studio',
      Item: { ...Key, none: { S: '' } },
    })
    const guardKey = { pk: { S: '_guard' }, sk: { S: 'by hand' } }
    await open.engine.send('PutItem', {
      TableName: 'Studio',
      Item: { ...guardKey, _type: { S: GUARD.type } },
    })
    await page.setViewportSize({ width: 900, height: 700 })
    await go(`data?pk=${encodeURIComponent('["_guard"]')}`)
    const guard = page.locator('.row', { hasText: 'by hand' })
    await guard.waitFor()
    const guards = page.getByRole('button', { name: 'guards' })
    await guards.click()
    await expect.poll(() => guard.count()).toBe(0)
    expect(page.url()).toContain('guards=hidden')
    await go(`data?pk=${encodeURIComponent('["blanks"]')}`)
    await page.locator('.row .table-sort').click()
    await page.locator('.inspector').getByText('empty text').waitFor()
    await page.locator('.inspector').getByText('␣1␣').waitFor()
    await page.getByRole('button', { name: 'New item' }).click({ timeout: 3000 })
    await page.getByRole('dialog', { name: 'New item' }).waitFor()
    await page.keyboard.press('Escape')
    for (const each of [Key, guardKey]) {
      await open.engine.send('DeleteItem', { TableName: 'Studio', Key: each })
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  test('each key of the map leads where the help says', async () => {
    const { keyboard } = page
    await go('overview')
    await page.getByRole('heading', { name: 'Studio', level: 1 }).waitFor()
    for (const [letter, screen] of [
      ...[
        ['t', 'tables'],
        ['c', 'data'],
        ['p', 'patterns'],
        ['q', 'query'],
        ['d', 'design'],
      ],
      ...[
        ['l', 'lint'],
        ['h', 'heat'],
        ['s', 'stream'],
        ['m', 'migrate'],
        ['i', 'transfer'],
      ],
      ...[['o', 'overview']],
    ]) {
      await keyboard.press('g')
      await keyboard.press(letter ?? '')
      await expect.poll(() => page.url()).toContain(`#/${screen}`)
    }
    for (const keys of ['?', 'Control+/']) {
      await keyboard.press(keys)
      await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor()
      await keyboard.press('Escape')
      await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor({ state: 'detached' })
    }
    await go('data')
    await page.locator('.row').first().waitFor()
    await keyboard.press('/')
    expect(await page.evaluate('document.activeElement.id')).toBe('filter')
    await keyboard.press('Escape')
    await keyboard.press('ArrowDown')
    await keyboard.press('j')
    await keyboard.press('k')
    await keyboard.press('j')
    await keyboard.press('Enter')
    await page.locator('.inspector .facts').waitFor()
    await keyboard.press('Escape')
    await page.locator('.inspector').waitFor({ state: 'detached' })
    await keyboard.press('n')
    await page.getByRole('dialog', { name: 'New item' }).waitFor()
    await keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'New item' }).waitFor({ state: 'detached' })
    await go('query?kind=statement')
    await page.getByLabel('statement').fill('SELECT * FROM "Studio" WHERE pk = \'none\'')
    await keyboard.press('Control+Enter')
    await page.getByText('No item answers it.').waitFor()
  })

  test.each(['light', 'dark'] as const)(
    'the list of tables, the JSON editor and the units have no violation of accessibility, %s',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme })
      await open.engine.send('PutItem', { TableName: 'Studio', Item: STRANGE })
      const stray = encodeURIComponent(JSON.stringify(STRANGE))
      for (const width of [1440, 900]) {
        await page.setViewportSize({ width, height: width === 900 ? 700 : 900 })
        for (const [hash, sign] of [
          ['tables', 'tbody tr'],
          [`data?item=${stray}`, '.inspector .facts'],
          ['heat?by=requests', '.heat li'],
        ] as const) {
          await go(hash)
          await page.locator(sign).first().waitFor()
          if (hash.startsWith('data')) {
            await page.keyboard.press('e')
            await page.locator('textarea.raw').waitFor()
          }
          const found = await violationsOf(page)
          expect([hash, width, found]).toEqual([hash, width, []])
          const overflow = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          )
          expect([hash, width, overflow]).toEqual([hash, width, 0])
        }
      }
      await page.setViewportSize({ width: 1440, height: 900 })
    },
  )

  test('heat counts units, shows how near they are to the limit, and one of the minutes', async () => {
    await open.engine.send('PutItem', {
      TableName: 'Studio',
      Item: { pk: { S: 'large' }, sk: { S: '1' }, text: { S: 'x'.repeat(40_000) } },
    })
    await go(`data?pk=${encodeURIComponent('["large"]')}`)
    await page.locator('.row').first().waitFor()
    await go('heat?by=requests')
    const row = page.locator('.heat li', { hasText: 'large' })
    await row.filter({ hasText: /1 read, 5 units/ }).waitFor()
    await row.getByText('< 1 % of the limit').waitFor()
    await page.getByRole('slider', { name: 'Minute' }).focus()
    await page.keyboard.press('Home')
    await page.getByText('No partition was asked for in this minute.').waitFor()
    expect(page.url()).toContain('minute=14')
    await page.getByRole('button', { name: 'Show all minutes' }).click()
    await row.waitFor()
  })
})

/** A first migration, and one that renames an attribute of users. */
function writeRename(directory: string): void {
  const { User } = blogSchema.models
  const { name, ...attributes } = User.attributes
  const before = {
    ...blogSchema,
    models: {
      ...blogSchema.models,
      User: { ...User, attributes: { ...attributes, called: name } },
    },
  } as SchemaDefinition
  const shared = { directory, changes: [] }
  const first = { ...shared, name: 'first', nowMs: 0, parents: [], definition: before }
  const parent = writeMigration(first)
  const changes = diffSchemas(compileSchema(before), compileSchema(blogSchema), {
    renames: new Map([['User.called', 'name']]),
    removals: new Set(),
  })
  const second = { directory, name: 'rename', nowMs: 1000, parents: [parent], changes }
  writeMigration({ ...second, definition: blogSchema })
}
